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

/// Inertia along h below which it is the rounding of what M has in other directions.
inline double lost_inertia(const WideInertia& M, const Wide6& h) {
  constexpr double rounding = 1e-14;
  const auto trace = [](const WideSymmetric3& S) { return S.diagonal[0] + S.diagonal[1] + S.diagonal[2]; };
  return rounding * (trace(M.A) * dot(h.linear, h.linear) + trace(M.C) * dot(h.angular, h.angular));
}

/// V + u h.
inline void add_column(Wide6& V, double u, const Wide6& h, ColumnShape shape) {
  if (shape != ColumnShape::rotation) V.linear += u * h.linear;
  if (shape != ColumnShape::translation) V.angular += u * h.angular;
}

/// M - k U^T of parallel k and U. U is shifted, not k, which may wait for a division.
inline void take_dyad(WideInertia& M, const Wide6& k, const Wide6& U) {
  const Lanes4 next = shifted<1>(U.angular.v);
  M.A.diagonal -= k.linear.v * U.linear.v, M.A.above -= k.linear.v * shifted<1>(U.linear.v);
  M.B.d0 -= k.linear.v * U.angular.v, M.B.d1 -= k.linear.v * next, M.B.d2 -= k.linear.v * shifted<2>(U.angular.v);
  M.C.diagonal -= k.angular.v * U.angular.v, M.C.above -= k.angular.v * next;
}

/// M - U U^T / d: the inertia left when the column gives way.
inline void release_column(WideInertia& M, const Wide6& U, double d_inverse) { take_dyad(M, d_inverse * U, U); }

/// S(l) M S(l)^T: the inertia felt at the point from which l leads to M's point.
///   B' = B - A l~,   C' = C + l~ B' + (l~ B)^T,      by diagonals
inline WideInertia inertia_from(const WideInertia& M, Wide3 l) {
  const Lanes4 l0 = l.v, l1 = shifted<1>(l.v), l2 = shifted<2>(l.v);
  const Lanes4 below = shifted<2>(M.A.above);
  const WideDiagonals3 B{M.B.d0 - M.A.above * l2 + below * l1, M.B.d1 - below * l0 + M.A.diagonal * l2,
                         M.B.d2 - M.A.diagonal * l1 + M.A.above * l0};
  const Lanes4 diagonal = M.C.diagonal - l2 * shifted<1>(M.B.d2 + B.d2) + l1 * shifted<2>(M.B.d1 + B.d1);
  const Lanes4 above = M.C.above - l2 * (shifted<1>(B.d0) - M.B.d0) + l1 * shifted<2>(B.d2) - l0 * shifted<2>(M.B.d1);
  return {M.A, B, {diagonal, above}};
}

/// Momentum of a rigid body from its velocity at the same point.
inline Wide6 rigid_momentum(double mass, Wide3 mc, const WideSymmetric3& second_moment, const Wide6& V) {
  return {mass * V.linear + cross(V.angular, mc), cross(mc, V.linear) + second_moment * V.angular};
}

}  // namespace arthron
