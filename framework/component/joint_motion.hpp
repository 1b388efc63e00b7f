#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

#include "arthron/component/joint.hpp"
#include "arthron/spatial/dual.hpp"

/// Pose, columns and their rates of a joint type J: the author's closed forms where there are some, else derivatives of the pose by
/// automatic differentiation.
///   H_j = (dp, vee(dR R^T)) along dq = N(q) e_j,      Hdot = dH along dq = N(q) u,      qdot = N(q) u; N = 1 unless the author says other
namespace arthron {

template <class J>
constexpr bool constant_subspace_of() {
  if constexpr (requires { J::constant_subspace; }) return J::constant_subspace;
  return J::nu == 0;
}

template <class J>
constexpr bool gives_subspace_of() {
  return requires(const J& joint, const double* q, Spatial6* H) { joint.subspace(q, H); };
}

template <class J>
constexpr bool gives_subspace_rate_of() {
  return requires(const J& joint, const double* q, const double* u, Spatial6* Hdot) { joint.subspace_rate(q, u, Hdot); };
}

template <class J>
struct JointMotion {
  static constexpr std::size_t nq = std::max(J::nq, 1), nu = std::max(J::nu, 1);
  static constexpr bool plain_coordinates = !requires(const J& joint, const double* q, double* qdot) { joint.coordinate_rate(q, q, qdot); };
  static_assert(J::nu >= 0 && J::nu <= 6, "a joint has 0 to 6 freedoms");
  static_assert(!plain_coordinates || J::nq == J::nu, "a joint with nq != nu gives coordinate_rate(q, u, qdot)");

  template <class T>
  static void coordinate_rate(const J& joint, const T* q, const T* u, T* qdot) {
    if constexpr (plain_coordinates)
      std::copy_n(u, J::nu, qdot);
    else
      joint.coordinate_rate(q, u, qdot);
  }

  /// The coordinates as they change in time while the freedoms move with u.
  template <class T>
  static std::array<Dual<T, 1>, nq> in_motion(const J& joint, const T* q, const T* u) {
    std::array<T, nq> qdot;
    coordinate_rate(joint, q, u, qdot.data());
    std::array<Dual<T, 1>, nq> moving;
    for (std::size_t i = 0; i < static_cast<std::size_t>(J::nq); ++i) moving[i].value = q[i], moving[i].d[0] = qdot[i];
    return moving;
  }

  template <class T>
  static void subspace(const J& joint, const T* q, Spatial<T>* H) {
    if constexpr (gives_subspace_of<J>())
      joint.subspace(q, H);
    else
      columns_of(pose_along_freedoms(joint, q), H);
  }

  /// The columns of a type whose columns are constant.
  static void constant_subspace(const J& joint, Spatial6* H) {
    std::array<double, nq> q{};
    if constexpr (requires { joint.from_chart(q.data(), q.data()); }) joint.from_chart(std::array<double, nu>{}.data(), q.data());
    subspace(joint, q.data(), H);
  }

  /// Pose and columns, which share their work where both come from the pose.
  template <class T>
  static void position(const J& joint, const T* q, Pose<T>& X, Spatial<T>* H) {
    if constexpr (gives_subspace_of<J>()) {
      X = joint.pose(q);
      joint.subspace(q, H);
    } else {
      const auto moving = pose_along_freedoms(joint, q);
      X = value_of(moving);
      columns_of(moving, H);
    }
  }

  template <class T>
  static void subspace_rate(const J& joint, const T* q, const T* u, Spatial<T>* Hdot) {
    if constexpr (constant_subspace_of<J>()) {
      std::fill_n(Hdot, J::nu, Spatial<T>{});
    } else if constexpr (gives_subspace_rate_of<J>()) {
      joint.subspace_rate(q, u, Hdot);
    } else {
      const auto moving = in_motion(joint, q, u);
      std::array<Spatial<Dual<T, 1>>, nu> H;
      subspace(joint, moving.data(), H.data());
      for (std::size_t i = 0; i < static_cast<std::size_t>(J::nu); ++i) Hdot[i] = {derivative(H[i].linear, 0), derivative(H[i].angular, 0)};
    }
  }

 private:
  template <class T, int N>
  static Vector3<T> derivative(const Vector3<Dual<T, N>>& a, std::size_t i) {
    return {a.x.d[i], a.y.d[i], a.z.d[i]};
  }
  template <class T, int N>
  static Vector3<T> value_of(const Vector3<Dual<T, N>>& a) {
    return {a.x.value, a.y.value, a.z.value};
  }
  template <class T, int N>
  static Pose<T> value_of(const Pose<Dual<T, N>>& X) {
    return {{value_of(X.R.c0), value_of(X.R.c1), value_of(X.R.c2)}, value_of(X.p)};
  }

  /// The pose with its derivatives along the freedoms.
  template <class T>
  static Pose<Dual<T, J::nu>> pose_along_freedoms(const J& joint, const T* q) {
    std::array<Dual<T, J::nu>, nq> moving;
    for (std::size_t i = 0; i < static_cast<std::size_t>(J::nq); ++i) moving[i].value = q[i];
    for (std::size_t j = 0; j < static_cast<std::size_t>(J::nu); ++j) {
      std::array<T, nu> unit;
      for (std::size_t k = 0; k < nu; ++k) unit[k] = T(k == j ? 1.0 : 0.0);
      std::array<T, nq> qdot;
      coordinate_rate(joint, q, unit.data(), qdot.data());
      for (std::size_t i = 0; i < static_cast<std::size_t>(J::nq); ++i) moving[i].d[j] = qdot[i];
    }
    return joint.pose(static_cast<const Dual<T, J::nu>*>(moving.data()));
  }

  /// Of w~ = dR R^T the entries below, by rows of R.
  template <class T, int N>
  static void columns_of(const Pose<Dual<T, N>>& X, Spatial<T>* H) {
    const auto &a = X.R.c0, &b = X.R.c1, &c = X.R.c2;
    for (std::size_t i = 0; i < N; ++i) {
      H[i].linear = derivative(X.p, i);
      H[i].angular = {a.z.d[i] * a.y.value + b.z.d[i] * b.y.value + c.z.d[i] * c.y.value,
                      a.x.d[i] * a.z.value + b.x.d[i] * b.z.value + c.x.d[i] * c.z.value,
                      a.y.d[i] * a.x.value + b.y.d[i] * b.x.value + c.y.d[i] * c.x.value};
    }
  }
};

}  // namespace arthron
