#pragma once
#include "arthron/spatial/spatial.hpp"

/// Symmetric 6 x 6 inertias on plain structs of scalars.
namespace arthron {

/// Inertia of a body or compound at one point, P = [A B; B^T C] V.
template <class T>
struct Inertia {
  Symmetric3<T> A;
  Matrix3<T> B;
  Symmetric3<T> C;

  Inertia& operator+=(const Inertia& b) {
    A += b.A, B += b.B, C += b.C;
    return *this;
  }
  /// Adds a rigid body of mass m, first moment mc and second moment I about the same point.
  void add_rigid(const T& m, const Vector3<T>& mc, const Symmetric3<T>& I) {
    A.xx += m, A.yy += m, A.zz += m;
    B.c0.y -= mc.z, B.c0.z += mc.y, B.c1.x += mc.z, B.c1.z -= mc.x, B.c2.x -= mc.y, B.c2.y += mc.x;
    C += I;
  }
};

/// Inertia of a rigid body.
template <class T>
Inertia<T> rigid_inertia(const T& m, const Vector3<T>& mc, const Symmetric3<T>& I) {
  const T o(0);
  return {{m, m, m, o, o, o}, {{o, -mc.z, mc.y}, {mc.z, o, -mc.x}, {-mc.y, mc.x, o}}, I};
}

template <class T>
Spatial<T> operator*(const Inertia<T>& M, const Spatial<T>& V) {
  return {M.A * V.linear + M.B * V.angular, transposed_times(M.B, V.linear) + M.C * V.angular};
}

/// M - U U^T / d: the inertia left when a column h with U = M h, d = h.U gives way.
template <class T>
void release_column(Inertia<T>& M, const Spatial<T>& U, const T& d_inverse) {
  const auto take_dyad = [](Symmetric3<T>& S, const Vector3<T>& k, const Vector3<T>& a) {
    S.xx -= k.x * a.x, S.yy -= k.y * a.y, S.zz -= k.z * a.z, S.xy -= k.x * a.y, S.xz -= k.x * a.z, S.yz -= k.y * a.z;
  };
  const Spatial<T> k = d_inverse * U;
  take_dyad(M.A, k.linear, U.linear);
  M.B.c0 -= k.angular.x * U.linear, M.B.c1 -= k.angular.y * U.linear, M.B.c2 -= k.angular.z * U.linear;
  take_dyad(M.C, k.angular, U.angular);
}

/// S(l) M S(l)^T: the inertia felt at the point from which l leads to M's point.
///   B' = B - A l~,   C' = C + l~ B' + (l~ B)^T
template <class T>
Inertia<T> inertia_from(const Inertia<T>& M, const Vector3<T>& l) {
  const Vector3<T> a0{M.A.xx, M.A.xy, M.A.xz}, a1{M.A.xy, M.A.yy, M.A.yz}, a2{M.A.xz, M.A.yz, M.A.zz};
  const Matrix3<T>& B = M.B;
  const Matrix3<T> N{B.c0 - (l.z * a1 - l.y * a2), B.c1 - (l.x * a2 - l.z * a0), B.c2 - (l.y * a0 - l.x * a1)};
  Symmetric3<T> C = M.C;
  C.xx += l.y * (N.c0.z + B.c0.z) - l.z * (N.c0.y + B.c0.y);
  C.yy += l.z * (N.c1.x + B.c1.x) - l.x * (N.c1.z + B.c1.z);
  C.zz += l.x * (N.c2.y + B.c2.y) - l.y * (N.c2.x + B.c2.x);
  C.xy += (l.y * N.c1.z - l.z * N.c1.y) + (l.z * B.c0.x - l.x * B.c0.z);
  C.xz += (l.y * N.c2.z - l.z * N.c2.y) + (l.x * B.c0.y - l.y * B.c0.x);
  C.yz += (l.z * N.c2.x - l.x * N.c2.z) + (l.x * B.c1.y - l.y * B.c1.x);
  return {M.A, N, C};
}

/// Momentum of a rigid body from its velocity at the same point.
template <class T>
Spatial<T> rigid_momentum(const T& m, const Vector3<T>& mc, const Symmetric3<T>& I, const Spatial<T>& V) {
  return {m * V.linear + cross(V.angular, mc), cross(mc, V.linear) + I * V.angular};
}

}  // namespace arthron
