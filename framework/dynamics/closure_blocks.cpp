#include "arthron/dynamics/closure_blocks.hpp"

#include <algorithm>

#include "arthron/dynamics/uneven_loops.hpp"

namespace arthron {

void leave_null_space(const ClosureWork::NullSpace& null, int rank, int rows, double* values) {
  if (rank == rows) return;
  const bool wide = rows > 4;
  Lanes4 first = four_at(values), second = wide ? four_at(values + 4) : Lanes4{0, 0, 0, 0};
  for (int k = rank; k < rows; ++k) {
    const double* const n = null[k].data();
    const Lanes4 n_first = four_at(n), n_second = four_at(n + 4);
    const Lanes4 part = sum_everywhere(n_first * first + n_second * second);
    first -= part * n_first, second -= part * n_second;
  }
  put_four(first, values);
  if (wide) put_four(second, values + 4);
}

namespace {

using std::size_t;

/// Singular values of M^-1/2 J^T below this part of the largest count as dependent (section 3).
constexpr double dependent = 1e-5;

/// Which rows of a block are left while one of its closures is eliminated: none of the closures before it, all of those behind it.
class Left {
 public:
  explicit Left(const Closure& closure) : begin_(closure.place / 4), end_(std::min(begin_ + 3, closure.block.width)) {
    mask_[0] = ~first_lanes(closure.place % 4);
    mask_[1] = mask_[2] = ~Mask4{};
  }
  void take(int place) { mask_[place / 4 - begin_] &= all_but(place % 4); }
  void keep_left(double* row) const {
    clear(begin_, row);
    for (int i = begin_; i < end_; ++i) lanes(row, i) = masked(lanes(row, i), mask_[i - begin_]);
  }

