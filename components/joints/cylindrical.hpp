#pragma once
#include "arthron/component/joint.hpp"

namespace arthron {

/// Slide along and rotation about one axis.   X(s, theta) = { Rot(axis, theta), s axis }
struct CylindricalJoint {
  static constexpr std::string_view type = "cylindrical";
  static constexpr int nq = 2, nu = 2;
  static constexpr std::array shapes{ColumnShape::translation, ColumnShape::rotation};
  static constexpr bool constant_subspace = true;
  static constexpr bool branchless = true;
  Vec3 axis;

  static CylindricalJoint parse(const JsonReader& in) { return {in.unit_vector({"axis", "", "axis of sliding and rotation"})}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return screw_pose(axis, q[1], q[0]);
  }
  template <class T>
  void subspace(const T*, Spatial<T>* H) const {
    const Vector3<T> a = cast<T>(axis);
    H[0] = {a, {}};
    H[1] = {{}, a};
  }
  friend bool operator==(const CylindricalJoint&, const CylindricalJoint&) = default;
};

}  // namespace arthron
