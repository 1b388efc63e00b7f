#include "arthron/components/forces/torsion_spring.hpp"

#include <algorithm>

namespace arthron {

namespace {

struct Turn {
  double angle;   // in (-pi, pi]
  Vec3 gradient;  // d(angle)/dt = gradient . (w_B - w_A), world axes; the axis itself while B turns about it alone
};

/// Angle of the part of B's relative quaternion (w, v) that lies along the axis a: 2 atan2(a.v, w), from s = 4 w v and n = 4 w^2.
Turn turn(const Vec3& axis, const HandleState* h) {
  const Mat3 R = transpose(h[0].rotation) * h[1].rotation;
  const Vec3 s{R.c1.z - R.c2.y, R.c2.x - R.c0.z, R.c0.y - R.c1.x};
  const double n = 1 + R.c0.x + R.c1.y + R.c2.z, along = dot(axis, s);
  const double scale = 1 / std::max(n * n + along * along, 1e-30);
  return {2 * std::atan2(along, n), h[0].rotation * (scale * (n * n * axis + n * cross(s, axis) + along * s))};
}

double rate(const Turn& turn, const HandleState* h) { return dot(turn.gradient, h[1].velocity.angular - h[0].velocity.angular); }

}  // namespace

TorsionSpringForce TorsionSpringForce::parse(const JsonReader& in) {
  in.handle({"from", "", "body A: [body, point]"});
  in.handle({"to", "", "body B: [body, point]"});
  return {in.unit_vector({"axis", "", "axis, fixed in body A"}),
          in.number_or({"stiffness", "N m/rad", "spring rate"}, 0, Range::non_negative()),
          in.number_or({"damping", "N m s/rad", "damper rate"}, 0, Range::non_negative()),
          in.number_or({"rest_angle", "rad", "angle where the spring is relaxed"}, 0)};
}

void TorsionSpringForce::load(double, const HandleState* h, Spatial6* wrench) const {
  const Turn now = turn(axis, h);
  const Vec3 torque = (stiffness * (now.angle - rest_angle) + damping * rate(now, h)) * now.gradient;
  wrench[0] = {{}, torque};
  wrench[1] = {{}, -torque};
}

double TorsionSpringForce::energy(double, const HandleState* h) const {
  const double deflection = turn(axis, h).angle - rest_angle;
  return stiffness * deflection * deflection / 2;
}

void TorsionSpringForce::measure(double, const HandleState* h, double* values) const {
  const Turn now = turn(axis, h);
  values[0] = stiffness * (now.angle - rest_angle) + damping * rate(now, h);
  values[1] = now.angle;
}

}  // namespace arthron
