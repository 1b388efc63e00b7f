#pragma once
#include "arthron/spatial/vector3.hpp"

namespace arthron {

/// Position and orientation of one frame in another: X_AB = {R_AB, p_AB}; a point b of frame B is X_AB * b in frame A.
template <class T>
struct Pose {
  Matrix3<T> R = Matrix3<T>::identity();
  Vector3<T> p;
};

template <class T>
Pose<T> operator*(const Pose<T>& X_AB, const Pose<T>& X_BC) {
  return {X_AB.R * X_BC.R, X_AB.p + X_AB.R * X_BC.p};
}
template <class T>
Vector3<T> operator*(const Pose<T>& X_AB, const Vector3<T>& p_B) {
  return X_AB.p + X_AB.R * p_B;
}
template <class T>
Pose<T> inverse(const Pose<T>& X_AB) {
  return {transpose(X_AB.R), -transposed_times(X_AB.R, X_AB.p)};
}

/// Orthonormal and right-handed, to 1e-9.
inline bool is_rotation(const Mat3& R) {
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  return near(dot(R.c0, R.c0), 1) && near(dot(R.c1, R.c1), 1) && near(dot(R.c0, R.c1), 0) && norm(cross(R.c0, R.c1) - R.c2) < 1e-9;
}

inline bool is_finite(const Pose<double>& X) {
  for (const Vec3& v : {X.R.c0, X.R.c1, X.R.c2, X.p})
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) return false;
  return true;
}

/// Rotation by `angle` about the unit vector `axis`, right-handed (Rodrigues).
template <class T>
Matrix3<T> axis_rotation(const Vec3& axis, const T& angle) {
  using std::cos;
  using std::sin;
  const T s = sin(angle), c = cos(angle), v = T(1) - c;
  const auto& [x, y, z] = axis;  // no T: the products with constants are shorter on numbers that carry derivatives
  const T vx = v * x, vy = v * y, vz = v * z, sx = s * x, sy = s * y, sz = s * z;
  return {{vx * x + c, vx * y + sz, vx * z - sy}, {vx * y - sz, vy * y + c, vy * z + sx}, {vx * z + sy, vy * z - sx, vz * z + c}};
}

/// Rotation `angle` about `axis` together with a slide along it.
template <class T>
Pose<T> screw_pose(const Vec3& axis, const T& angle, const T& slide) {
  return {axis_rotation(axis, angle), {slide * axis.x, slide * axis.y, slide * axis.z}};
}

/// Rotation matrix of the unit quaternion (w, x, y, z).
template <class T>
Matrix3<T> quaternion_rotation(const T& w, const T& x, const T& y, const T& z) {
  const T two(2), one(1);
  return {{one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)},
          {two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x)},
          {two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y)}};
}

}  // namespace arthron
