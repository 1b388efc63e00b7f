# The umbrella of all folders.
get_property(folders GLOBAL PROPERTY ARTHRON_FOLDERS)
list(TRANSFORM folders PREPEND arthron_ OUTPUT_VARIABLE targets)
add_library(arthron_all INTERFACE)
add_library(arthron::arthron ALIAS arthron_all)
target_link_libraries(arthron_all INTERFACE ${targets})
