#include "executor_of_ranks.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "arthron/core/diagnostic.hpp"

namespace arthron::cli {
namespace {

/// How many processes a launcher has started, by what it tells them.
int ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name)) return std::atoi(size);
  return 1;
}

}  // namespace

std::unique_ptr<Executor> executor_of_ranks() {
  if (ranks() <= 1) return nullptr;
  // Libraries that MPI itself loads later look for its symbols among the global ones.
  void* library = dlopen("arthron_mpi.so", RTLD_NOW | RTLD_GLOBAL);
  void* maker = library ? dlsym(library, "arthron_mpi_executor") : nullptr;
  if (!maker) {
    const char* reason = dlerror();
    throw ModelError({{"", 0, "mpirun", std::string("a program that cannot use MPI (") + (reason ? reason : "no reason known") + ")",
                       "one built where MPI was found, or a run without mpirun", ""}});
  }
  return std::unique_ptr<Executor>(reinterpret_cast<Executor* (*)()>(maker)());
}

}  // namespace arthron::cli
