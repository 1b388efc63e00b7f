#include "arthron/components/forces/torsion_spring.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace arthron {

namespace {

struct Turn {
  double angle;   // [rad]
  Vec3 gradient;  // d(angle)/dt = gradient . (w_B - w_A), world axes; the axis itself while B turns about it alone
};

/// Angle of the part of B's relative quaternion (w, v) that lies along the axis a: 2 atan2(a.v, w), from s = 4 w v and n = 4 w^2; of all
/// turns the one nearest to `followed`.
Turn turn(const Vec3& axis, const HandleState* h, double followed) {
  const Mat3 R = transpose(h[0].rotation) * h[1].rotation;
  const Vec3 s{R.c1.z - R.c2.y, R.c2.x - R.c0.z, R.c0.y - R.c1.x};
  const double n = 1 + R.c0.x + R.c1.y + R.c2.z, along = dot(axis, s);
  const double scale = 1 / std::max(n * n + along * along, 1e-30);
  constexpr double whole = 2 * std::numbers::pi;
  const double angle = 2 * std::atan2(along, n);
  return {angle + whole * std::round((followed - angle) / whole),
          h[0].rotation * (scale * (n * n * axis + n * cross(s, axis) + along * s))};
}

double rate(const Turn& turn, const HandleState* h) { return dot(turn.gradient, h[1].velocity.angular - h[0].velocity.angular); }

}  // namespace

TorsionSpringForce TorsionSpringForce::parse(const JsonReader& in) {
  in.handle({"from", "", "body A: [body, point]"});
  in.handle({"to", "", "body B: [body, point]"});
  return {in.unit_vector({"axis", "", "axis, fixed in body A"}),
          in.number_or({"stiffness", "N m/rad", "spring rate"}, 0, Range::non_negative()),
          in.number_or({"damping", "N m s/rad", "damper rate"}, 0, Range::non_negative()),
          in.number_or({"rest_angle", "rad", "angle where the spring is relaxed"}, 0),
          in.number_or({"start_angle", "rad", "angle at the start, to within half a turn"}, 0)};
}

void TorsionSpringForce::load(const Instant&, const HandleState* h, const double* x, Spatial6* wrench) const {
  const Turn now = turn(axis, h, x[0]);
  const Vec3 torque = (stiffness * (now.angle - rest_angle) + damping * rate(now, h)) * now.gradient;
  wrench[0] = {{}, torque};
  wrench[1] = {{}, -torque};
}

void TorsionSpringForce::state_rates(const Instant&, const HandleState* h, const double* x, double* xdot) const {
  const Turn now = turn(axis, h, x[0]);
  const double speed = rate(now, h);
  // Errors of integration do not add up: while the bodies turn by one radian, they shrink to 1/e.
  xdot[0] = speed + std::abs(speed) * (now.angle - x[0]);
}

double TorsionSpringForce::energy(const Instant&, const HandleState* h, const double* x) const {
  const double deflection = turn(axis, h, x[0]).angle - rest_angle;
  return stiffness * deflection * deflection / 2;
}

void TorsionSpringForce::measure(const Instant&, const HandleState* h, const double* x, double* values) const {
  const Turn now = turn(axis, h, x[0]);
  values[0] = stiffness * (now.angle - rest_angle) + damping * rate(now, h);
  values[1] = now.angle;
}

}  // namespace arthron
