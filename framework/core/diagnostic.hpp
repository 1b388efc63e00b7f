#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace arthron {

/// One mistake of the user's, in the house's form:
///   file:line: /json/pointer, used as instance
///     found F; expected E; did you mean "S"?
struct Diagnostic {
  std::string file;
  int line = 0;         // 1-based; 0 when no line applies
  std::string pointer;  // JSON pointer, or the command-line option at fault
  std::string found;    // as the user wrote it
  std::string expected;
  std::string suggestion;  // nearest valid name; empty for none
  std::string instance{};  // path of the subsystem that uses the file at fault; empty for the model itself
};

[[nodiscard]] std::string to_string(const Diagnostic& diagnostic);

/// The user's mistake(s): all that were found, never just the first. what() is the printable report.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Diagnostic> diagnostics);
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// A broken invariant of ours, never the user's fault. what() names the invariant.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// The candidate closest to `word` by edit distance, or "" when none is close enough to be a likely misspelling.
[[nodiscard]] std::string nearest_name(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace arthron
