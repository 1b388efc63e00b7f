# arthron::arthron, the umbrella of all folders, and the installed package that find_package(arthron) finds.
include(CMakePackageConfigHelpers)

get_property(folders GLOBAL PROPERTY ARTHRON_FOLDERS)
list(TRANSFORM folders PREPEND arthron_ OUTPUT_VARIABLE targets)
add_library(arthron_all INTERFACE)
add_library(arthron::arthron ALIAS arthron_all)
target_link_libraries(arthron_all INTERFACE ${targets})
set_target_properties(arthron_all PROPERTIES EXPORT_NAME arthron)

set(config_directory ${CMAKE_INSTALL_LIBDIR}/cmake/arthron)
install(TARGETS ${targets} arthron_all EXPORT arthronTargets)
install(EXPORT arthronTargets NAMESPACE arthron:: DESTINATION ${config_directory})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/arthronConfig.cmake.in ${PROJECT_BINARY_DIR}/arthronConfig.cmake
  INSTALL_DESTINATION ${config_directory} PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/arthronConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/arthronConfig.cmake ${PROJECT_BINARY_DIR}/arthronConfigVersion.cmake DESTINATION ${config_directory})

foreach(folder IN LISTS folders)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/include_roots/${folder}/arthron/${folder}/
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/arthron/${folder} FILES_MATCHING PATTERN *.hpp)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/subsystems DESTINATION ${CMAKE_INSTALL_DATADIR}/arthron OPTIONAL FILES_MATCHING PATTERN *.json)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
