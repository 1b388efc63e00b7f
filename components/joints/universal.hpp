#pragma once
#include "arthron/component/joint.hpp"

namespace arthron {

/// Cardan joint: rotation alpha about `axis` (fixed in the parent), then beta about `axis2` (fixed in the child).
///   X(alpha, beta) = { Rot(axis, alpha) Rot(axis2, beta), 0 }
struct UniversalJoint {
  static constexpr std::string_view type = "universal";
  static constexpr int nq = 2, nu = 2;
  static constexpr std::array shapes{ColumnShape::rotation, ColumnShape::rotation};
  static constexpr bool branchless = true;
  Vec3 axis, axis2;

  static UniversalJoint parse(const JsonReader& in) {
    const UniversalJoint joint{in.unit_vector({"axis", "", "first axis, fixed in the parent"}),
                               in.unit_vector({"axis2", "", "second axis, fixed in the child, across the first"})};
    if (norm(cross(joint.axis, joint.axis2)) < 1e-3) in.complain("axis2", "an axis along the first one", "an axis across the first one");
    return joint;
  }
  template <class T>
  Pose<T> pose(const T* q) const {
    return {axis_rotation(axis, q[0]) * axis_rotation(axis2, q[1]), {}};
  }
  template <class T>
  void subspace(const T* q, Spatial<T>* H) const {
    H[0] = {{}, cast<T>(axis)};
    H[1] = {{}, axis_rotation(axis, q[0]) * cast<T>(axis2)};
  }
  template <class T>
  void subspace_rate(const T* q, const T* u, Spatial<T>* Hdot) const {
    Hdot[0] = {};
    Hdot[1] = {{}, u[0] * cross(cast<T>(axis), axis_rotation(axis, q[0]) * cast<T>(axis2))};
  }
  void complement(const Pose<double>& X, Spatial6* D) const {
    hold_point(D);
    D[3] = {{}, normalized(cross(axis, X.R * axis2))};
  }
  void complement_rate(const Pose<double>& X, const Spatial6& V, Spatial6* Ddot) const {
    std::fill_n(Ddot, 3, Spatial6{});
    const Vec3 turned = X.R * axis2, across = cross(axis, turned), n = normalized(across);
    const Vec3 across_rate = cross(axis, cross(V.angular, turned));
    Ddot[3] = {{}, (1 / norm(across)) * (across_rate - dot(n, across_rate) * n)};
  }
  [[nodiscard]] Spatial6 gap(const Pose<double>& X) const {
    const Vec3 turned = X.R * axis2, across = cross(axis, turned);
    const auto angle = [&](const Vec3& other) { return std::atan2(norm(cross(axis, other)), dot(axis, other)); };
    return {X.p, (angle(turned) - angle(axis2)) * normalized(across)};
  }
  friend bool operator==(const UniversalJoint&, const UniversalJoint&) = default;
};

}  // namespace arthron
