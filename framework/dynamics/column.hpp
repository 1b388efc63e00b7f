#pragma once
#include "arthron/component/joint.hpp"
#include "arthron/spatial/spatial.hpp"

/// Operations of one velocity column h that skip the half its shape leaves zero.
namespace arthron {

/// U = M h.
inline Spatial6 inertia_times(const ArticulatedInertia<double>& M, const Spatial6& h, ColumnShape shape) {
  switch (shape) {
    case ColumnShape::rotation: return {M.B * h.angular, M.C * h.angular};
    case ColumnShape::translation: return {M.A * h.linear, transposed_times(M.B, h.linear)};
    default: return M * h;
  }
}

/// h . P.
inline double column_dot(const Spatial6& h, const Spatial6& P, ColumnShape shape) {
  switch (shape) {
    case ColumnShape::rotation: return dot(h.angular, P.angular);
    case ColumnShape::translation: return dot(h.linear, P.linear);
    default: return dot(h, P);
  }
}

/// V + u h.
inline void add_column(Spatial6& V, double u, const Spatial6& h, ColumnShape shape) {
  if (shape != ColumnShape::rotation) V.linear += u * h.linear;
  if (shape != ColumnShape::translation) V.angular += u * h.angular;
}

/// M - U U^T / d: the inertia left when the column gives way.
inline void release_column(ArticulatedInertia<double>& M, const Spatial6& U, double d_inverse) {
  const Spatial6 k = d_inverse * U;
  const Vec3 &l = U.linear, &a = U.angular, &kl = k.linear, &ka = k.angular;
  M.A.xx -= kl.x * l.x, M.A.yy -= kl.y * l.y, M.A.zz -= kl.z * l.z;
  M.A.xy -= kl.x * l.y, M.A.xz -= kl.x * l.z, M.A.yz -= kl.y * l.z;
  M.B.c0 -= ka.x * l, M.B.c1 -= ka.y * l, M.B.c2 -= ka.z * l;
  M.C.xx -= ka.x * a.x, M.C.yy -= ka.y * a.y, M.C.zz -= ka.z * a.z;
  M.C.xy -= ka.x * a.y, M.C.xz -= ka.x * a.z, M.C.yz -= ka.y * a.z;
}

/// S(l) M S(l)^T: the inertia felt at the point from which l leads to M's point.
inline ArticulatedInertia<double> inertia_from(const ArticulatedInertia<double>& M, const Vec3& l) {
  const Sym3& A = M.A;
  const Mat3& B = M.B;
  const Vec3 a0{A.xx, A.xy, A.xz}, a1{A.xy, A.yy, A.yz}, a2{A.xz, A.yz, A.zz};
  // N = B - A l~, then C + l~ N + (l~ B)^T, of which only the upper half is formed.
  const Mat3 N{B.c0 + l.y * a2 - l.z * a1, B.c1 + l.z * a0 - l.x * a2, B.c2 + l.x * a1 - l.y * a0};
  const Sym3 C{M.C.xx + l.y * (N.c0.z + B.c0.z) - l.z * (N.c0.y + B.c0.y),
               M.C.yy + l.z * (N.c1.x + B.c1.x) - l.x * (N.c1.z + B.c1.z),
               M.C.zz + l.x * (N.c2.y + B.c2.y) - l.y * (N.c2.x + B.c2.x),
               M.C.xy + l.y * N.c1.z - l.z * N.c1.y + l.z * B.c0.x - l.x * B.c0.z,
               M.C.xz + l.y * N.c2.z - l.z * N.c2.y + l.x * B.c0.y - l.y * B.c0.x,
               M.C.yz + l.z * N.c2.x - l.x * N.c2.z + l.x * B.c1.y - l.y * B.c1.x};
  return {A, N, C};
}

/// Adds a rigid body's inertia at the same point: only the entries it has.
inline void add_rigid(ArticulatedInertia<double>& M, double mass, const Vec3& mc, const Sym3& second_moment) {
  M.A.xx += mass, M.A.yy += mass, M.A.zz += mass;
  M.B.c0.y -= mc.z, M.B.c0.z += mc.y, M.B.c1.x += mc.z, M.B.c1.z -= mc.x, M.B.c2.x -= mc.y, M.B.c2.y += mc.x;
  M.C += second_moment;
}

/// Momentum of a rigid body from its velocity at the same point.
inline Spatial6 rigid_momentum(double mass, const Vec3& mc, const Sym3& second_moment, const Spatial6& V) {
  return {mass * V.linear + cross(V.angular, mc), cross(mc, V.linear) + second_moment * V.angular};
}

}  // namespace arthron
