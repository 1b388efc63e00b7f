#pragma once
#include "arthron/dynamics/group_pivots.hpp"
#include "arthron/dynamics/lane_column.hpp"

/// Rows of a SIMD group's closures at a node while its bodies fold and unfold; what single bodies have in closures.cpp.
namespace arthron::simd_group {

template <class Value>
ARTHRON_INLINE void put(bool first, const Value& value, Value& sum) {
  if (first)
    sum = value;
  else
    sum += value;
}

/// What is known of the complete rows: prescribed velocities, and of sides on grounds all.
template <class T>
[[gnu::noinline]] void know_velocities(const SimdGroup& group, const Rows<T>& here, const GroupNumbers<T>& own) {
  for (int r = 0; r < here.node.closing;) {
    const GroupCut& cut = group.cuts[here.node.cut_of_row[r]];
    const GroupCutWork<T>& work = own.cut[here.node.cut_of_row[r]];
    Spatial<T> V;
    if (own.prescribes) V += work.known;
    if (own.carriers_move && cut.holds != GroupCut::Holds::coupling) {
      if (cut.child_on < 0) V -= velocity_at(own.carrier[cut.child[0]].V, work.arm_child);
      if (cut.parent_on < 0) V += velocity_at(own.carrier[cut.parent[0]].V, work.arm_parent);
    }
    for (int k = 0; k < cut.rows; ++k, ++r) here.g[r] += dot(work.D[k], V);
  }
}

/// The body's own sides, and zeros where nothing was passed on to.
template <class T>
ARTHRON_INLINE void begin_rows(const SimdGroup& group, const Rows<T>& here, const GroupNumbers<T>& own) {
  for (const int place : here.node.apart) here.gamma[place] = T(0);
  for (const int row : here.node.blank) here.X[row] = {}, here.g[row] = T(0);
  for (const GroupNode::Side& side : here.node.sides) {
    const GroupCutWork<T>& cut = own.cut[side.cut];
    const int rows = group.cuts[side.cut].rows;
    if (group.cuts[side.cut].holds == GroupCut::Holds::point) {
      const Vector3<T>& arm = side.child ? cut.arm_child : cut.arm_parent;
      const T one(side.child ? -1.0 : 1.0), none(0.0);
      const Vector3<T> l = one * arm;
      Spatial<T>* const X = here.X + side.row;
      put(side.first, Spatial<T>{{one, none, none}, {none, l.z, -l.y}}, X[0]);
      put(side.first, Spatial<T>{{none, one, none}, {-l.z, none, l.x}}, X[1]);
      put(side.first, Spatial<T>{{none, none, one}, {l.y, -l.x, none}}, X[2]);
      if (side.first) here.g[side.row] = here.g[side.row + 1] = here.g[side.row + 2] = none;
      continue;
    }
    for (int r = 0; r < rows; ++r) {
      Spatial<T>& X = here.X[side.row + r];
      if (side.child)
        put(side.first, -wrench_from(cut.D[r], cut.arm_child), X);
      else
        put(side.first, wrench_from(cut.D[r], cut.arm_parent), X);
      if (side.first) here.g[side.row + r] = T(0);
    }
  }
  if (own.prescribes || own.carriers_move) [[unlikely]]
    know_velocities(group, here, own);
}

/// Open rows go on to the node of the body's parent, from which `arm` leads here.
template <class T>
ARTHRON_INLINE void pass_rows(const Rows<T>& here, const Rows<T>& parent, const Vector3<T>& arm) {
  const Spatial<T>* X = here.X + here.node.closing;
  const T* g = here.g + here.node.closing;
  for (const GroupNode::Passed& passed : here.node.passed) {
    put(passed.first, wrench_from(*X++, arm), parent.X[passed.row]);
    put(passed.first, *g++, parent.g[passed.row]);
  }
  for (const GroupNode::PassedPair& pair : here.node.passed_pairs) put(pair.first, here.gamma[pair.from], parent.gamma[pair.to]);
}

/// The same to a ground: its velocity is known, and nothing asks for its inertia.
template <class T>
ARTHRON_INLINE void pass_rows_to_ground(const Rows<T>& here, const Rows<T>& ground, const Vector3<T>& arm, const GroupCarrier<T>& carrier,
                                        bool moves) {
  const Spatial<T>* X = here.X + here.node.closing;
  const T* g = here.g + here.node.closing;
  const Spatial<T> V = moves ? velocity_at(carrier.V, arm) : Spatial<T>{};
  for (const GroupNode::Passed& passed : here.node.passed) {
    T value = *g++;
    if (moves) value += dot(*X, V);
    ++X;
    put(passed.first, value, ground.g[passed.row]);
  }
  for (const GroupNode::PassedPair& pair : here.node.passed_pairs) put(pair.first, here.gamma[pair.from], ground.gamma[pair.to]);
}

/// Eliminates the rows that are complete, in their order. Groups that search for independent rows do so wherever some may depend on others;
/// of the rest, false says that one may.
template <bool searches, bool with_X, class T>
ARTHRON_INLINE bool close_rows(const SimdGroup& group, const Rows<T>& here, GroupNumbers<T>& own, Inertia<T>& M, Spatial<T>& bias) {
  const int closing = here.node.closing;
  auto fine = everywhere_true<T>();
  // Traces take the places of the multipliers until these are known.
  for (int r = 0; r < closing;) {
    const int cut = here.node.cut_of_row[r], count = group.cuts[cut].rows;
    T trace(0);
    for (int k = r; k < r + count; ++k) trace += here.at(k, k);
    if constexpr (!searches) fine = fine && trace > own.cut[cut].least_trace;
    for (int k = r; k < r + count; ++k) {
      here.sigma[k] = safe * trace;
      if constexpr (!searches) fine = fine && here.at(k, k) > here.sigma[k];
    }
    r += count;
  }
  for (int r = 0; r < closing; ++r) {
    if constexpr (searches) {
      if (const int cut = here.node.cut_of_row[r]; starts_cut(here.node, r)) {
        own.pivots[cut].searched = !are_independent(here, r, group.cuts[cut].rows, own.cut[cut].least_trace);
        if (own.pivots[cut].searched) {
          eliminate_by_pivots<with_X>(group, here, r, own, M, bias);
          r += group.cuts[cut].rows - 1;
          continue;
        }
      }
    }
    const T d = here.at(r, r);
    if constexpr (!searches) fine = fine && d > here.sigma[r];
    const T d_inverse = 1 / d;
    here.d_inverse[r] = d_inverse;
    const Spatial<T> X = with_X ? here.X[r] : Spatial<T>{};
    const T g = here.g[r];
    const T* const pivot = &here.at(r, 0);
    const std::span<const int> behind = here.behind(r);
    for (const int *s = behind.data(), *const end = s + behind.size(); s != end; ++s) {
      const T factor = d_inverse * pivot[*s];
      if constexpr (with_X) here.X[*s] -= factor * X;
      here.g[*s] -= factor * g;
      T* const row = &here.at(*s, 0);
      for (const int* t = s; t != end; ++t) row[*t] -= factor * pivot[*t];
    }
    if constexpr (with_X) {
      release_column(M, X, -d_inverse);
      bias += (d_inverse * g) * X;
    }
  }
  return holds_everywhere(fine);
}

/// A column gives way under so many open rows; 0: as many as there are.
template <int fixed, class T>
ARTHRON_FLATTEN [[gnu::noinline]] void release_some_rows(const Rows<T>& here, const T* coefficients, int column, ColumnShape shape,
                                                         const GroupColumnWork<T>& work) {
  const int open = fixed ? fixed : here.node.open();
  T* const y = here.y + column * open;
  Spatial<T>* const X = here.X + here.node.closing;
  T* const g = here.g + here.node.closing;
  const auto for_rows = [&](const auto& action) {
    if constexpr (fixed > 0) {
#pragma GCC unroll 8
      for (int a = 0; a < fixed; ++a) action(a);
    } else {
      for (int a = 0; a < open; ++a) action(a);
    }
  };
  switch (shape) {
    case ColumnShape::rotation: for_rows([&](int a) { y[a] = dot(work.H.angular, X[a].angular); }); break;
    case ColumnShape::translation: for_rows([&](int a) { y[a] = dot(work.H.linear, X[a].linear); }); break;
    default: for_rows([&](int a) { y[a] = dot(work.H, X[a]); });
  }
  for (const GroupNode::Term& term : here.node.terms)
    if (term.column == column) y[term.row - here.node.closing] -= coefficients[term.coefficient];
  const T d_inverse = work.d_inverse, u = work.u_at_rest;
  for_rows([&](int a) {
    const T y_a = y[a], given = d_inverse * y_a;
    X[a] -= given * work.U;
    g[a] += u * y_a;
    T* const gamma = here.gamma + here.node.place(here.node.closing + a, here.node.closing);
    for_rows([&](int b) {
      if (b >= a) gamma[b] += given * y[b];
    });
  });
}

template <class T>
ARTHRON_INLINE void release_rows(const Rows<T>& here, const T* coefficients, int column, ColumnShape shape,
                                 const GroupColumnWork<T>& work) {
  switch (here.node.open()) {
    case 0: return;
    case 1: return release_some_rows<1>(here, coefficients, column, shape, work);
    case 2: return release_some_rows<2>(here, coefficients, column, shape, work);
    case 3: return release_some_rows<3>(here, coefficients, column, shape, work);
    case 4: return release_some_rows<4>(here, coefficients, column, shape, work);
    case 5: return release_some_rows<5>(here, coefficients, column, shape, work);
    default: return release_some_rows<0>(here, coefficients, column, shape, work);
  }
}

/// g of the open rows, the body moving with a known velocity V relative to its parent.
template <class T>
ARTHRON_INLINE void move_rows(const Rows<T>& here, const Spatial<T>& V) {
  for (int r = here.node.closing; r < here.node.rows; ++r) here.g[r] += dot(here.X[r], V);
}
/// The same of couplings, its columns having known rates u(c).
template <class T, class Rate>
ARTHRON_INLINE void move_couplings(const Rows<T>& here, const T* coefficients, const Rate& u) {
  for (const GroupNode::Term& term : here.node.terms) here.g[term.row] -= coefficients[term.coefficient] * u(term.column);
}

/// Multipliers of the complete rows, once the others and the body's velocity are known.
template <bool searches, bool with_X, class T>
ARTHRON_INLINE void open_rows(const Rows<T>& here, GroupNumbers<T>& own, const Spatial<T>& V) {
  bool searched = false;
  for (int r = here.node.closing - 1; r >= 0; --r) {
    T rest = here.g[r];
    if constexpr (with_X) rest += dot(here.X[r], V);
    const T* const row = &here.at(r, 0);
    for (const int s : here.behind(r)) rest -= row[s] * here.sigma[s];
    here.sigma[r] = here.d_inverse[r] * rest;
    if constexpr (searches) {
      if (starts_cut(here.node, r) && own.pivots[here.node.cut_of_row[r]].searched) {
        leave_null_space(own.pivots[here.node.cut_of_row[r]], rows_of_cut(here.node, r), here.sigma + r);
        searched = true;
      }
    }
  }
  if constexpr (searches)
    if (searched) restore_order(here, own);
}

/// Multipliers of rows that stayed open, from where they were found.
template <class T>
ARTHRON_INLINE void take_multipliers(const Rows<T>& here, const Rows<T>& parent) {
  T* sigma = here.sigma + here.node.closing;
  for (const GroupNode::Passed& passed : here.node.passed) *sigma++ = parent.sigma[passed.row];
}

}  // namespace arthron::simd_group
