#pragma once
#include <string>
#include <vector>

namespace arthron::fuzz {

/// What the program did: its exit code, its two streams, and the files in the folder `out` of the working folder.
struct Outcome {
  int code;
  std::string out, err;
};

/// What is wrong with it, whatever the input was; empty when nothing is:
///   - an exit code that is not documented for the command, an error of the program's own, an interruption that nobody asked for;
///   - a message without a place: file with line or JSON pointer, or an option or command, and below it what was found and expected;
///   - exit code 0 with a number in the results that is not finite, or without a file that was asked for;
///   - a file that is not whole, or one that nobody asked for.
[[nodiscard]] std::string fault_of(const std::vector<std::string>& arguments, const Outcome& outcome, bool may_be_interrupted);

}  // namespace arthron::fuzz
