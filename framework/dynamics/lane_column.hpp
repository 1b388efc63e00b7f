#pragma once
#include "arthron/component/joint.hpp"
#include "arthron/spatial/inertia.hpp"

/// Operations of one velocity column h on plain structs that touch only the half its shape leaves non-zero.
namespace arthron {

/// U = M h.
template <class T>
Spatial<T> inertia_times(const Inertia<T>& M, const Spatial<T>& h, ColumnShape shape) {
  switch (shape) {
    case ColumnShape::rotation: return {M.B * h.angular, M.C * h.angular};
    case ColumnShape::translation: return {M.A * h.linear, transposed_times(M.B, h.linear)};
    default: return M * h;
  }
}

/// h . P.
template <class T>
T column_dot(const Spatial<T>& h, const Spatial<T>& P, ColumnShape shape) {
  switch (shape) {
    case ColumnShape::rotation: return dot(h.angular, P.angular);
    case ColumnShape::translation: return dot(h.linear, P.linear);
    default: return dot(h, P);
  }
}

/// Inertia along h below which it is the rounding of what M has in other directions.
template <class T>
T lost_inertia(const Inertia<T>& M, const Spatial<T>& h) {
  constexpr double rounding = 1e-14;
  return rounding * ((M.A.xx + M.A.yy + M.A.zz) * dot(h.linear, h.linear) + (M.C.xx + M.C.yy + M.C.zz) * dot(h.angular, h.angular));
}

/// V + u h.
template <class T>
void add_column(Spatial<T>& V, const T& u, const Spatial<T>& h, ColumnShape shape) {
  if (shape != ColumnShape::rotation) V.linear += u * h.linear;
  if (shape != ColumnShape::translation) V.angular += u * h.angular;
}

}  // namespace arthron
