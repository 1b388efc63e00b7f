#pragma once
#include <string>

#include "arthron/plan/plan.hpp"

namespace arthron {

/// In which order SSLM solves for multipliers, in whole lines for `arthron check`: by subsystem, alike ones once; loop by loop where there
/// are no subsystems. Empty where there is nothing to solve for.
[[nodiscard]] std::string describe_multiplier_order(const Plan& plan);

}  // namespace arthron
