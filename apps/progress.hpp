#pragma once
#include <chrono>
#include <iosfwd>

namespace arthron::cli {

/// A bar with percentage and estimated time left, redrawn at most ten times a second; erased at the end.
class ProgressBar {
 public:
  ProgressBar(std::ostream& out, double end, bool visible);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();
  void show(double now);

 private:
  using Clock = std::chrono::steady_clock;
  std::ostream& out_;
  double end_;
  bool visible_, drawn_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace arthron::cli
