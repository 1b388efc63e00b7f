#include "arthron/schedule/share_out.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <taskflow/taskflow.hpp>
#include <thread>

namespace arthron {

void share_out(std::size_t count, int threads, const std::function<bool(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  std::exception_ptr trouble;
  std::mutex trouble_is_written;
  const auto worker = [&] {
    try {
      for (std::size_t index = next++; index < count && !stopped; index = next++)
        if (!work(index)) stopped = true;
    } catch (...) {
      stopped = true;
      const std::lock_guard alone(trouble_is_written);
      if (!trouble) trouble = std::current_exception();
    }
  };
  const std::size_t workers = std::min<std::size_t>(count, threads);
  if (workers > 0) {
    tf::Executor executor(workers);
    tf::Taskflow tasks;
    for (std::size_t i = 0; i < workers; ++i) tasks.emplace(worker);
    executor.run(tasks).wait();
  }
  if (trouble) std::rethrow_exception(trouble);
}

int available_cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));  // more cores than a cpu_set_t holds
}

}  // namespace arthron
