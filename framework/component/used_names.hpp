#pragma once
#include <map>
#include <string>
#include <vector>

namespace arthron {

/// Which of the variables an expression (without the leading '=') depends on, by their numbers in increasing order. It may be longer than
/// an Expression can be: where values of parameters stand for their names, less is left of it. Throws ExpressionError.
[[nodiscard]] std::vector<int> used_names(const std::string& text, const std::vector<std::string>& variables,
                                          const std::map<std::string, double>& constants = {});

}  // namespace arthron
