# arthron_folder(NAME [JOIN] [PUBLIC targets...] [PRIVATE targets...] [DEFINITIONS names...])
#
# Declares target arthron_NAME for the folder that calls it: every .cpp below it, or header-only while there is none. Its headers are
# included as "arthron/NAME/file.hpp" through an include root that holds this folder alone, so a target sees the headers of the folders
# it links and of no others: the include direction is what the calls of this function say.
#
# JOIN compiles several files at a time where the build does so (CMAKE_UNITY_BUILD). Not for numerics: what is inlined where decides their
# speed and their last digits. Under sanitizers, which ask for neither, all are joined: reading headers is half of compiling one alone.
function(arthron_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "JOIN" "" "PUBLIC;PRIVATE;DEFINITIONS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(target arthron_${name})
  set(root "${PROJECT_BINARY_DIR}/include_roots/${name}")
  file(MAKE_DIRECTORY "${root}/arthron")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}" "${root}/arthron/${name}" SYMBOLIC)

  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:arthron_options> ${arg_PRIVATE})
    target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
    arthron_precompile(${target})
    if(NOT arg_JOIN AND NOT ARTHRON_SANITIZE)
      set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
    endif()
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  target_link_libraries(${target} ${scope} ${arg_PUBLIC})
  target_include_directories(${target} ${scope} "$<BUILD_INTERFACE:${root}>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_compile_features(${target} ${scope} cxx_std_20)
  add_library(arthron::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY ARTHRON_FOLDERS ${name})
endfunction()
