# cmake -D KIND=joint|force|subsystem -D PREFIX=... -D FOLDER=... -D GENERATOR=... -P new.cmake
#
# What a new author does: a project by `arthron new` of the installed program, built as it is against the installed package, its model run.
file(REMOVE_RECURSE "${FOLDER}")
get_filename_component(parent "${FOLDER}" DIRECTORY)
file(MAKE_DIRECTORY "${parent}")
set(program "${PREFIX}/bin/arthron")
foreach(command IN ITEMS
    "${program} new ${KIND} acme/first_try --output ${FOLDER}"
    "${CMAKE_COMMAND} -S ${FOLDER} -B ${FOLDER}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${PREFIX}"
    "${CMAKE_COMMAND} --build ${FOLDER}/build"
    "${program} run ${FOLDER}/first_try.json"
    "${CMAKE_CTEST_COMMAND} --test-dir ${FOLDER}/build --output-on-failure --no-tests=error")
  message(STATUS "${command}")
  separate_arguments(words UNIX_COMMAND "${command}")
  execute_process(COMMAND ${words} WORKING_DIRECTORY "${parent}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
