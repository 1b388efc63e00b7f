#pragma once
#include <string>

#include "support/fuzz/random.hpp"

/// Damage to texts, the way users, editors and disks do it.
namespace arthron::fuzz {

/// A word with a letter lost, doubled, swapped or replaced.
[[nodiscard]] std::string misspelt(std::string word, Random& random);

/// An expression ("=...") with a number, an operator or a name replaced, wrapped, cut off or nested deep.
[[nodiscard]] std::string other_expression(const std::string& expression, Random& random);

/// A number as nobody should write it, as text: extremes, what is no number, what no double holds.
[[nodiscard]] std::string strange_number(double number, Random& random);

/// Bytes flipped, lost, inserted or repeated; a file cut off; marks and characters of other encodings; nesting without end.
[[nodiscard]] std::string damaged_bytes(std::string text, Random& random);

/// A table of comma-separated values with cells, rows or its heading damaged.
[[nodiscard]] std::string damaged_table(const std::string& text, Random& random);

}  // namespace arthron::fuzz
