#include "arthron/study/executor.hpp"

#include <mutex>

#include "arthron/schedule/share_out.hpp"

namespace arthron {

ThreadExecutor::ThreadExecutor(int threads) : threads_(threads > 0 ? threads : available_cores()) {}

std::string ThreadExecutor::words() const { return std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads"); }

void ThreadExecutor::share(const Job& job) {
  std::mutex one_at_a_time;
  share_out(job.batches(), threads_, [&](std::size_t number) {
    if (!job.proceed()) return false;
    const std::span<const std::size_t> pieces = job.pieces_of(number);
    const std::vector<std::string> lines = job.work(pieces);
    const std::lock_guard alone(one_at_a_time);
    for (const std::string& line : lines) job.deliver(line);
    return lines.size() == pieces.size();
  });
}

}  // namespace arthron
