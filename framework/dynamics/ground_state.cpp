#include "arthron/dynamics/ground_state.hpp"

#include "arthron/spatial/rotation_vector.hpp"

namespace arthron {

std::array<Vec3, 2> ground_coordinates(const PlanGround& ground, const Instant& now) {
  std::array<Vec3, 2> coordinates{};
  if (!ground.motion) return coordinates;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<TimeFunction>& along = i == 0 ? ground.motion->translation : ground.motion->rotation;
    coordinates[i] = {along[0].value(now), along[1].value(now), along[2].value(now)};
  }
  return coordinates;
}

Pose<double> ground_pose(const PlanGround& ground, const std::array<Vec3, 2>& coordinates) {
  if (!ground.motion) return {Mat3::identity(), ground.origin};
  const Placement& file = ground.motion->placement;
  const auto quaternion = quaternion_of(file.axial(coordinates[1]));
  return {quaternion_rotation(quaternion[0], quaternion[1], quaternion[2], quaternion[3]), ground.origin + file.polar(coordinates[0])};
}

GroundState ground_state(const PlanGround& ground, const Instant& now) {
  if (!ground.motion) return {ground_pose(ground, {}), {}, {}};
  std::array<TimeFunction::Sample, 3> x, theta;
  for (std::size_t i = 0; i < 3; ++i) x[i] = ground.motion->translation[i].sample(now), theta[i] = ground.motion->rotation[i].sample(now);
  const Placement& file = ground.motion->placement;
  const Vec3 angle = file.axial({theta[0].value, theta[1].value, theta[2].value});
  const auto [w, alpha] = angular_motion(angle, file.axial({theta[0].rate, theta[1].rate, theta[2].rate}),
                                         file.axial({theta[0].acceleration, theta[1].acceleration, theta[2].acceleration}));
  return {ground_pose(ground, {Vec3{x[0].value, x[1].value, x[2].value}, Vec3{theta[0].value, theta[1].value, theta[2].value}}),
          {file.polar({x[0].rate, x[1].rate, x[2].rate}), w},
          {file.polar({x[0].acceleration, x[1].acceleration, x[2].acceleration}), alpha}};
}

}  // namespace arthron
