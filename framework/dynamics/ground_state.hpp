#pragma once
#include "arthron/plan/plan.hpp"

namespace arthron {

/// Pose, velocity and acceleration of a ground.
struct GroundState {
  Pose<double> X_WB;
  Spatial6 V, A;
};

/// At rest, or as its motion prescribes.
[[nodiscard]] GroundState ground_state(const PlanGround& ground, const Instant& now);

}  // namespace arthron
