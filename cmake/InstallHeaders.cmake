# Run by the install step. Installs the headers that users and authors of components name, and whatever these include; the others are the
# library's own.
#
# SOURCE, INCLUDES: the project's folder, and the installed one that holds arthron/. HEADERS: as they are included, without "arthron/".
cmake_policy(VERSION 3.25)
set(done)
while(HEADERS)
  list(POP_FRONT HEADERS header)
  if(header IN_LIST done)
    continue()
  endif()
  list(APPEND done "${header}")
  set(file "${SOURCE}/framework/${header}")
  if(header MATCHES "^components/")
    set(file "${SOURCE}/${header}")
  endif()
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL "${file}" DESTINATION "${INCLUDES}/arthron/${folder}")
  file(STRINGS "${file}" lines REGEX "^#include \"arthron/.*/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"arthron/(.*)\".*" "\\1" included "${line}")
    list(APPEND HEADERS "${included}")
  endforeach()
endwhile()
