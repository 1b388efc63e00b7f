#pragma once
#include "arthron/components/joints/plane_axes.hpp"

namespace arthron {

/// Rotation about a fixed axis.   X(theta) = { Rot(axis, theta), 0 }
struct RevoluteJoint {
  static constexpr std::string_view type = "revolute";
  static constexpr int nq = 1, nu = 1;
  static constexpr std::array shapes{ColumnShape::rotation};
  static constexpr bool constant_subspace = true;
  static constexpr bool branchless = true;
  Vec3 axis;

  static RevoluteJoint parse(const JsonReader& in) { return {in.unit_vector({"axis", "", "axis of rotation"})}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return {axis_rotation(axis, q[0]), {}};
  }
  template <class T>
  void subspace(const T*, Spatial<T>* H) const {
    H[0] = {{}, cast<T>(axis)};
  }
  void complement(const Pose<double>&, Spatial6* D) const {
    hold_point(D);
    const auto [first, second] = directions_across(axis);
    D[3] = {{}, first}, D[4] = {{}, second};
  }
  void complement_rate(const Pose<double>&, const Spatial6&, Spatial6* Ddot) const { std::fill_n(Ddot, 5, Spatial6{}); }
  [[nodiscard]] Spatial6 gap(const Pose<double>& X) const {
    const Vec3 turned = X.R * axis, across = cross(axis, turned);
    const double sine = norm(across), cosine = dot(axis, turned);
    return {X.p, (sine > 0 ? std::atan2(sine, cosine) / sine : 1) * across};
  }
  friend bool operator==(const RevoluteJoint&, const RevoluteJoint&) = default;
};

}  // namespace arthron
