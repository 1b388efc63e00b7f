#pragma once
#include <iosfwd>

/// The command line program as a function.
namespace arthron::cli {

/// Where the program speaks: results to `out`, messages to `err`; a progress bar only when `interactive`.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool interactive = false;
};

struct ExitCode {
  static constexpr int success = 0;
  static constexpr int check_failed = 1;  // the check ran, and what it looked at does not hold
  static constexpr int user_mistake = 2;
  static constexpr int numerical_failure = 3;
  static constexpr int internal_error = 70;
  static constexpr int interrupted = 130;
};

/// Runs the program and returns its exit code; throws nothing.
int run(int argc, const char* const* argv, Console console);

}  // namespace arthron::cli
