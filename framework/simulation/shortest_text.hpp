#pragma once
#include <charconv>
#include <cstdio>
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

/// Text of four digits, for people.
inline std::string rounded_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace arthron
