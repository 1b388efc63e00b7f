#pragma once
#include <cstddef>
#include <functional>

namespace arthron {

/// Calls work(index) for every index in [0, count) on that many Taskflow workers, each of which takes the next one as soon as it is free.
/// Once a call returns false no more are begun. An exception that leaves a call is thrown again here, when all have stopped.
void share_out(std::size_t count, int threads, const std::function<bool(std::size_t)>& work);

/// Cores that this process may run on.
[[nodiscard]] int available_cores();

}  // namespace arthron
