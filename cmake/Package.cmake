# arthron::arthron, the umbrella of all folders, and the installed package that find_package(arthron) finds.
include(CMakePackageConfigHelpers)

get_property(folders GLOBAL PROPERTY ARTHRON_FOLDERS)
list(TRANSFORM folders PREPEND arthron_ OUTPUT_VARIABLE targets)
add_library(arthron_all INTERFACE)
add_library(arthron::arthron ALIAS arthron_all)
target_link_libraries(arthron_all INTERFACE ${targets})
set_target_properties(arthron_all PROPERTIES EXPORT_NAME arthron)

# What plug-ins are compiled with: headers and whatever changes layouts, but none of the code, which is in the program that loads them.
add_library(arthron_plugin INTERFACE)
add_library(arthron::plugin ALIAS arthron_plugin)
set_target_properties(arthron_plugin PROPERTIES EXPORT_NAME plugin)
foreach(folder IN LISTS ARTHRON_PLUGIN_FOLDERS ITEMS kernel)
  target_include_directories(arthron_plugin INTERFACE "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include_roots/${folder}>")
endforeach()
target_include_directories(arthron_plugin INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_link_libraries(arthron_plugin INTERFACE nlohmann_json::nlohmann_json)  # headers alone
target_compile_features(arthron_plugin INTERFACE cxx_std_20)
target_compile_options(arthron_plugin INTERFACE -Wno-psabi $<$<BOOL:${march}>:-march=${march}>)

# What a program, the author of a component or a test of one includes; what these include comes along.
set(headers
  authoring/doctest.hpp authoring/examine.hpp
  component/plugin.hpp component/plugin_loader.hpp component/subsystem.hpp
  components/builtins.hpp
  core/diagnostic.hpp
  analysis/inverse_dynamics.hpp analysis/handle_reader.hpp analysis/statics.hpp dynamics/observe.hpp dynamics/subsystem.hpp
  model/builder.hpp model/find.hpp model/load.hpp
  simulation/checkpoint.hpp simulation/lane_run.hpp simulation/run.hpp simulation/simulation.hpp
  study/run_study.hpp
  topology/graph.hpp)
install(CODE "set(SOURCE \"${PROJECT_SOURCE_DIR}\")
set(INCLUDES \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")
set(HEADERS \"${headers}\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/InstallHeaders.cmake)

set(config_directory ${CMAKE_INSTALL_LIBDIR}/cmake/arthron)
install(TARGETS ${targets} arthron_all arthron_plugin EXPORT arthronTargets)
install(EXPORT arthronTargets NAMESPACE arthron:: DESTINATION ${config_directory})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/arthronConfig.cmake.in ${PROJECT_BINARY_DIR}/arthronConfig.cmake
  INSTALL_DESTINATION ${config_directory} PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/arthronConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/arthronConfig.cmake ${PROJECT_BINARY_DIR}/arthronConfigVersion.cmake ${CMAKE_CURRENT_LIST_DIR}/arthronPlugin.cmake
  DESTINATION ${config_directory})
install(FILES ${PROJECT_BINARY_DIR}/include_roots/kernel/arthron/kernel.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/arthron)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/subsystems DESTINATION ${CMAKE_INSTALL_DATADIR}/arthron OPTIONAL FILES_MATCHING PATTERN *.json)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
