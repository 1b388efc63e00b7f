#pragma once
#include "arthron/component/force.hpp"

namespace arthron {

/// Torsion spring and damper between two bodies about an axis fixed in the first.
///   tau = stiffness (angle - rest_angle) + damping d(angle)/dt   [N m], turning B back towards A.
/// `angle` is the turn of B against A about the axis, in (-pi, pi]; for several turns use the spring of a joint.
/// The torque acts along the gradient of the angle, so that the spring stores energy exactly even when the bodies swing out of the axis.
struct TorsionSpringForce {
  static constexpr std::string_view type = "torsion_spring";
  static constexpr std::array<OutputChannel, 2> channels{{{"torque", "N m"}, {"angle", "rad"}}};
  Vec3 axis;
  double stiffness, damping, rest_angle;

  static TorsionSpringForce parse(const JsonReader& in);
  void load(double t, const HandleState* h, Spatial6* wrench) const;
  [[nodiscard]] double energy(double t, const HandleState* h) const;
  [[nodiscard]] bool conservative() const { return damping == 0; }
  void measure(double t, const HandleState* h, double* values) const;
};

}  // namespace arthron
