#pragma once
#include <Eigen/Core>

#include "arthron/spatial/wide.hpp"

/// Between the kernel's plain structs and Eigen.
namespace arthron {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
/// 6 x n with n <= 6, never on the heap.
using Columns6 = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;

inline Eigen::Vector3d dense(const Vec3& a) { return {a.x, a.y, a.z}; }
inline Vector6 dense(const Spatial6& a) {
  return (Vector6() << a.linear.x, a.linear.y, a.linear.z, a.angular.x, a.angular.y, a.angular.z).finished();
}
inline Spatial6 spatial(const Vector6& a) { return {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}}; }
inline Eigen::Matrix3d dense(const Mat3& m) { return (Eigen::Matrix3d() << dense(m.c0), dense(m.c1), dense(m.c2)).finished(); }
inline Eigen::Matrix3d dense(const Sym3& m) {
  return (Eigen::Matrix3d() << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz).finished();
}
inline Eigen::Matrix3d skew(const Vec3& a) { return (Eigen::Matrix3d() << 0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0).finished(); }

inline Vector6 dense(const Wide6& a) { return dense(static_cast<Spatial6>(a)); }
inline Eigen::Matrix3d dense(const WideMatrix3& m) { return dense(static_cast<Mat3>(m)); }
inline Eigen::Matrix3d dense(const WideDiagonals3& m) { return dense(static_cast<Mat3>(m)); }
inline Eigen::Matrix3d dense(const WideSymmetric3& m) { return dense(static_cast<Sym3>(m)); }

inline Matrix6 dense(const WideInertia& M) {
  Matrix6 m;
  m << dense(M.A), dense(M.B), dense(M.B).transpose(), dense(M.C);
  return m;
}

/// Of a symmetric matrix.
inline WideInertia wide(const Matrix6& m) {
  const auto vector = [&](int row, int column) { return Vec3{m(row, column), m(row + 1, column), m(row + 2, column)}; };
  const auto symmetric = [&](int at) {
    return Sym3{m(at, at), m(at + 1, at + 1), m(at + 2, at + 2), m(at, at + 1), m(at, at + 2), m(at + 1, at + 2)};
  };
  return {symmetric(0), Mat3{vector(0, 3), vector(0, 4), vector(0, 5)}, symmetric(3)};
}

/// S(l): moves a wrench back along l; its transpose moves a velocity forward.
inline Matrix6 shift(const Vec3& l) {
  Matrix6 s = Matrix6::Identity();
  s.bottomLeftCorner<3, 3>() = skew(l);
  return s;
}

}  // namespace arthron
