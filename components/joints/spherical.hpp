#pragma once
#include "arthron/component/joint.hpp"
#include "arthron/spatial/rotation_vector.hpp"

namespace arthron {

/// Ball joint. q is a unit quaternion (w, x, y, z), u the relative angular velocity in the parent's axes; users meet rotation vectors.
///   X(q) = { R(q), 0 },   qdot = (0, u) q / 2
struct SphericalJoint {
  static constexpr std::string_view type = "spherical";
  static constexpr int nq = 4, nu = 3;
  static constexpr std::array shapes{ColumnShape::rotation, ColumnShape::rotation, ColumnShape::rotation};
  static constexpr bool constant_subspace = true;
  static constexpr bool branchless = true;

  static SphericalJoint parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return {quaternion_rotation(q[0], q[1], q[2], q[3]), {}};
  }
  template <class T>
  void subspace(const T*, Spatial<T>* H) const {
    H[0] = {{}, {T(1), T(0), T(0)}};
    H[1] = {{}, {T(0), T(1), T(0)}};
    H[2] = {{}, {T(0), T(0), T(1)}};
  }
  template <class T>
  void coordinate_rate(const T* q, const T* u, T* qdot) const {
    const T half(0.5);
    qdot[0] = half * (-u[0] * q[1] - u[1] * q[2] - u[2] * q[3]);
    qdot[1] = half * (u[0] * q[0] + u[1] * q[3] - u[2] * q[2]);
    qdot[2] = half * (u[1] * q[0] + u[2] * q[1] - u[0] * q[3]);
    qdot[3] = half * (u[2] * q[0] + u[0] * q[2] - u[1] * q[1]);
  }
  void normalise(double* q) const {
    const double scale = 1 / std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i) q[i] *= scale;
  }
  void from_chart(const double* chart, double* q) const {
    const auto quaternion = quaternion_of({chart[0], chart[1], chart[2]});
    std::copy(quaternion.begin(), quaternion.end(), q);
  }
  void to_chart(const double* q, double* chart) const {
    const Vec3 theta = rotation_vector_of(q[0], q[1], q[2], q[3]);
    chart[0] = theta.x, chart[1] = theta.y, chart[2] = theta.z;
  }
  void chart_motion(const TimeFunction::Sample* chart, double* u, double* udot) const {
    const auto [w, alpha] = angular_motion({chart[0].value, chart[1].value, chart[2].value}, {chart[0].rate, chart[1].rate, chart[2].rate},
                                           {chart[0].acceleration, chart[1].acceleration, chart[2].acceleration});
    u[0] = w.x, u[1] = w.y, u[2] = w.z;
    udot[0] = alpha.x, udot[1] = alpha.y, udot[2] = alpha.z;
  }
  void chart_rate(const double* q, const double* u, double* rate) const {
    const Vec3 theta_rate = rotation_vector_rate(rotation_vector_of(q[0], q[1], q[2], q[3]), {u[0], u[1], u[2]});
    rate[0] = theta_rate.x, rate[1] = theta_rate.y, rate[2] = theta_rate.z;
  }
  void complement(const Pose<double>&, Spatial6* D) const { hold_point(D); }
  void complement_rate(const Pose<double>&, const Spatial6&, Spatial6* Ddot) const { std::fill_n(Ddot, 3, Spatial6{}); }
  [[nodiscard]] Spatial6 gap(const Pose<double>& X) const { return {X.p, {}}; }
  friend bool operator==(const SphericalJoint&, const SphericalJoint&) = default;
};

}  // namespace arthron
