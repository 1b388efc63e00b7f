#pragma once
#include <string>
#include <vector>

namespace arthron::cli {

/// What a program that has ended leaves behind.
struct ChildOutcome {
  bool started = false;  // false when there is no such program
  int exit_code = -1;    // -1 also for one that a signal has ended
  std::string out, err;
};

/// Runs a program of the search path with these arguments, without a shell: `input` goes to its standard input while its two outputs are
/// read, so that neither waits for the other however much there is.
[[nodiscard]] ChildOutcome run_child(const std::vector<std::string>& command, const std::string& input);

}  // namespace arthron::cli