 private:
  int begin_, end_;
  Mask4 mask_[3];  // six rows reach over three registers at most
};

/// Eliminates row r of a closure: from its rows that are left, from the block's later closures, from later blocks, and from X, if any. In
/// Gamma it keeps what it has in common with those. Much is zero in mechanisms that move in planes.
void eliminate_row(const ClosureNode& node, const Closure& own, int r, const int* left, int left_count, Left& lanes_left,
                   const ClosureWork::Node& here, bool with_X) {
  const ClosureNode::Block& block = own.block;
  double* const row = own.row(r);
  const double d_inverse = here.d_inverse[own.first + r];
  lanes_left.take(own.place + r);
  lanes_left.keep_left(row);
  const int width = block.stride / 4;
  const auto take_from = [&](int s) {
    const double factor = d_inverse * row[own.place + s];
    if (factor != 0) add_row(-factor, row, width, own.row(s));
  };
  for (int a = 0; a < left_count; ++a) take_from(left[a]);
  for (int s = own.rows; s < block.rows - own.place; ++s) take_from(s);
  for (const ClosureNode::Fill& fill : node.fills_of(block)) {
    double* to = here.gamma + fill.to;
    for (int a = 0; a < fill.rows; ++a, to += fill.to_stride)
      if (const double factor = d_inverse * row[fill.left + a]; factor != 0) add_row(-factor, row + fill.right, fill.width, to);
  }
  if (!with_X) return;
  const int stride = node.rows;
  const double* const X = here.X + own.first + r;
  const double x = d_inverse * X[0], y = d_inverse * X[stride], z = d_inverse * X[2 * stride];
  const double a = d_inverse * X[3 * stride], b = d_inverse * X[4 * stride], c = d_inverse * X[5 * stride];
  for_coupled(node, block, [&](int from, int to) {
    const Lanes4 common = lanes(row + from);
    double* const rows = here.X + to;
    lanes(rows) -= x * common, lanes(rows + stride) -= y * common, lanes(rows + 2 * stride) -= z * common;
    lanes(rows + 3 * stride) -= a * common, lanes(rows + 4 * stride) -= b * common, lanes(rows + 5 * stride) -= c * common;
  });
}

/// Orthonormal null space of the closure's Gamma = L d L^T: the n with L^T n = 0.
void find_null_space(const Closure& own, const ClosureWork::Node& here, const ClosureWork::Cut& cut, ClosureWork::NullSpace& null) {
  bool apart = true;  // rows that depend on no others are unit vectors as they are
  for (int k = cut.rank; k < own.rows; ++k) {
    auto& n = null[k];
    n.setZero();
    n[cut.pivot[k]] = 1;
    for (int i = cut.rank - 1; i >= 0; --i) {
      const int r = cut.pivot[i];
      double sum = own.at(r, cut.pivot[k]);
      for (int j = i + 1; j < cut.rank; ++j) sum += own.at(r, cut.pivot[j]) * n[cut.pivot[j]];
      n[r] = -here.d_inverse[own.first + r] * sum;
      apart = apart && n[r] == 0;
    }
    if (apart) continue;
    for (int j = cut.rank; j < k; ++j) n -= null[j].dot(n) * null[j];
    n.normalize();
  }
}

/// Eliminates closure i of a node, largest diagonal first, until what is left depends on what is gone.
void eliminate_closure(const ClosureNode& node, const ClosureNode::Block& block, size_t i, ClosureWork& closures,
                       const ClosureWork::Node& here) {
  ClosureWork::Cut& cut = closures.cuts[node.closures[i]];
  const Closure own = closure_of(node, block, here, i);
  Left left(own);
  const double safe = independent_part * here.reference[own.first];
  const double least = dependent * dependent * here.reference[own.first];
  int* const pivot = cut.pivot.data();
  for (int r = 0; r < own.rows; ++r) pivot[r] = r;
  cut.nearly_dependent = false;
  int rank = 0;
  for (; rank < own.rows; ++rank) {
    int best = rank;
    double d = own.at(pivot[rank], pivot[rank]);
    for (int k = rank + 1; k < own.rows; ++k)
      if (const double other = own.at(pivot[k], pivot[k]); other > d) best = k, d = other;
    if (!(d > least)) break;
    cut.nearly_dependent |= d < safe;
    std::swap(pivot[rank], pivot[best]);
    here.d_inverse[own.first + pivot[rank]] = 1 / d;
    eliminate_row(node, own, pivot[rank], pivot + rank + 1, own.rows - rank - 1, left, here, node.body >= 0);
  }
  cut.rank = rank;
  if (rank == own.rows) return;
  for (int k = rank; k < own.rows; ++k) here.d_inverse[own.first + pivot[k]] = 0;
  find_null_space(own, here, cut, closures.null[node.closures[i]]);
}

/// The same where it is known which rows are independent: those, largest diagonal first.
void eliminate_independent(const ClosureNode& node, const ClosureNode::Block& block, size_t i, ClosureWork& closures,
                           const ClosureWork::Node& here) {
  const size_t c = node.closures[i];
  ClosureWork::Cut& cut = closures.cuts[c];
  const UnevenLoops::Rows& known = closures.uneven->rows[c];
  const Closure own = closure_of(node, block, here, i);
  Left left(own);
  cut.rank = known.rank, cut.pivot = known.pivot, cut.nearly_dependent = known.nearly_dependent;
  int* const pivot = cut.pivot.data();
  for (int k = 0; k < cut.rank; ++k) {
    const auto largest = std::max_element(pivot + k, pivot + cut.rank, [&](int a, int b) { return own.at(a, a) < own.at(b, b); });
    std::swap(pivot[k], *largest);
    const double d = own.at(pivot[k], pivot[k]);
    here.d_inverse[own.first + pivot[k]] = d > 0 ? 1 / d : 0;
    eliminate_row(node, own, pivot[k], pivot + k + 1, own.rows - k - 1, left, here, node.body >= 0);
  }
  for (int k = cut.rank; k < own.rows; ++k) here.d_inverse[own.first + pivot[k]] = 0;
}

/// Factors a block of up to so many registers row by row; false, and nothing is changed, where it meets a row that may depend on others.
/// Many blocks have no such rows, and need no search for the largest diagonal.
template <int width>
bool eliminate_rows(const ClosureNode& node, const ClosureNode::Block& block, const ClosureWork::Node& here) {
  const int rows = block.rows, stride = block.stride;
  double* const gamma = here.gamma + block.gamma;
  Lanes4 left[4 * width][width], scaled[4 * width][width];
  double d_inverse[4 * width];
  const double* const reference = here.reference + block.row;
  for (int r = 0; r < rows; ++r)
    if (!(gamma[r * (stride + 1)] > independent_part * reference[r])) return false;
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < width; ++i) left[r][i] = lanes(gamma + r * stride, i);
  for (int r = 0; r < rows; ++r) {
    const double d = reinterpret_cast<const double*>(left[r])[r];
    if (!(d > independent_part * reference[r])) return false;
    d_inverse[r] = 1 / d;
    for (int i = 0; i < width; ++i) {
      const int before = r + 1 - 4 * i;
      if (before > 0) left[r][i] = masked(left[r][i], ~first_lanes(std::min(before, 4)));
      scaled[r][i] = d_inverse[r] * left[r][i];
    }
    const double* const factor = reinterpret_cast<const double*>(scaled[r]);
    for (int s = r + 1; s < rows; ++s)
      for (int i = 0; i < width; ++i) left[s][i] -= factor[s] * left[r][i];
  }
  for (int r = 0; r < rows; ++r) {
    here.d_inverse[block.row + r] = d_inverse[r];
    for (int i = 0; i < width; ++i) lanes(gamma + r * stride, i) = left[r][i];
  }
  const double* const factors = reinterpret_cast<const double*>(scaled);
  for (const ClosureNode::Link& link : node.links_of(block))
    for (int i = 0; i < link.width; ++i) {
      double* const column = gamma + link.at + 4 * i;
      for (int r = 0; r + 1 < rows; ++r) {
        const Lanes4 common = lanes(column + r * stride);
        for (int s = r + 1; s < rows; ++s) lanes(column + s * stride) -= factors[4 * width * r + s] * common;
      }
    }
  for (const ClosureNode::Fill& fill : node.fills_of(block)) {
    double* to = here.gamma + fill.to;
    for (int a = 0; a < fill.rows; ++a, to += fill.to_stride)
      for (int r = 0; r < rows; ++r)
        add_row(-d_inverse[r] * gamma[r * stride + fill.left + a], gamma + r * stride + fill.right, fill.width, to);
  }
  if (node.body < 0) return true;
  for (int k = 0; k < 6; ++k) {
    double* const X = here.X + k * node.rows;
    double* const own = X + block.row;
    for (int r = 0; r + 1 < rows; ++r)
      for (int i = r / 4; i < width; ++i) lanes(own, i) -= own[r] * scaled[r][i];
    for (const ClosureNode::Link& link : node.links_of(block))
      for (int i = 0; i < link.width; ++i) {
        Lanes4 sum = lanes(X + link.row, i);
        for (int r = 0; r < rows; ++r) sum -= (d_inverse[r] * own[r]) * lanes(gamma + r * stride + link.at, i);
        lanes(X + link.row, i) = sum;
      }
  }
  return true;
}

void pass_to_cuts(const ClosureNode& node, const ClosureNode::Block& block, ClosureWork& closures, const ClosureWork::Node& here) {
  for (int i = block.closures.first; i < block.closures.last; ++i) {
    Vector6& sigma = closures.cuts[node.closures[i]].sigma;
    for (int r = 0; r < node.count[i]; ++r) sigma[r] = here.sigma[node.row[i] + r];
  }
}

/// What a row of Gamma has in common with later blocks, times their multipliers.
inline Lanes4 linked(const ClosureNode& node, const ClosureNode::Block& block, const double* row, const double* sigma) {
  Lanes4 sum{0, 0, 0, 0};
  for (const ClosureNode::Link& link : node.links_of(block))
    for (int i = 0; i < link.width; ++i) sum += lanes(row + link.at, i) * lanes(sigma + link.row, i);
  return sum;
}

/// Multipliers of a block of so many registers, which hold them, from the right-hand sides that stand in their places.
template <int width>
void solve_rows(const ClosureNode& node, const ClosureNode::Block& block, ClosureWork& closures, const ClosureWork::Node& here) {
  Lanes4 sigma[width];
  for (Lanes4& four : sigma) four = Lanes4{0, 0, 0, 0};
  double* const given = here.sigma + block.row;
  for (int i = block.closures.last; i-- > block.closures.first;) {
    const size_t c = node.closures[i];
    ClosureWork::Cut& cut = closures.cuts[c];
    const Closure own = closure_of(node, block, here, i);
    for (int p = cut.rank - 1; p >= 0; --p) {
      const int place = own.place + cut.pivot[p];
      const double* const row = here.gamma + block.gamma + place * block.stride;
      Lanes4 taken = linked(node, block, row, here.sigma);
      for (int k = 0; k < width; ++k) taken += lanes(row, k) * sigma[k];
      const Lanes4 found = here.d_inverse[block.row + place] * (given[place] - sum_everywhere(taken));
      for (int k = 0; k < width; ++k)
        if (width == 1 || k == place / 4) sigma[k] += masked(found, lane(place % 4));
    }
    if (cut.rank == own.rows) continue;
    double values[4 * width + 4] = {};
    for (int k = 0; k < width; ++k) put_four(sigma[k], values + 4 * k);
    leave_null_space(closures.null[c], cut.rank, own.rows, values + own.place);
    for (int k = 0; k < width; ++k) sigma[k] = four_at(values + 4 * k);
  }
  for (int k = 0; k < width; ++k) lanes(given, k) = sigma[k];
  pass_to_cuts(node, block, closures, here);
}

/// The same for blocks of any size.
void solve_wide_block(const ClosureNode& node, const ClosureNode::Block& block, ClosureWork& closures, const ClosureWork::Node& here) {
  for (int i = block.closures.last; i-- > block.closures.first;) {
    const size_t c = node.closures[i];
    const ClosureWork::Cut& cut = closures.cuts[c];
    const Closure own = closure_of(node, block, here, i);
    double* const sigma = here.sigma + own.first;
    for (int p = cut.rank; p < own.rows; ++p) sigma[cut.pivot[p]] = 0;
    for (int p = cut.rank - 1; p >= 0; --p) {
      const int r = cut.pivot[p];
      const double* const row = own.row(r);
      Lanes4 taken = linked(node, block, row, here.sigma);
      for (int k = 0; k < block.width; ++k) taken += lanes(row, k) * lanes(here.sigma + block.row, k);
      sigma[r] = here.d_inverse[own.first + r] * (sigma[r] - sum(taken));
    }
    leave_null_space(closures.null[c], cut.rank, own.rows, sigma);
  }
  pass_to_cuts(node, block, closures, here);
}

}  // namespace

