#pragma once
#include "arthron/components/joints/plane_axes.hpp"
#include "arthron/spatial/rotation_vector.hpp"

namespace arthron {

/// Constant-velocity (homokinetic) shaft joint: the shafts bend against one another and turn as one.
///   X(a, b) = { exp(theta) exp(-theta0), 0 },  theta = theta0 + a e1 + b e2,  e1, e2, axis right-handed
/// theta0 is the bend from `axis`, the parent's shaft, to `axis2`, the child's, at the drawn position. A rotation vector across the shaft
/// has no twist, so both shafts turn at the same speed at any constant bend. The coordinates are the bend since the drawn position about
/// two directions across the parent's shaft; singular only at a full turn of bend.
struct ConstantVelocityJoint {
  static constexpr std::string_view type = "constant_velocity";
  static constexpr int nq = 2, nu = 2;
  static constexpr std::array shapes{ColumnShape::rotation, ColumnShape::rotation};
  std::array<Vec3, 2> e;
  Vec3 drawn;       // theta0
  Mat3 straighten;  // exp(-theta0)

  static ConstantVelocityJoint parse(const JsonReader& in) {
    const Vec3 axis = in.unit_vector({"axis", "", "axis of the parent's shaft"});
    const Vec3 axis2 = in.unit_vector_or({"axis2", "", "axis of the child's shaft; that of the parent's when absent"}, axis);
    const Vec3 across = cross(axis, axis2);
    const double sine = norm(across), bend = std::atan2(sine, dot(axis, axis2));
    if (sine < 1e-3 && dot(axis, axis2) < 0)
      in.complain("axis2", "an axis against the first one", "the axis of a shaft not bent back on itself");
    const Vec3 direction = sine > 1e-12 ? (1 / sine) * across : Vec3{1, 0, 0};
    return {directions_across(axis), (sine > 1e-12 ? bend : 0) * direction, axis_rotation(direction, sine > 1e-12 ? -bend : 0.0)};
  }
  template <class T>
  Pose<T> pose(const T* q) const {
    const Vector3<T> theta = bend(q);
    // Rodrigues: R = 1 + (1 - b s^2) theta~ + a theta~ theta~.
    const T s2 = dot(theta, theta);
    const RotationRateCoefficients<T> k(s2);
    const auto turned = [&](const Vec3& drawn_column) {
      const Vector3<T> x = cast<T>(drawn_column), c = cross(theta, x);
      return x + (T(1) - k.b * s2) * c + k.a * cross(theta, c);
    };
    return {{turned(straighten.c0), turned(straighten.c1), turned(straighten.c2)}, {}};
  }
  template <class T>
  void subspace(const T* q, Spatial<T>* H) const {
    const Vector3<T> theta = bend(q);
    const RotationRateCoefficients<T> k(dot(theta, theta));
    for (std::size_t i = 0; i < 2; ++i) {
      const Vector3<T> ei = cast<T>(e[i]), c = cross(theta, ei);
      H[i] = {{}, ei + k.a * c + k.b * cross(theta, c)};
    }
  }
  template <class T>
  void subspace_rate(const T* q, const T* u, Spatial<T>* Hdot) const {
    const Vector3<T> theta = bend(q), rate = across(u);
    const RotationRateCoefficients<T> k(dot(theta, theta));
    const T s2_rate = T(2) * dot(theta, rate), a_rate = k.da * s2_rate, b_rate = k.db * s2_rate;
    for (std::size_t i = 0; i < 2; ++i) {
      const Vector3<T> ei = cast<T>(e[i]), c = cross(theta, ei), c_rate = cross(rate, ei);
      Hdot[i] = {{}, a_rate * c + k.a * c_rate + b_rate * cross(theta, c) + k.b * (cross(rate, c) + cross(theta, c_rate))};
    }
  }

 private:
  template <class T>
  Vector3<T> across(const T* values) const {
    return values[0] * cast<T>(e[0]) + values[1] * cast<T>(e[1]);
  }
  template <class T>
  Vector3<T> bend(const T* q) const {
    return cast<T>(drawn) + across(q);
  }
};

}  // namespace arthron
