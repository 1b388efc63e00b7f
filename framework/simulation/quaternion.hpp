#pragma once
#include <Eigen/Geometry>
#include <array>

#include "arthron/spatial/pose.hpp"

namespace arthron {

/// w, x, y, z with w >= 0.
inline std::array<double, 4> quaternion(const Mat3& R) {
  Eigen::Matrix3d columns;
  columns << R.c0.x, R.c1.x, R.c2.x, R.c0.y, R.c1.y, R.c2.y, R.c0.z, R.c1.z, R.c2.z;
  Eigen::Quaterniond q = Eigen::Quaterniond(columns).normalized();
  if (q.w() < 0) q.coeffs() *= -1;
  return {q.w(), q.x(), q.y(), q.z()};
}

}  // namespace arthron
