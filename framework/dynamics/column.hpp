#pragma once
#include "arthron/component/joint.hpp"
#include "arthron/spatial/wide.hpp"

/// Operations of one velocity column h that skip the half its shape leaves zero.
namespace arthron {

/// U = M h.
inline Wide6 inertia_times(const WideInertia& M, const Wide6& h, ColumnShape shape) {
  switch (shape) {
    case ColumnShape::rotation: return {M.B * h.angular, M.C * h.angular};
    case ColumnShape::translation: return {M.A * h.linear, transposed_times(M.B, h.linear)};
    default: return M * h;
  }
}

/// h . P.
inline double column_dot(const Wide6& h, const Wide6& P, ColumnShape shape) {
  switch (shape) {
    case ColumnShape::rotation: return dot(h.angular, P.angular);
    case ColumnShape::translation: return dot(h.linear, P.linear);
    default: return dot(h, P);
  }
}

/// V + u h.
inline void add_column(Wide6& V, double u, const Wide6& h, ColumnShape shape) {
  if (shape != ColumnShape::rotation) V.linear += u * h.linear;
  if (shape != ColumnShape::translation) V.angular += u * h.angular;
}

/// M - U U^T / d: the inertia left when the column gives way.
inline void release_column(WideInertia& M, const Wide6& U, double d_inverse) {
  const Wide6 k = d_inverse * U;
  M.A.c0.v -= broadcast<0>(k.linear) * U.linear.v, M.A.c1.v -= broadcast<1>(k.linear) * U.linear.v,
      M.A.c2.v -= broadcast<2>(k.linear) * U.linear.v;
  const Lanes4 x = broadcast<0>(k.angular), y = broadcast<1>(k.angular), z = broadcast<2>(k.angular);
  M.B.c0.v -= x * U.linear.v, M.B.c1.v -= y * U.linear.v, M.B.c2.v -= z * U.linear.v;
  M.C.c0.v -= x * U.angular.v, M.C.c1.v -= y * U.angular.v, M.C.c2.v -= z * U.angular.v;
}

/// M + a b^T: half of a symmetric sum of dyads.
inline void add_dyad(WideInertia& M, const Wide6& a, const Wide6& b) {
  M.A.c0.v += a.linear.v * broadcast<0>(b.linear), M.A.c1.v += a.linear.v * broadcast<1>(b.linear),
      M.A.c2.v += a.linear.v * broadcast<2>(b.linear);
  const Lanes4 x = broadcast<0>(b.angular), y = broadcast<1>(b.angular), z = broadcast<2>(b.angular);
  M.B.c0.v += a.linear.v * x, M.B.c1.v += a.linear.v * y, M.B.c2.v += a.linear.v * z;
  M.C.c0.v += a.angular.v * x, M.C.c1.v += a.angular.v * y, M.C.c2.v += a.angular.v * z;
}

/// M l~ by columns.
inline WideMatrix3 times_skew(const WideMatrix3& M, Wide3 l) {
  const Lanes4 x = broadcast<0>(l), y = broadcast<1>(l), z = broadcast<2>(l);
  return {Wide3(z * M.c1.v - y * M.c2.v), Wide3(x * M.c2.v - z * M.c0.v), Wide3(y * M.c0.v - x * M.c1.v)};
}

/// S(l) M S(l)^T: the inertia felt at the point from which l leads to M's point.
///   B' = B - A l~,   C' = C + l~ B' + (l~ B)^T = C - (B'^T l~)^T - B^T l~
inline WideInertia inertia_from(const WideInertia& M, Wide3 l) {
  const WideMatrix3 Al = times_skew(M.A, l);
  const WideMatrix3 B{M.B.c0 - Al.c0, M.B.c1 - Al.c1, M.B.c2 - Al.c2};
  const WideMatrix3 Bl = times_skew(transpose(M.B), l);
  return {M.A, B, {M.C.c0 + cross(l, B.c0) - Bl.c0, M.C.c1 + cross(l, B.c1) - Bl.c1, M.C.c2 + cross(l, B.c2) - Bl.c2}};
}

/// Momentum of a rigid body from its velocity at the same point.
inline Wide6 rigid_momentum(double mass, Wide3 mc, const WideMatrix3& second_moment, const Wide6& V) {
  return {mass * V.linear + cross(V.angular, mc), cross(mc, V.linear) + second_moment * V.angular};
}

}  // namespace arthron