void eliminate_block(const ClosureNode& node, const ClosureNode::Block& block, ClosureWork& closures, const ClosureWork::Node& here) {
  const size_t first = block.closures.first, last = block.closures.last;
  if (closures.uneven && closures.uneven->found) {
    for (size_t i = first; i < last; ++i) eliminate_independent(node, block, i, closures, here);
    return;
  }
  const bool done = block.width == 1   ? eliminate_rows<1>(node, block, here)
                    : block.width == 2 ? eliminate_rows<2>(node, block, here)
                                       : false;
  for (size_t i = first; i < last; ++i) {
    if (!done) {
      eliminate_closure(node, block, i, closures, here);
      continue;
    }
    ClosureWork::Cut& cut = closures.cuts[node.closures[i]];
    cut.rank = node.count[i];
    cut.nearly_dependent = false;
    cut.pivot = {0, 1, 2, 3, 4, 5};
  }
}

void solve_block(const ClosureNode& node, const ClosureNode::Block& block, ClosureWork& closures, const ClosureWork::Node& here) {
  switch (block.width) {
    case 1: return solve_rows<1>(node, block, closures, here);
    case 2: return solve_rows<2>(node, block, closures, here);
    default: return solve_wide_block(node, block, closures, here);
  }
}

}  // namespace arthron
