#pragma once
#include <array>

#include "arthron/plan/plan.hpp"

namespace arthron {

/// Pose, velocity and acceleration of a ground.
struct GroundState {
  Pose<double> X_WB;
  Spatial6 V, A;
};

/// At rest, or as its motion prescribes.
[[nodiscard]] GroundState ground_state(const PlanGround& ground, const Instant& now);

/// Translation [m] and rotation vector [rad] of a ground, as its file gives them; zero at rest.
[[nodiscard]] std::array<Vec3, 2> ground_coordinates(const PlanGround& ground, const Instant& now);
/// Where these put it.
[[nodiscard]] Pose<double> ground_pose(const PlanGround& ground, const std::array<Vec3, 2>& coordinates);

}  // namespace arthron
