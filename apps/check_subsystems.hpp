#pragma once
#include <string>

#include "arthron/plan/plan.hpp"

namespace arthron::cli {

/// The tree of subsystems, indented by depth: name, file, mass, ports and what they are connected to, and the file's own loops.
[[nodiscard]] std::string describe_subsystems(const Plan& plan);
/// How long an evaluation of each takes alone, and its share of one of the whole model.
[[nodiscard]] std::string describe_times(const Plan& plan);

}  // namespace arthron::cli
