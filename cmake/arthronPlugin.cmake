# For authors of plug-ins and for programs that load them; part of the package, and used by the project itself.

# arthron_add_plugin(NAME sources...)
#
# A library libNAME.so of component types, compiled as the kernel was. What it needs of the kernel it finds in the program that loads it.
function(arthron_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE arthron::plugin)
  # Types that two libraries happen to name alike stay apart. An author's type is inlined into loops of the kernel, so nothing is worth less
  # than a plug-in that was compiled without optimisation because nobody chose a build type.
  set_target_properties(${name} PROPERTIES PREFIX lib CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${name} PRIVATE $<$<CONFIG:>:-O2>)
  if(TARGET arthron_kernel_header)
    add_dependencies(${name} arthron_kernel_header)
  endif()
endfunction()

# arthron_host(TARGET)
#
# Lets a program that links arthron::arthron load plug-ins: it holds all that they may need of the kernel, and lets them find it.
function(arthron_host target)
  set(folders core component)
  if(TARGET arthron_component)
    list(TRANSFORM folders PREPEND arthron_)
  else()
    list(TRANSFORM folders PREPEND arthron::)
  endif()
  string(REPLACE ";" "," folders "${folders}")
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${folders}")
endfunction()
