# Warnings and sanitizers as one interface target; every target of ours links it.
add_library(zl_settings INTERFACE)
target_compile_options(zl_settings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)
if(ZL_SANITIZE)
  target_compile_options(zl_settings INTERFACE -fsanitize=${ZL_SANITIZE} -fno-omit-frame-pointer
                                               -fno-sanitize-recover=all)
  target_link_options(zl_settings INTERFACE -fsanitize=${ZL_SANITIZE})
endif()
if(ZL_STATIC)
  target_link_options(zl_settings INTERFACE -static-libstdc++ -static-libgcc)
endif()
