#pragma once
#include <numbers>

#include "arthron/component/joint.hpp"

namespace arthron {

/// Rotation theta about `axis`, coupled to a slide along it.   X(theta) = { Rot(axis, theta), lead theta axis },  lead = pitch / (2 pi)
struct ScrewJoint {
  static constexpr std::string_view type = "screw";
  static constexpr int nq = 1, nu = 1;
  static constexpr std::array shapes{ColumnShape::general};
  static constexpr bool constant_subspace = true;
  static constexpr bool branchless = true;
  Vec3 axis;
  double lead;  // [m/rad]

  static ScrewJoint parse(const JsonReader& in) {
    return {in.unit_vector({"axis", "", "axis of rotation and advance"}),
            in.length({"pitch", "m", "advance per turn"}) / (2 * std::numbers::pi)};
  }
  template <class T>
  Pose<T> pose(const T* q) const {
    return screw_pose(axis, q[0], T(lead) * q[0]);
  }
  template <class T>
  void subspace(const T*, Spatial<T>* H) const {
    const Vector3<T> a = cast<T>(axis);
    H[0] = {T(lead) * a, a};
  }
  friend bool operator==(const ScrewJoint&, const ScrewJoint&) = default;
};

}  // namespace arthron
