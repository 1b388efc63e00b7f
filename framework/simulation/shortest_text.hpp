#pragma once
#include <charconv>
#include <string>

namespace arthron {

/// Shortest text that reads back as the same number.
inline void append_shortest(std::string& text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

inline std::string shortest_text(double value) {
  std::string text;
  append_shortest(text, value);
  return text;
}

}  // namespace arthron
