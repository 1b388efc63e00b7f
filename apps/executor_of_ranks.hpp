#pragma once
#include <memory>

#include "arthron/study/executor.hpp"

namespace arthron::cli {

/// The processes that mpirun has started together with this one; nullptr when it was started alone. MPI is loaded here and nowhere else.
/// Throws ModelError when the program was built without it.
[[nodiscard]] std::unique_ptr<Executor> executor_of_ranks();

}  // namespace arthron::cli
