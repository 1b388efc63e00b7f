#include "arthron/core/diagnostic.hpp"

#include <algorithm>
#include <utility>

namespace arthron {

namespace {

std::string report(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += (text.empty() ? "" : "\n") + to_string(diagnostic);
  return text;
}

/// Line ends and other control characters, which keys and arguments may hold, as JSON writes them: a place is a line.
std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    constexpr auto digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      line += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      line += std::string("\\u00") + digits[byte >> 4] + digits[byte & 15];
    else
      line += c;
  }
  return line;
}

/// Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`: Damerau-Levenshtein, optimal string alignment.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  std::string place = diagnostic.file;
  if (diagnostic.line > 0) place += ":" + std::to_string(diagnostic.line);
  const std::string pointer = diagnostic.pointer.empty() && diagnostic.line > 0 ? "/" : diagnostic.pointer;
  if (!pointer.empty()) place += (place.empty() ? "" : ": ") + pointer;
  if (!diagnostic.instance.empty()) place += ", used as " + diagnostic.instance;
  std::string text = on_one_line(place) + "\n  found " + on_one_line(diagnostic.found) + "; expected " + on_one_line(diagnostic.expected);
  if (!diagnostic.suggestion.empty()) text += "; did you mean \"" + diagnostic.suggestion + "\"?";
  return text;
}

ModelError::ModelError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(report(diagnostics)), diagnostics_(std::move(diagnostics)) {}

std::string nearest_name(const std::string& word, const std::vector<std::string>& candidates) {
  // A third of the letters may be wrong, and one in a short word; longer words are not names that anyone mistyped.
  constexpr std::size_t longest = 100;
  if (word.empty() || word.size() > longest) return "";
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= std::max(word.size(), candidate.size())) continue;
    if (distance < best || (distance == best && !nearest.empty() && candidate < nearest)) best = distance, nearest = candidate;
  }
  return nearest;
}

}  // namespace arthron
