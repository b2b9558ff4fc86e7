# The Debian package and the archive: `cpack --preset package` after a build of that preset.
set(ZL_MAINTAINER "zl <zl@localhost>" CACHE STRING "Maintainer of the packages, as Name <address>")
set(CPACK_PACKAGE_NAME zl)
set(CPACK_PACKAGE_CONTACT "${ZL_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tell whether a compiler switch makes GPU operators faster")
set(CPACK_PACKAGE_DESCRIPTION
"Eight tools that join on pipes: they list accelerators, plan and run campaigns of
before/after pairs, compare generated code, check that runs are comparable, and
sum up with intervals and verdicts. For CUDA, MUSA, ROCm, Ascend and plain hosts.")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${ZL_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# What the programs link is asked of dpkg-shlibdeps; what they run is named here.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-pytest, miller, datamash, jq")

set(CPACK_PACKAGE_FILE_NAME ${CPACK_PACKAGE_NAME}-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
include(CPack)
