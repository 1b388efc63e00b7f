#pragma once
#include <string>
#include <vector>

#include "arthron/plan/plan.hpp"

namespace arthron {

/// Loops and couplings that are a subsystem's own, a line each, as its file shows them when it runs alone: in its own frame and names, its
/// mounts standing still. So every use of a file gives the same lines, however its mounts are carried.
[[nodiscard]] std::vector<std::string> describe_loops(const Plan& plan, int subsystem);

/// How long one evaluation (q, p) -> (qdot, pdot) of a subsystem alone on its mounts takes: the median of repeated runs [s]; not finite
/// where it cannot start alone. Subsystem 0 is the whole model.
[[nodiscard]] double time_subsystem(const Plan& plan, int subsystem);

}  // namespace arthron
