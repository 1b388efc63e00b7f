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

/// The rotation exp(theta~), on any scalar; exact derivatives at theta = 0 too.
///   R = 1 + a theta~ + b theta~^2,  a = sin(s)/s,  b = (1 - cos s)/s^2,  s = |theta|
template <class T>
Matrix3<T> rotation_of(const Vector3<T>& theta) {
  using std::cos, std::sin, std::sqrt;
  const T s2 = dot(theta, theta);
  T a(1.0), b(0.5);
  if (s2 < T(1.0)) {
    // Power series in s^2; the tenth term is below rounding.
    T term(1.0);
    a = T(0.0), b = T(0.0);
    for (int k = 0; k < 10; ++k) {
      a = a + term, b = b + term / (2.0 * k + 2.0);
      term = -term * s2 / ((2.0 * k + 2.0) * (2.0 * k + 3.0));
    }
  } else {
    const T s = sqrt(s2);
    a = sin(s) / s, b = (T(1.0) - cos(s)) / s2;
  }
  const auto column = [&](const Vector3<T>& e) { return e + a * cross(theta, e) + b * cross(theta, cross(theta, e)); };
  return {column({T(1.0), T(0.0), T(0.0)}), column({T(0.0), T(1.0), T(0.0)}), column({T(0.0), T(0.0), T(1.0)})};
}

/// Rotation vector, length at most pi, of the unit quaternion.
inline Vec3 rotation_vector_of(double w, double x, double y, double z) {
  const double s = std::sqrt(x * x + y * y + z * z);
  const double sign = w < 0 ? -1 : 1;
  const double k = s > 1e-12 ? 2 * std::atan2(s, std::abs(w)) / s : 2;
  return sign * k * Vec3{x, y, z};
}

/// Rotation vector, length at most pi, of a rotation matrix.
inline Vec3 rotation_vector_of(const Mat3& R) {
  const Vec3 s{R.c1.z - R.c2.y, R.c2.x - R.c0.z, R.c0.y - R.c1.x};  // 2 sin(angle) axis
  const double sine = norm(s) / 2, cosine = (R.c0.x + R.c1.y + R.c2.z - 1) / 2;
  if (cosine > 0) return ((sine > 1e-8 ? std::atan2(sine, cosine) / sine : 1.0) / 2) * s;
  // The axis from the symmetric part, (R + R^T)/2 - cosine = (1 - cosine) axis axis^T: the column of the largest diagonal entry.
  const double x = R.c0.x - cosine, y = R.c1.y - cosine, z = R.c2.z - cosine;
  Vec3 axis = x >= y && x >= z ? Vec3{x, (R.c0.y + R.c1.x) / 2, (R.c0.z + R.c2.x) / 2}
              : y >= z         ? Vec3{(R.c0.y + R.c1.x) / 2, y, (R.c1.z + R.c2.y) / 2}
                               : Vec3{(R.c0.z + R.c2.x) / 2, (R.c1.z + R.c2.y) / 2, z};
  if (dot(axis, s) < 0) axis = -axis;
  return (std::atan2(sine, cosine) / norm(axis)) * axis;
}

/// Coefficients of the angular velocity of exp(theta~), and their derivatives by s^2 = |theta|^2:
///   w = theta' + a theta x theta' + b theta x (theta x theta'),  a = (1 - cos s)/s^2,  b = (s - sin s)/s^3
template <class T>
struct RotationRateCoefficients {
  T a{}, b{}, da{}, db{};

  explicit RotationRateCoefficients(const T& s2) {
    using std::cos, std::sin, std::sqrt;
    if (s2 < T(1)) {
      // Power series in s^2: a = sum (-s2)^k/(2k+2)!, b = sum (-s2)^k/(2k+3)!; the tenth term is below rounding.
      T power(1), slope(0);
      double factorial = 2;
      for (int k = 0; k < 10; ++k) {
        a += power / T(factorial), da += slope / T(factorial);
        factorial *= 2 * k + 3;
        b += power / T(factorial), db += slope / T(factorial);
        factorial *= 2 * k + 4;
        slope = -(slope * s2 + power), power = -(power * s2);
      }
    } else {
      const T s = sqrt(s2), two_s = s + s;
      a = (T(1) - cos(s)) / s2, b = (s - sin(s)) / (s2 * s);
      da = (sin(s) / s2 - T(2) * a / s) / two_s, db = (a / s - T(3) * b / s) / two_s;
    }
  }
};

struct AngularMotion {
  Vec3 velocity, acceleration;
};

/// Angular velocity and acceleration (reference axes) of exp(theta~) when theta moves with the given rates.
inline AngularMotion angular_motion(const Vec3& theta, const Vec3& rate, const Vec3& acceleration) {
  const RotationRateCoefficients<double> k(dot(theta, theta));
  const double s2_rate = 2 * dot(theta, rate);
  const Vec3 c = cross(theta, rate), cc = cross(theta, c);
  const Vec3 c_rate = cross(theta, acceleration), cc_rate = cross(rate, c) + cross(theta, c_rate);
  return {rate + k.a * c + k.b * cc, acceleration + k.a * c_rate + k.b * cc_rate + (k.da * s2_rate) * c + (k.db * s2_rate) * cc};
}

/// Rate of the rotation vector theta while exp(theta~) turns with angular velocity w (reference axes): the inverse of angular_motion.
///   theta' = w - theta x w / 2 + (1 - (s/2) cot(s/2))/s^2 theta x (theta x w);  singular at full turns, |theta| = 2 pi
inline Vec3 rotation_vector_rate(const Vec3& theta, const Vec3& w) {
  const double half = norm(theta) / 2;
  const double k = half > 1e-4 ? (1 - half / std::tan(half)) / (4 * half * half) : 1.0 / 12;
  const Vec3 c = cross(theta, w);
  return w - 0.5 * c + k * cross(theta, c);
}

/// Transpose of the map of rotation_vector_rate: the torque (reference axes) that does on w the work of f on the rate of theta.
inline Vec3 rotation_vector_torque(const Vec3& theta, const Vec3& f) { return rotation_vector_rate(-theta, f); }

}  // namespace arthron
