#pragma once
#include <limits>
#include <span>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/group_numbers.hpp"

/// Closures of a SIMD group whose rows may depend on one another: closure_blocks.cpp on lanes. Every lane decides by masks, by the same
/// rule, so that what is redundant in one is none of the others' business.
namespace arthron::simd_group {

/// Rows whose diagonals keep more than this part of their closure's trace need no search for pivots, as in closure_blocks.cpp.
constexpr double safe = independent_part;
/// The other measures there, and in closure_mobility.cpp.
constexpr double dependent = 1e-5, not_moved = 1e-5, rounding = 1e-13;

/// What comparisons of T yield.
template <class T>
using MaskOf = decltype(std::declval<T>() > std::declval<T>());
template <class T>
ARTHRON_INLINE MaskOf<T> everywhere_true() {
  return MaskOf<T>(true);
}
ARTHRON_INLINE bool holds_everywhere(const LaneMask& mask) { return std::experimental::all_of(mask); }
ARTHRON_INLINE bool holds_everywhere(bool condition) { return condition; }

/// A node's part of the group's arrays.
template <class T>
struct Rows {
  const GroupNode& node;
  Spatial<T>* X;
  T *g, *sigma, *d_inverse, *gamma, *y;
  const int *first_partner, *partner;

  Rows(const GroupNode& of, GroupNumbers<T>& own)
      : node(of),
        X(own.X.data() + of.first),
        g(own.g.data() + of.first),
        sigma(own.sigma.data() + of.first),
        d_inverse(own.d_inverse.data() + of.first),
        gamma(own.gamma.data() + of.gamma),
        y(own.y.data() + of.y),
        first_partner(own.pattern.first.data() + of.first),
        partner(own.pattern.partner.data()) {}
  [[nodiscard]] ARTHRON_INLINE T& at(int r, int s) const { return gamma[node.place(r, s)]; }
  /// See GroupPattern.
  [[nodiscard]] ARTHRON_INLINE std::span<const int> behind(int r) const {
    return {partner + first_partner[r], partner + first_partner[r + 1]};
  }
};

/// Whether a row is the first of its closure, and how many follow with it.
ARTHRON_INLINE bool starts_cut(const GroupNode& node, int row) { return row == 0 || node.cut_of_row[row - 1] != node.cut_of_row[row]; }
ARTHRON_INLINE int rows_of_cut(const GroupNode& node, int row) {
  int last = row;
  while (last < node.closing && node.cut_of_row[last] == node.cut_of_row[row]) ++last;
  return last - row;
}

/// Whether the rows of a closure are far from depending on one another or on what is eliminated, in every lane. The sigma of its rows have
/// `safe` of its trace.
template <class T>
ARTHRON_INLINE bool are_independent(const Rows<T>& here, int first, int count, const T& least_trace) {
  const T least = here.sigma[first];
  auto fine = least > safe * least_trace;
  T left[GroupCut::most_rows][GroupCut::most_rows];
  for (int r = 0; r < count; ++r)
    for (int s = r; s < count; ++s) left[r][s] = here.at(first + r, first + s);
  for (int r = 0; r < count; ++r) fine = fine && left[r][r] > least;
  for (int r = 0; r < count; ++r) {
    fine = fine && left[r][r] > least;
    const T d_inverse = 1 / left[r][r];
    for (int s = r + 1; s < count; ++s) {
      const T factor = d_inverse * left[r][s];
      for (int t = s; t < count; ++t) left[s][t] -= factor * left[r][t];
    }
  }
  return holds_everywhere(fine);
}

/// is_redundant() of closure_mobility.hpp: in which lanes no free column moves the cut in its constrained directions, or the trace is the
/// rounding of what other closures took.
template <class T>
MaskOf<T> adds_nothing(const SimdGroup& group, const GroupNumbers<T>& own, int number, const T& trace) {
  const GroupCut& cut = group.cuts[number];
  const GroupCutWork<T>& work = own.cut[number];
  if (cut.holds == GroupCut::Holds::coupling) return !everywhere_true<T>();
  const auto pose = [&](int on, const PerBranch& bodies) -> const Pose<T>& {
    return on < 0 ? own.carrier[bodies[0]].X_WB : own.body[on].X_WB;
  };
  const Vector3<T> point = pose(cut.child_on, cut.child).p + work.arm_child;
  auto moved = !everywhere_true<T>();
  T sum(0);
  // Inward from both sides, up to where they meet.
  for (int a = cut.child_on, b = cut.parent_on; a != b;) {
    int& outer = a > b ? a : b;
    const GroupBody& body = group.bodies[outer];
    const Vector3<T> arm = point - own.body[outer].X_WB.p;
    for (int c = 0; c < (body.driven ? 0 : body.columns); ++c) {
      const GroupColumnWork<T>& column = own.column[body.column + c];
      const Spatial<T> V = velocity_at(column.H, arm);
      T along(0);
      for (int r = 0; r < cut.rows; ++r) {
        const T part = dot(work.D[r], V);
        along += part * part;
      }
      const T all = dot(V.linear, V.linear) + work.length * work.length * dot(V.angular, V.angular);
      moved = moved || along > not_moved * not_moved * all;
      sum += along * column.d_inverse;
    }
    outer = body.on;
  }
  return trace <= work.least_trace && (!moved || trace < rounding * sum);
}

template <class T>
ARTHRON_INLINE void exchange(const MaskOf<T>& where, T& a, T& b) {
  const T first = a;
  a = select(where, b, a), b = select(where, first, b);
}

/// Rows p < k of a node change places in some lanes; `last` is behind the last row that Gamma has in common with them.
template <bool with_X, class T>
void exchange_rows(const Rows<T>& here, int p, int k, const MaskOf<T>& where) {
  for (int j = 0; j < p; ++j) exchange(where, here.at(j, p), here.at(j, k));
  for (int j = p + 1; j < k; ++j) exchange(where, here.at(p, j), here.at(j, k));
  for (int j = k + 1; j < here.node.rows; ++j) exchange(where, here.at(p, j), here.at(k, j));
  exchange(where, here.at(p, p), here.at(k, k));
  exchange(where, here.g[p], here.g[k]);
  if constexpr (with_X)
    for (Vector3<T> Spatial<T>::*half : {&Spatial<T>::linear, &Spatial<T>::angular})
      for (T Vector3<T>::*component : {&Vector3<T>::x, &Vector3<T>::y, &Vector3<T>::z})
        exchange(where, here.X[p].*half.*component, here.X[k].*half.*component);
}

/// Orthonormal null space of the closure's Gamma = L d L^T: the n with L^T n = 0; zeros for rows that are independent.
template <class T>
void find_null_space(const Rows<T>& here, int first, int count, const std::array<MaskOf<T>, GroupCut::most_rows>& is_dependent,
                     GroupPivots<T>& found) {
  for (int k = 0; k < count; ++k) {
    auto& n = found.null[k];
    n.fill(T(0));
    n[k] = select(is_dependent[k], T(1), T(0));
    for (int i = k - 1; i >= 0; --i) {
      T sum = here.at(first + i, first + k) * n[k];
      for (int j = i + 1; j < k; ++j) sum += here.at(first + i, first + j) * n[j];
      n[i] = -(here.d_inverse[first + i] * sum);
    }
    for (int j = 0; j < k; ++j) {
      T part(0);
      for (int i = 0; i < count; ++i) part += found.null[j][i] * n[i];
      for (int i = 0; i < count; ++i) n[i] -= part * found.null[j][i];
    }
    T squared(0);
    for (int i = 0; i < count; ++i) squared += n[i] * n[i];
    const T scale = 1 / sqrt(select(is_dependent[k], squared, T(1)));
    for (int i = 0; i < count; ++i) n[i] = scale * n[i];
  }
}

/// Takes from a closure's numbers their part in its null space.
template <class T>
void leave_null_space(const GroupPivots<T>& found, int count, T* values) {
  for (int k = 0; k < count; ++k) {
    T part(0);
    for (int i = 0; i < count; ++i) part += found.null[k][i] * values[i];
    for (int i = 0; i < count; ++i) values[i] -= part * found.null[k][i];
  }
}

/// Eliminates the closure that begins with row `first`, in every lane its largest diagonal first, until what is left depends on what is
/// gone. The sigma of its rows have `safe` of its trace.
template <bool with_X, class T>
[[gnu::noinline]] void eliminate_by_pivots(const SimdGroup& group, const Rows<T>& here, int first, GroupNumbers<T>& own, Inertia<T>& M,
                                           Spatial<T>& bias) {
  const int cut = here.node.cut_of_row[first], count = group.cuts[cut].rows;
  GroupPivots<T>& found = own.pivots[cut];
  const T trace = (1 / safe) * here.sigma[first];
  const T least = select(adds_nothing(group, own, cut, trace), T(std::numeric_limits<double>::infinity()), dependent * dependent * trace);
  std::array<MaskOf<T>, GroupCut::most_rows> is_dependent{};
  auto going = everywhere_true<T>();
  for (int p = 0; p < count; ++p) {
    const int row = first + p;
    T d = here.at(row, row), best(static_cast<double>(p));
    for (int k = p + 1; k < count; ++k) {
      const T other = here.at(first + k, first + k);
      const auto larger = other > d;
      d = select(larger, other, d), best = select(larger, T(static_cast<double>(k)), best);
    }
    found.pivot[p] = best;
    for (int k = p + 1; k < count; ++k) exchange_rows<with_X>(here, row, first + k, best > k - 0.5 && best < k + 0.5);
    going = going && d > least;
    is_dependent[p] = !going;
    const T d_inverse = select(going, 1 / d, T(0));
    here.d_inverse[row] = d_inverse;
    const std::span<const int> behind = here.behind(row);
    for (size_t i = 0; i < behind.size(); ++i) {
      const T factor = d_inverse * here.at(row, behind[i]);
      if constexpr (with_X) here.X[behind[i]] -= factor * here.X[row];
      for (size_t j = i; j < behind.size(); ++j) here.at(behind[i], behind[j]) -= factor * here.at(row, behind[j]);
    }
    if constexpr (with_X) release_column(M, here.X[row], -d_inverse);
  }
  find_null_space(here, first, count, is_dependent, found);
  leave_null_space(found, count, here.g + first);
  for (int row = first; row < first + count; ++row) {
    const T sigma = here.d_inverse[row] * here.g[row];
    for (const int s : here.behind(row)) here.g[s] -= sigma * here.at(row, s);
    if constexpr (with_X) bias += sigma * here.X[row];
  }
}

/// Multipliers in the order in which the closures have their rows.
template <class T>
void restore_order(const Rows<T>& here, const GroupNumbers<T>& own) {
  for (int first = 0; first < here.node.closing;) {
    const int count = rows_of_cut(here.node, first);
    const GroupPivots<T>& found = own.pivots[here.node.cut_of_row[first]];
    for (int p = found.searched ? count - 1 : -1; p >= 0; --p)
      for (int k = count - 1; k > p; --k)
        exchange(found.pivot[p] > k - 0.5 && found.pivot[p] < k + 0.5, here.sigma[first + p], here.sigma[first + k]);
    first += count;
  }
}

}  // namespace arthron::simd_group
