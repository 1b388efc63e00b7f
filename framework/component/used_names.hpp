#pragma once
#include <string>
#include <vector>

namespace arthron {

/// Which of the names stand in an expression, by their numbers in increasing order. The text need not be sound, and may be longer than an
/// Expression can be. What follows a number is its unit, what follows a point a component: neither is a name.
[[nodiscard]] std::vector<int> used_names(const std::string& text, const std::vector<std::string>& names);

}  // namespace arthron
