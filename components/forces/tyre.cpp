#include "arthron/components/forces/tyre.hpp"

#include <algorithm>

namespace arthron {

TyreForce TyreForce::parse(const JsonReader& in) {
  in.handle({"on", "", "wheel centre: [body that spins, point]"});
  const auto positive = Range::positive();
  TyreForce tyre{in.road(),
                 in.unit_vector({"axis", "", "axis of spin; the wheel rolls towards axis x up"}),
                 in.number({"radius", "m", "unloaded radius"}, positive),
                 in.number({"stiffness", "N/m", "radial stiffness"}, positive),
                 in.number_or({"damping", "N s/m", "radial damping"}, 0, Range::non_negative()),
                 in.number({"longitudinal_stiffness", "N", "longitudinal force per slip, at small slip"}, positive),
                 in.number({"cornering_stiffness", "N/rad", "lateral force per slip angle, at small slip"}, positive),
                 0,
                 0,
                 in.number_or({"trail", "m", "pneumatic trail at small slip"}, 0, Range::non_negative()),
                 in.number_or({"low_speed", "m/s", "below it slip forces fade into viscous creep"}, 1, positive)};
  const std::vector<double> friction =
      in.numbers({"friction", "", "coefficients along and across, or one for both; 1 when absent"}, 2, positive);
  tyre.longitudinal_friction = friction.empty() ? 1 : friction[0];
  tyre.lateral_friction = friction.empty() ? 1 : friction[1];
  return tyre;
}

struct TyreForce::Patch {
  Vec3 arm;                    // from the centre to the contact point
  Vec3 forward, left, normal;  // road axes; `left` is where the axis of a wheel with upright normal points
  double deflection;
  double sine, cosine;  // of the camber
  double N = 0, Fx = 0, Fy = 0, Mz = 0, slip_x = 0, slip_y = 0;
  double roll = 0;  // V_x / V
};

TyreForce::Patch TyreForce::patch(double t, const HandleState& h) const {
  const Road::Plane plane = road->below(h.position, t);
  const Vec3 n = plane.normal, spin = h.rotation * axis, along = cross(spin, n);
  // cos(camber) = |spin x n|; a wheel lying flat on the road has no direction to roll to.
  const double sine = dot(spin, n), cosine = norm(along);
  if (cosine < 1e-3) return {{}, {}, {}, n, -radius, sine, cosine};
  const Vec3 forward = (1 / cosine) * along, upward = cross(forward, spin);
  const double loaded_radius = height_above(plane, h.position) / cosine;
  Patch patch{-loaded_radius * upward, forward, cross(n, forward), n, radius - loaded_radius, sine, cosine};
  if (patch.deflection <= 0) return patch;

  const Vec3 v = velocity_at(h.velocity, patch.arm).linear - plane.speed * n;
  const double rate = -dot(v, n) / cosine, fade = std::min(1.0, 100 * patch.deflection / radius);
  patch.N = std::max(0.0, stiffness * patch.deflection + fade * damping * rate) / cosine;
  const double V_x = dot(h.velocity.linear, forward), V = std::sqrt(V_x * V_x + low_speed * low_speed);
  patch.slip_x = dot(v, forward) / V, patch.slip_y = dot(v, patch.left) / V, patch.roll = V_x / V;
  if (patch.N > 0) slip_forces(patch);
  return patch;
}

void TyreForce::slip_forces(Patch& patch) const {
  const double limit_x = longitudinal_friction * patch.N, limit_y = lateral_friction * patch.N;
  const double z_x = longitudinal_stiffness * patch.slip_x / (3 * limit_x), z_y = cornering_stiffness * patch.slip_y / (3 * limit_y);
  const double z = std::sqrt(z_x * z_x + z_y * z_y), stick = std::max(0.0, 1 - z);
  const double share = z < 1 ? 3 - 3 * z + z * z : 1 / z;
  patch.Fx = -limit_x * share * z_x, patch.Fy = -limit_y * share * z_y;
  patch.Mz = 3 * trail * patch.roll * stick * stick * stick * limit_y * z_y;
}

void TyreForce::load(double t, const HandleState* h, Spatial6* wrench) const {
  const Patch now = patch(t, h[0]);
  const Vec3 force = now.Fx * now.forward + now.Fy * now.left + now.N * now.normal;
  wrench[0] = wrench_from(Spatial6{force, now.Mz * now.normal}, now.arm);
}

double TyreForce::energy(double t, const HandleState* h) const {
  const double deflection = std::max(0.0, patch(t, h[0]).deflection);
  return stiffness * deflection * deflection / 2;
}

void TyreForce::measure(double t, const HandleState* h, double* values) const {
  const Patch now = patch(t, h[0]);
  const double results[] = {
      now.N, now.Fx, now.Fy, now.Mz, -now.slip_x, std::atan(now.slip_y), now.deflection, std::atan2(now.sine, now.cosine)};
  std::copy(std::begin(results), std::end(results), values);
}

}  // namespace arthron
