#pragma once
#include <array>

#include "arthron/spatial/pose.hpp"

/// Rotation vectors (axis times angle) as user coordinates of ball joints, free joints and moving grounds; unit quaternions as states.
namespace arthron {

/// Unit quaternion (w, x, y, z) of the rotation vector theta.
inline std::array<double, 4> quaternion_of(const Vec3& theta) {
  const double angle = norm(theta);
  const double k = angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5;
  return {std::cos(angle / 2), k * theta.x, k * theta.y, k * theta.z};
}

/// Rotation vector, length at most pi, of the unit quaternion.
inline Vec3 rotation_vector_of(double w, double x, double y, double z) {
  const double s = std::sqrt(x * x + y * y + z * z);
  const double sign = w < 0 ? -1 : 1;
  const double k = s > 1e-12 ? 2 * std::atan2(s, std::abs(w)) / s : 2;
  return sign * k * Vec3{x, y, z};
}

struct AngularMotion {
  Vec3 velocity, acceleration;
};

/// Angular velocity and acceleration (reference axes) of exp(theta~) when theta moves with the given rates:
///   w = theta' + a theta x theta' + b theta x (theta x theta'),  a = (1 - cos s)/s^2,  b = (s - sin s)/s^3,  s = |theta|
inline AngularMotion angular_motion(const Vec3& theta, const Vec3& rate, const Vec3& acceleration) {
  const double s2 = dot(theta, theta), s = std::sqrt(s2);
  double a = 0, b = 0, da = 0, db = 0;  // da, db: derivatives by s^2
  if (s2 < 1) {
    // Power series in s^2: a = sum (-s2)^k/(2k+2)!, b = sum (-s2)^k/(2k+3)!; the tenth term is below rounding.
    double power = 1, slope = 0, factorial = 2;
    for (int k = 0; k < 10; ++k) {
      a += power / factorial, da += slope / factorial;
      factorial *= 2 * k + 3;
      b += power / factorial, db += slope / factorial;
      factorial *= 2 * k + 4;
      slope = -(slope * s2 + power), power *= -s2;
    }
  } else {
    a = (1 - std::cos(s)) / s2, b = (s - std::sin(s)) / (s2 * s);
    da = (std::sin(s) / s2 - 2 * a / s) / (2 * s), db = (a / s - 3 * b / s) / (2 * s);
  }
  const double s2_rate = 2 * dot(theta, rate);
  const Vec3 c = cross(theta, rate), cc = cross(theta, c);
  const Vec3 c_rate = cross(theta, acceleration), cc_rate = cross(rate, c) + cross(theta, c_rate);
  return {rate + a * c + b * cc, acceleration + a * c_rate + b * cc_rate + (da * s2_rate) * c + (db * s2_rate) * cc};
}

}  // namespace arthron
