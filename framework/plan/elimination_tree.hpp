#pragma once
#include <string>

#include "arthron/plan/plan.hpp"

namespace arthron {

/// The parts of a Plan, how they fold and join, and the cut joints between them (dashed), in Graphviz's language.
[[nodiscard]] std::string elimination_tree(const Plan& plan);

}  // namespace arthron
