#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "live/live_server.hpp"

/// What waits in a LiveServer, bounded.
namespace arthron::cli {

using Bytes = std::shared_ptr<const std::string>;

/// Frames of the past for those who come later: when there are too many, every second one goes, and of those to come only every second,
/// fourth, ... is kept. The first stays.
class Past {
 public:
  explicit Past(const LiveLimits& limits) : most_(std::max<std::size_t>(2, limits.past_frames)), most_bytes_(limits.past_bytes) {}

  void add(const Bytes& frame) {
    if (count_++ % stride_ != 0) return;
    frames_.push_back(frame);
    bytes_ += frame->size();
    while (frames_.size() > 2 && (frames_.size() > most_ || bytes_ > most_bytes_)) thin_out();
  }
  void clear() { frames_.clear(), bytes_ = 0, count_ = 0, stride_ = 1; }
  [[nodiscard]] const std::deque<Bytes>& frames() const { return frames_; }

 private:
  void thin_out() {
    std::deque<Bytes> kept;
    bytes_ = 0;
    for (std::size_t i = 0; i < frames_.size(); i += 2) {
      kept.push_back(frames_[i]);
      bytes_ += frames_[i]->size();
    }
    frames_ = std::move(kept);
    stride_ *= 2;
  }

  std::size_t most_, most_bytes_, bytes_ = 0;
  std::uint64_t count_ = 0, stride_ = 1;
  std::deque<Bytes> frames_;
};

/// Commands on their way from the server's thread to the simulation's.
class Inbox {
 public:
  explicit Inbox(std::size_t most) : most_(most) {}

  bool put(LiveCommand command) {
    const std::lock_guard lock(mutex_);
    if (commands_.size() >= most_) return false;
    commands_.push_back(std::move(command));
    arrived_.notify_one();
    return true;
  }
  std::vector<LiveCommand> take(std::chrono::steady_clock::duration wait) {
    std::unique_lock lock(mutex_);
    if (wait.count() > 0) arrived_.wait_for(lock, wait, [&] { return !commands_.empty(); });
    return std::exchange(commands_, {});
  }

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<LiveCommand> commands_;
};

}  // namespace arthron::cli
