#pragma once
#include <cstddef>
#include <string>

namespace arthron::test {

/// How often `part` stands in a text, without overlapping.
inline std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

}  // namespace arthron::test
