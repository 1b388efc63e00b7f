#include "arthron/components/forces/bushing.hpp"

#include "arthron/spatial/rotation_vector.hpp"

namespace arthron {

namespace {

Vec3 times(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

Vec3 three(const std::vector<double>& values) { return values.empty() ? Vec3{} : Vec3{values[0], values[1], values[2]}; }

}  // namespace

BushingForce BushingForce::parse(const JsonReader& in) {
  const Handle from = in.handle({"from", "", "point A: [body, point]"}), to = in.handle({"to", "", "point B, usually at the same place"});
  const Vec3 x = in.unit_vector_or({"x_axis", "", "first axis"}, {1, 0, 0});
  const Vec3 wish = in.unit_vector_or({"y_axis", "", "second axis, made perpendicular to the first"},
                                      std::abs(x.y) < 0.9 ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
  const Vec3 across = wish - dot(wish, x) * x;
  if (norm(across) < 1e-3) in.complain("y_axis", "a direction along the first axis", "a direction across it");
  const Vec3 y = (1 / std::max(norm(across), 1e-3)) * across;
  const auto rates = [&](const Key& key) { return three(in.numbers(key, 3, Range::non_negative())); };
  const Mat3 axes{x, y, cross(x, y)};
  const auto loads = [&](const Key& key) { return transposed_times(axes, in.vector_or(key, {})); };
  return {axes,
          to.point - from.point,
          rates({"stiffness", "N/m", "along the axes, or one for all"}),
          rates({"damping", "N s/m", "along the axes, or one for all"}),
          loads({"preload", "N", "force on B in the design position, in the file's axes"}),
          rates({"rotational_stiffness", "N m/rad", "about the axes, or one for all"}),
          rates({"rotational_damping", "N m s/rad", "about the axes, or one for all"}),
          loads({"preload_torque", "N m", "torque on B in the design position, in the file's axes"})};
}

/// State of the bushing and its load on B, along the axes; `force` and `torque` with damping.
struct BushingForce::Deflection {
  Mat3 R;    // axes to world
  Vec3 arm;  // from A to B, world
  Vec3 x, theta, force, torque;
};

BushingForce::Deflection BushingForce::deflection(const HandleState* h) const {
  const Mat3 R = h[0].rotation * axes;
  const Vec3 arm = h[1].position - h[0].position;
  const Vec3 x = transposed_times(R, arm) - transposed_times(axes, offset);
  const Vec3 theta = rotation_vector_of(transpose(R) * h[1].rotation * axes);
  const Vec3 w_A = h[0].velocity.angular;
  const Vec3 v = transposed_times(R, h[1].velocity.linear - h[0].velocity.linear - cross(w_A, arm));
  const Vec3 w = transposed_times(R, h[1].velocity.angular - w_A);
  const Vec3 elastic_torque = rotation_vector_torque(theta, preload_torque - times(rotational_stiffness, theta));
  return {R, arm, x, theta, preload - times(stiffness, x) - times(damping, v), elastic_torque - times(rotational_damping, w)};
}

void BushingForce::load(double, const HandleState* h, Spatial6* wrench) const {
  const Deflection now = deflection(h);
  const Vec3 force = now.R * now.force, torque = now.R * now.torque;
  wrench[0] = {-force, -torque - cross(now.arm, force)};
  wrench[1] = {force, torque};
}

double BushingForce::energy(double, const HandleState* h) const {
  const Deflection now = deflection(h);
  return dot(now.x, times(stiffness, now.x)) / 2 + dot(now.theta, times(rotational_stiffness, now.theta)) / 2 - dot(preload, now.x) -
         dot(preload_torque, now.theta);
}

void BushingForce::measure(double, const HandleState* h, double* values) const {
  const Deflection now = deflection(h);
  for (const Vec3& part : {now.force, now.torque, now.x, now.theta}) *values++ = part.x, *values++ = part.y, *values++ = part.z;
}

}  // namespace arthron
