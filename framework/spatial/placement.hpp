#pragma once
#include "arthron/spatial/spatial.hpp"

namespace arthron {

/// How a drawing is laid into space, perhaps as its mirror image: a point p of the drawing goes to X.p + sign X.R p.
/// A mirror image is the half turn about the normal of the mirror, followed by the inversion p -> -p. Inversion turns polar vectors
/// (displacements, forces) round and leaves axial ones (rotations, torques) alone, so that one rotation and one sign say it all.
struct Placement {
  Pose<double> X;
  double sign = 1;         // -1: a mirror image
  Vec3 mirrored{1, 1, 1};  // per axis of the drawing, -1 where frames drawn in it are mirrored

  [[nodiscard]] bool is_mirror_image() const { return sign < 0; }
  /// Neither turned nor mirrored.
  [[nodiscard]] bool is_shift() const { return sign > 0 && X.R == Mat3::identity(); }
  [[nodiscard]] bool is_identity() const { return sign > 0 && X.R == Mat3::identity() && X.p == Vec3{}; }

  [[nodiscard]] Vec3 point(const Vec3& p) const { return X.p + sign * (X.R * p); }
  [[nodiscard]] Vec3 polar(const Vec3& v) const { return sign * (X.R * v); }
  [[nodiscard]] Vec3 axial(const Vec3& v) const { return X.R * v; }
  [[nodiscard]] Vec3 point_back(const Vec3& p) const { return polar_back(p - X.p); }
  [[nodiscard]] Vec3 polar_back(const Vec3& v) const { return sign * transposed_times(X.R, v); }
  [[nodiscard]] Vec3 axial_back(const Vec3& v) const { return transposed_times(X.R, v); }
  /// Frame whose axes mirrored axial vectors have the components of the original, and polar ones the opposite.
  [[nodiscard]] Pose<double> axial_frame(const Pose<double>& F) const { return {X.R * F.R, point(F.p)}; }
  /// Frame that the image of F shows: the axes of the drawing stay axes of the drawing, rotations turn the mirrored way.
  [[nodiscard]] Pose<double> frame(const Pose<double>& F) const {
    const Mat3 R = X.R * F.R;
    return {{(sign * mirrored.x) * R.c0, (sign * mirrored.y) * R.c1, (sign * mirrored.z) * R.c2}, point(F.p)};
  }
  /// A wrench of the drawing in space, at the same point.
  [[nodiscard]] Spatial6 wrench(const Spatial6& F) const { return {polar(F.linear), axial(F.angular)}; }

  /// Mirror in the plane through the origin across axis 0, 1 or 2.
  [[nodiscard]] static Placement mirror(int axis) {
    const Vec3 m{axis == 0 ? -1.0 : 1.0, axis == 1 ? -1.0 : 1.0, axis == 2 ? -1.0 : 1.0};
    return {{{{-m.x, 0, 0}, {0, -m.y, 0}, {0, 0, -m.z}}, {}}, -1, m};
  }
};

/// First `inner`, then `outer`.
inline Placement operator*(const Placement& outer, const Placement& inner) {
  return {{outer.X.R * inner.X.R, outer.point(inner.X.p)},
          outer.sign * inner.sign,
          {outer.mirrored.x * inner.mirrored.x, outer.mirrored.y * inner.mirrored.y, outer.mirrored.z * inner.mirrored.z}};
}

/// What undoes a placement: p goes back to sign X.R^T (p - X.p).
inline Placement inverse(const Placement& placement) {
  const Mat3 R = transpose(placement.X.R);
  return {{R, -placement.sign * (R * placement.X.p)}, placement.sign, placement.mirrored};
}

}  // namespace arthron
