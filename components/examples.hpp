#pragma once
#include <map>
#include <string>

namespace arthron {

/// An example of every section of the language and of every built-in type, by its heading in the reference ("joint revolute"): sections of
/// a model file that name bodies `arm`, `forearm` and `rim`.
[[nodiscard]] const std::map<std::string, std::string>& builtin_examples();

}  // namespace arthron
