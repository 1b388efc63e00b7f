#pragma once
#include "arthron/components/joints/spherical.hpp"

namespace arthron {

/// A ball joint whose centre slides along `slides` fixed directions of the parent: the common part of point_on_line, point_in_plane and
/// free. q = (slides, quaternion), u = (slide rates, angular velocity in the parent's axes).
///   X(q) = { R(quaternion), sum q[i] direction[i] }
template <int slides>
struct SlidingBall {
  static constexpr int nq = slides + 4, nu = slides + 3;
  static constexpr auto shapes = [] {
    std::array<ColumnShape, static_cast<std::size_t>(nu)> shapes{};  // rotation
    for (std::size_t i = 0; i < slides; ++i) shapes[i] = ColumnShape::translation;
    return shapes;
  }();
  static constexpr bool constant_subspace = true;
  static constexpr bool branchless = true;
  std::array<Vec3, static_cast<std::size_t>(slides)> direction;  // unit vectors, orthogonal

  template <class T>
  Pose<T> pose(const T* q) const {
    Vector3<T> p;
    for (int i = 0; i < slides; ++i) p += q[i] * cast<T>(direction[i]);
    return {SphericalJoint{}.pose(q + slides).R, p};
  }
  template <class T>
  void subspace(const T* q, Spatial<T>* H) const {
    for (int i = 0; i < slides; ++i) H[i] = {cast<T>(direction[i]), {}};
    SphericalJoint{}.subspace(q, H + slides);
  }
  template <class T>
  void coordinate_rate(const T* q, const T* u, T* qdot) const {
    std::copy_n(u, slides, qdot);
    SphericalJoint{}.coordinate_rate(q + slides, u + slides, qdot + slides);
  }
  void normalise(double* q) const { SphericalJoint{}.normalise(q + slides); }
  void from_chart(const double* chart, double* q) const {
    std::copy_n(chart, slides, q);
    SphericalJoint{}.from_chart(chart + slides, q + slides);
  }
  void to_chart(const double* q, double* chart) const {
    std::copy_n(q, slides, chart);
    SphericalJoint{}.to_chart(q + slides, chart + slides);
  }
  void chart_motion(const TimeFunction::Sample* chart, double* u, double* udot) const {
    for (int i = 0; i < slides; ++i) u[i] = chart[i].rate, udot[i] = chart[i].acceleration;
    SphericalJoint{}.chart_motion(chart + slides, u + slides, udot + slides);
  }
  void chart_rate(const double* q, const double* u, double* rate) const {
    std::copy_n(u, slides, rate);
    SphericalJoint{}.chart_rate(q + slides, u + slides, rate + slides);
  }
  friend bool operator==(const SlidingBall&, const SlidingBall&) = default;
};

}  // namespace arthron
