#pragma once
#include "arthron/components/joints/plane_axes.hpp"

namespace arthron {

/// Motion in a plane: slides x, y along two directions of the plane and rotation theta about its normal.
///   X(x, y, theta) = { Rot(normal, theta), x ex + y ey },  ex, ey, normal right-handed, fixed in the parent
struct PlanarJoint {
  static constexpr std::string_view type = "planar";
  static constexpr int nq = 3, nu = 3;
  static constexpr std::array shapes{ColumnShape::translation, ColumnShape::translation, ColumnShape::rotation};
  static constexpr bool constant_subspace = true;
  static constexpr bool branchless = true;
  PlaneAxes plane;

  static PlanarJoint parse(const JsonReader& in) { return {PlaneAxes::parse(in)}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return {axis_rotation(plane.normal, q[2]), q[0] * cast<T>(plane.ex) + q[1] * cast<T>(plane.ey)};
  }
  template <class T>
  void subspace(const T*, Spatial<T>* H) const {
    H[0] = {cast<T>(plane.ex), {}};
    H[1] = {cast<T>(plane.ey), {}};
    H[2] = {{}, cast<T>(plane.normal)};
  }
  friend bool operator==(const PlanarJoint&, const PlanarJoint&) = default;
};

}  // namespace arthron
