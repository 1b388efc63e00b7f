#pragma once
#include <csignal>

namespace arthron::cli {

/// While it lives, the first Ctrl-C or termination request only raises a flag; a second one ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();
  [[nodiscard]] bool raised() const;

 private:
  struct sigaction old_interrupt_, old_terminate_;
};

}  // namespace arthron::cli
