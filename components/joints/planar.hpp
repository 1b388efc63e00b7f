#pragma once
#include "arthron/component/joint.hpp"

namespace arthron {

/// Motion in a plane: slides x, y along two directions of the plane and rotation theta about its normal.
///   X(x, y, theta) = { Rot(normal, theta), x ex + y ey },  ex, ey, normal right-handed, fixed in the parent
struct PlanarJoint {
  static constexpr std::string_view type = "planar";
  static constexpr int nq = 3, nu = 3;
  static constexpr std::array shapes{ColumnShape::translation, ColumnShape::translation, ColumnShape::rotation};
  static constexpr bool constant_subspace = true;
  Vec3 ex, ey, normal;

  static PlanarJoint parse(const JsonReader& in) {
    const Vec3 normal = in.unit_vector({"normal", "", "normal of the plane"});
    // Without a wish for the first direction: the file's x axis, or its y axis where x is nearly along the normal, laid into the plane.
    const Vec3 wish =
        in.unit_vector_or({"x_axis", "", "first direction, laid into the plane"}, std::abs(normal.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
    const Vec3 in_plane = wish - dot(wish, normal) * normal;
    if (norm(in_plane) < 1e-3) in.complain("x_axis", "a direction along the normal", "a direction in the plane");
    const Vec3 ex = (1 / std::max(norm(in_plane), 1e-3)) * in_plane;
    return {ex, cross(normal, ex), normal};
  }
  template <class T>
  Pose<T> pose(const T* q) const {
    return {axis_rotation(normal, q[2]), q[0] * cast<T>(ex) + q[1] * cast<T>(ey)};
  }
  template <class T>
  void subspace(const T*, Spatial<T>* H) const {
    H[0] = {cast<T>(ex), {}};
    H[1] = {cast<T>(ey), {}};
    H[2] = {{}, cast<T>(normal)};
  }
};

}  // namespace arthron
