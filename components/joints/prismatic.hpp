#pragma once
#include "arthron/component/joint.hpp"

namespace arthron {

/// Slide along a fixed axis.   X(s) = { 1, s axis }
struct PrismaticJoint {
  static constexpr std::string_view type = "prismatic";
  static constexpr int nq = 1, nu = 1;
  static constexpr std::array shapes{ColumnShape::translation};
  static constexpr bool constant_subspace = true;
  static constexpr bool branchless = true;
  Vec3 axis;

  static PrismaticJoint parse(const JsonReader& in) { return {in.unit_vector({"axis", "", "direction of sliding"})}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return {Matrix3<T>::identity(), q[0] * cast<T>(axis)};
  }
  template <class T>
  void subspace(const T*, Spatial<T>* H) const {
    H[0] = {cast<T>(axis), {}};
  }
  friend bool operator==(const PrismaticJoint&, const PrismaticJoint&) = default;
};

}  // namespace arthron
