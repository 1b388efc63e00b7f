# cmake -D OUTPUT=... -D VERSION=... -D FOLDERS=a,b,... -P KernelHeader.cmake
#
# Writes arthron/kernel.hpp: the version, and a digest of the headers that plug-ins are compiled against. Whoever compiles against other
# headers gets other layouts and virtual tables without any symbol telling so.
string(REPLACE "," ";" FOLDERS "${FOLDERS}")
set(digests "")
foreach(folder IN LISTS FOLDERS)
  file(GLOB headers "${folder}/*.hpp")
  list(SORT headers)
  foreach(header IN LISTS headers)
    file(SHA256 "${header}" digest)
    string(APPEND digests "${digest}")
  endforeach()
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING "${digest}" 0 12 digest)
file(WRITE "${OUTPUT}" "#pragma once\n\n#define ARTHRON_KERNEL_VERSION \"${VERSION}\"\n#define ARTHRON_KERNEL_HEADERS \"${digest}\"\n")
