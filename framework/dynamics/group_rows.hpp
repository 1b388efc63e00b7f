#pragma once
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/group_lanes.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/dynamics/lane_column.hpp"

/// Rows of a SIMD group's cut joints at a node while their branches fold and unfold on lanes; what single bodies have in closures.cpp.
namespace arthron::simd_group {

/// A node's part of the group's arrays.
struct Rows {
  const GroupNode& node;
  Spatial<Lanes>* X;
  Lanes *g, *sigma, *d_inverse, *gamma, *y;

  Rows(const GroupNode& of, GroupWork& own)
      : node(of),
        X(own.X.data() + of.first),
        g(own.g.data() + of.first),
        sigma(own.sigma.data() + of.first),
        d_inverse(own.d_inverse.data() + of.first),
        gamma(own.gamma.data() + of.gamma),
        y(own.y.data() + of.y) {}
  [[nodiscard]] ARTHRON_INLINE Lanes& at(int r, int s) const { return gamma[node.place(r, s)]; }
};

template <class Value>
ARTHRON_INLINE void put(bool first, const Value& value, Value& sum) {
  if (first)
    sum = value;
  else
    sum += value;
}

/// The body's own sides, and zeros where nothing was passed on to.
ARTHRON_INLINE void begin_rows(const SimdGroup& group, const Rows& here, const GroupWork& own) {
  for (const int place : here.node.apart) here.gamma[place] = 0;
  for (const GroupNode::Side& side : here.node.sides) {
    const GroupCutWork& cut = own.cut[at(side.cut)];
    const int rows = group.cuts[at(side.cut)].rows;
    if (group.cuts[at(side.cut)].holds == GroupCut::Holds::point) {
      const Vector3<Lanes>& arm = side.child ? cut.arm_child : cut.arm_parent;
      const Lanes one(side.child ? -1.0 : 1.0), none(0.0);
      const Vector3<Lanes> l = one * arm;
      Spatial<Lanes>* const X = here.X + side.row;
      put(side.first, Spatial<Lanes>{{one, none, none}, {none, l.z, -l.y}}, X[0]);
      put(side.first, Spatial<Lanes>{{none, one, none}, {-l.z, none, l.x}}, X[1]);
      put(side.first, Spatial<Lanes>{{none, none, one}, {l.y, -l.x, none}}, X[2]);
      if (side.first) here.g[side.row] = here.g[side.row + 1] = here.g[side.row + 2] = none;
      continue;
    }
    for (int r = 0; r < rows; ++r) {
      Spatial<Lanes>& X = here.X[side.row + r];
      if (side.child)
        put(side.first, -wrench_from(cut.D[at(r)], cut.arm_child), X);
      else
        put(side.first, wrench_from(cut.D[at(r)], cut.arm_parent), X);
      if (side.first) here.g[side.row + r] = 0;
    }
  }
}

/// Open rows go on to the node of the body's parent, from which `arm` leads here.
ARTHRON_INLINE void pass_rows(const Rows& here, const Rows& parent, const Vector3<Lanes>& arm) {
  const Spatial<Lanes>* X = here.X + here.node.closing;
  const Lanes* g = here.g + here.node.closing;
  for (const GroupNode::Passed& passed : here.node.passed) {
    put(passed.first, wrench_from(*X++, arm), parent.X[passed.row]);
    put(passed.first, *g++, parent.g[passed.row]);
  }
  for (const GroupNode::PassedPair& pair : here.node.passed_pairs) put(pair.first, here.gamma[pair.from], parent.gamma[pair.to]);
}

/// Eliminates the rows that are complete, in their order. False where one may depend on others.
ARTHRON_INLINE bool close_rows(const SimdGroup& group, const Rows& here, const GroupWork& own, Inertia<Lanes>& M, Spatial<Lanes>& bias) {
  const int rows = here.node.rows, closing = here.node.closing;
  LaneMask fine(true);
  // Traces take the places of the multipliers until these are known.
  for (int r = 0; r < closing;) {
    const int cut = here.node.cut_of_row[at(r)], count = group.cuts[at(cut)].rows;
    Lanes trace = 0;
    for (int k = r; k < r + count; ++k) trace += here.at(k, k);
    fine = fine && trace > own.cut[at(cut)].least_trace;
    for (int k = r; k < r + count; ++k) here.sigma[k] = independent_part * trace, fine = fine && here.at(k, k) > here.sigma[k];
    r += count;
  }
  for (int r = 0; r < closing; ++r) {
    const Lanes d = here.at(r, r);
    fine = fine && d > here.sigma[r];
    const Lanes d_inverse = 1 / d;
    here.d_inverse[r] = d_inverse;
    const Spatial<Lanes> X = here.X[r];
    const Lanes g = here.g[r];
    for (int s = r + 1; s < rows; ++s) {
      const Lanes factor = d_inverse * here.at(r, s);
      here.X[s] -= factor * X;
      here.g[s] -= factor * g;
      for (int t = s; t < rows; ++t) here.at(s, t) -= factor * here.at(r, t);
    }
    release_column(M, X, -d_inverse);
    bias += (d_inverse * g) * X;
  }
  return std::experimental::all_of(fine);
}

/// A column gives way under so many open rows; 0: as many as there are.
template <int fixed>
ARTHRON_FLATTEN [[gnu::noinline]] void release_some_rows(const Rows& here, Lanes* y, ColumnShape shape, const LaneColumnWork& work) {
  const int open = fixed ? fixed : here.node.open();
  Spatial<Lanes>* const X = here.X + here.node.closing;
  Lanes* const g = here.g + here.node.closing;
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
  const Lanes d_inverse = work.d_inverse, u = work.u_at_rest;
  for_rows([&](int a) {
    const Lanes y_a = y[a], given = d_inverse * y_a;
    X[a] -= given * work.U;
    g[a] += u * y_a;
    Lanes* const gamma = here.gamma + here.node.place(here.node.closing + a, here.node.closing);
    for_rows([&](int b) {
      if (b >= a) gamma[b] += given * y[b];
    });
  });
}

ARTHRON_INLINE void release_rows(const Rows& here, int column, ColumnShape shape, const LaneColumnWork& work) {
  Lanes* const y = here.y + column * here.node.open();
  switch (here.node.open()) {
    case 0: return;
    case 1: return release_some_rows<1>(here, y, shape, work);
    case 2: return release_some_rows<2>(here, y, shape, work);
    case 3: return release_some_rows<3>(here, y, shape, work);
    case 4: return release_some_rows<4>(here, y, shape, work);
    case 5: return release_some_rows<5>(here, y, shape, work);
    default: return release_some_rows<0>(here, y, shape, work);
  }
}

/// Multipliers of the complete rows, once the others and the body's velocity are known.
ARTHRON_INLINE void open_rows(const Rows& here, const Spatial<Lanes>& V) {
  for (int r = here.node.closing - 1; r >= 0; --r) {
    Lanes rest = here.g[r] + dot(here.X[r], V);
    for (int s = r + 1; s < here.node.rows; ++s) rest -= here.at(r, s) * here.sigma[s];
    here.sigma[r] = here.d_inverse[r] * rest;
  }
}

/// Multipliers of rows that stayed open, from where they were found.
ARTHRON_INLINE void take_multipliers(const Rows& here, const Rows& parent) {
  Lanes* sigma = here.sigma + here.node.closing;
  for (const GroupNode::Passed& passed : here.node.passed) *sigma++ = parent.sigma[passed.row];
}

}  // namespace arthron::simd_group
