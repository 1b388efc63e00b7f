#pragma once
#include "arthron/components/joints/spherical.hpp"

namespace arthron {

/// Six freedoms: displacement and rotation. q = (x, y, z, quaternion), u = (velocity, angular velocity), both in the parent's axes.
///   X(q) = { R(quaternion), (x, y, z) }
struct FreeJoint {
  static constexpr std::string_view type = "free";
  static constexpr int nq = 7, nu = 6;
  static constexpr std::array shapes{ColumnShape::translation, ColumnShape::translation, ColumnShape::translation,
                                     ColumnShape::rotation,    ColumnShape::rotation,    ColumnShape::rotation};
  static constexpr bool constant_subspace = true;

  static FreeJoint parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return {SphericalJoint{}.pose(q + 3).R, {q[0], q[1], q[2]}};
  }
  template <class T>
  void subspace(const T* q, Spatial<T>* H) const {
    H[0] = {{T(1), T(0), T(0)}, {}};
    H[1] = {{T(0), T(1), T(0)}, {}};
    H[2] = {{T(0), T(0), T(1)}, {}};
    SphericalJoint{}.subspace(q, H + 3);
  }
  template <class T>
  void coordinate_rate(const T* q, const T* u, T* qdot) const {
    std::copy_n(u, 3, qdot);
    SphericalJoint{}.coordinate_rate(q + 3, u + 3, qdot + 3);
  }
  void normalise(double* q) const { SphericalJoint{}.normalise(q + 3); }
  void from_chart(const double* chart, double* q) const {
    std::copy_n(chart, 3, q);
    SphericalJoint{}.from_chart(chart + 3, q + 3);
  }
  void to_chart(const double* q, double* chart) const {
    std::copy_n(q, 3, chart);
    SphericalJoint{}.to_chart(q + 3, chart + 3);
  }
  void chart_motion(const TimeFunction::Sample* chart, double* u, double* udot) const {
    for (int i = 0; i < 3; ++i) u[i] = chart[i].rate, udot[i] = chart[i].acceleration;
    SphericalJoint{}.chart_motion(chart + 3, u + 3, udot + 3);
  }
};

}  // namespace arthron
