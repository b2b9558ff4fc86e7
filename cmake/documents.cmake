# What a tool's own option table makes: its completions, and with ZL_MAN its man page.
option(ZL_MAN "Build the man pages (needs go-md2man)" OFF)
set(ZL_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
    CACHE STRING "Where zsh completions go; a Debian package wants share/zsh/vendor-completions")
if(ZL_MAN)
  # Of Debian's converters: 2 MB and nothing else (pandoc 170 MB), and it writes plain .TP entries,
  # which lowdown imitates by moving lines up.
  find_program(ZL_MD2MAN go-md2man REQUIRED)
endif()

# zl_completions(TOOL)
function(zl_completions tool)
  set(script ${PROJECT_SOURCE_DIR}/tools/cli/completions)
  set(bash_file ${PROJECT_BINARY_DIR}/share/bash-completion/completions/${tool})
  set(zsh_file ${PROJECT_BINARY_DIR}/share/zsh/_${tool})
  add_custom_command(
    OUTPUT ${bash_file} ${zsh_file}
    COMMAND $<TARGET_FILE:${tool}> --zl-option-table > ${bash_file}.table
    COMMAND ${script} bash ${tool} < ${bash_file}.table > ${bash_file}
    COMMAND ${script} zsh ${tool} < ${bash_file}.table > ${zsh_file}
    COMMAND ${CMAKE_COMMAND} -E rm ${bash_file}.table
    DEPENDS ${tool} ${script} VERBATIM)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/bash-completion/completions
                      ${PROJECT_BINARY_DIR}/share/zsh)
  add_custom_target(${tool}-completions ALL DEPENDS ${bash_file} ${zsh_file})
  install(FILES ${bash_file} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${zsh_file} DESTINATION ${ZL_ZSH_COMPLETIONS})
endfunction()

# zl_man(TOOL): the page TOOL.1.md beside the tool's main.cpp.
function(zl_man tool)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${tool}.1.md)
  if(NOT ZL_MAN OR NOT EXISTS ${source})
    return()
  endif()
  set(script ${PROJECT_SOURCE_DIR}/tools/cli/man_page)
  set(page ${PROJECT_BINARY_DIR}/share/man/man1/${tool}.1)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/man/man1)
  add_custom_command(
    OUTPUT ${page}
    COMMAND ${script} $<TARGET_FILE:${tool}> ${source} ${PROJECT_VERSION} > ${page}.md
    COMMAND ${ZL_MD2MAN} -in ${page}.md -out ${page}
    COMMAND ${CMAKE_COMMAND} -E rm ${page}.md
    DEPENDS ${tool} ${script} ${source} VERBATIM)
  add_custom_target(${tool}-man ALL DEPENDS ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()
