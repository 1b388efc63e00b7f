#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>

namespace arthron::cli {

ProgressBar::ProgressBar(std::ostream& out, double end, bool visible) : out_(out), end_(end), visible_(visible && end > 0) {}

ProgressBar::~ProgressBar() {
  if (drawn_) out_ << "\r\033[K" << std::flush;
}

void ProgressBar::show(double now) {
  constexpr int width = 40;
  if (!visible_) return;
  const Clock::time_point time = Clock::now();
  if (time - last_ < std::chrono::milliseconds(100)) return;
  last_ = time;
  drawn_ = true;

  const double done = std::clamp(now / end_, 0.0, 1.0);
  const int filled = static_cast<int>(done * width);
  const double elapsed = std::chrono::duration<double>(time - start_).count();
  char tail[64];
  if (done > 0) {
    std::snprintf(tail, sizeof tail, "] %3.0f %%, %.0f s left", std::floor(100 * done), std::ceil(elapsed * (1 - done) / done));
  } else {
    std::snprintf(tail, sizeof tail, "]   0 %%");
  }
  out_ << "\r[" << std::string(filled, '#') << std::string(width - filled, '.') << tail << "\033[K" << std::flush;
}

}  // namespace arthron::cli
