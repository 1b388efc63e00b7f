#pragma once
#include "arthron/component/joint.hpp"

namespace arthron {

/// Rotation about a fixed axis.   X(theta) = { Rot(axis, theta), 0 }
struct RevoluteJoint {
  static constexpr std::string_view type = "revolute";
  static constexpr int nq = 1, nu = 1;
  static constexpr std::array shapes{ColumnShape::rotation};
  static constexpr bool constant_subspace = true;
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
};

}  // namespace arthron
