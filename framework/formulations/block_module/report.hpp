#pragma once
#include <string>

#include "arthron/plan/plan.hpp"

namespace arthron {

/// The submodels of the block-module formulation by level, their border bodies, and the largest matrices, in words, for `arthron check`.
[[nodiscard]] std::string describe_block_modules(const Plan& plan);

}  // namespace arthron
