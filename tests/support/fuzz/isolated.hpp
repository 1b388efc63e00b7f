#pragma once
#include <functional>
#include <string>

namespace arthron::fuzz {

/// What an input may cost before it counts as a failure.
struct Limits {
  int processor_seconds = 10;  // then it hangs
  int wall_seconds = 600;      // then it waits for ever; a machine with other work is slow, too
  std::size_t memory = std::size_t{2} << 30;
};

/// Runs the work in a process of its own, with limits to its memory; its output goes nowhere. Gives what ended it early; empty when it came
/// to its end. The work calls `start_clock` wherever the time begins anew.
[[nodiscard]] std::string run_isolated(const Limits& limits, const std::function<void()>& work);

/// From now on the time of the limits counts. With `interrupt_after` the process gets an interruption (SIGINT) after so many seconds.
void start_clock(const Limits& limits, double interrupt_after = 0);

}  // namespace arthron::fuzz
