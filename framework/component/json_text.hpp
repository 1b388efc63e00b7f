#pragma once
#include <string>
#include <vector>

#include "arthron/core/diagnostic.hpp"

namespace arthron {

/// JSON as people write it, as plain JSON: comments (`//` to the end of the line, `/*` to `*/`) and commas before a closing bracket become
/// spaces, so that every character keeps its line. A comment without an end is reported for `file`.
[[nodiscard]] std::string plain_json(std::string text, const std::string& file, std::vector<Diagnostic>& diagnostics);

/// A syntax error in the words of those who write JSON: what is there, and what belongs there.
struct SyntaxMistake {
  std::string found, expected;
};
/// From the parser's message and the token where it stopped.
[[nodiscard]] SyntaxMistake name_mistake(const std::string& message, const std::string& token);

}  // namespace arthron
