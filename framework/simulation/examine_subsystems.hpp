#pragma once
#include <string>
#include <vector>

#include "arthron/plan/plan.hpp"

namespace arthron {

/// Loops and couplings that are a subsystem's own, a line each, as its file shows them when it runs alone: in its own frame and names, its
/// mounts standing still. So every use of a file gives the same lines, however its mounts are carried.
[[nodiscard]] std::vector<std::string> describe_loops(const Plan& plan, int subsystem);

/// How long one evaluation (q, p) -> (qdot, pdot) of each subsystem alone on its mounts takes, in the Model's order: the median of repeated
/// runs [s]; not finite where the subsystem cannot start alone. The first is the whole model.
[[nodiscard]] std::vector<double> time_subsystems(const Plan& plan);

}  // namespace arthron
