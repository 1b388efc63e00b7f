# cmake -D SOURCE=web -D OUTPUT=folder -D NPM=... -D NODE=... -P BuildPages.cmake
#
# Builds the pages of SOURCE in OUTPUT, from a copy: the sources stay as they are. Packages are installed as the lockfile says, and again
# only when it has changed.
file(COPY "${SOURCE}/" DESTINATION "${OUTPUT}" PATTERN node_modules EXCLUDE)
set(installed "${OUTPUT}/node_modules/.installed-lockfile")
set(same 1)
if(EXISTS "${installed}")
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files "${installed}" "${SOURCE}/package-lock.json" RESULT_VARIABLE same)
endif()
if(NOT same EQUAL 0)
  execute_process(COMMAND "${NPM}" ci --no-audit --no-fund --loglevel=error WORKING_DIRECTORY "${OUTPUT}" COMMAND_ERROR_IS_FATAL ANY
    OUTPUT_QUIET)
  file(COPY_FILE "${SOURCE}/package-lock.json" "${installed}")
endif()
execute_process(COMMAND "${NODE}" build.mjs "${OUTPUT}/pages" WORKING_DIRECTORY "${OUTPUT}" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
