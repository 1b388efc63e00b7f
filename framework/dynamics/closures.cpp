#include "arthron/dynamics/closures.hpp"

#include <algorithm>
#include <limits>

#include "arthron/dynamics/column.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Singular values of M^-1/2 J^T below this part of the largest count as dependent (section 3).
constexpr double dependent = 1e-5;

/// Rows whose diagonals keep more than this part of their closure's trace are far from being dependent, in whatever order they are
/// eliminated.
constexpr double safe = 1e-6;

/// Rotation rows are measured with a length, so that rows of both kinds weigh alike: the radius of gyration of the bodies the cut joins.
double length_scale(const Plan& plan, const PlanClosure& closure) {
  double mass = 0, moment = 0;
  for (const int b : {closure.parent, closure.child}) {
    if (b < plan.grounds) continue;
    const PlanBody& body = plan.bodies[static_cast<size_t>(b)];
    mass += body.mass, moment += (body.second_moment.xx + body.second_moment.yy + body.second_moment.zz) / 3;
  }
  return mass > 0 && moment > 0 ? std::sqrt(moment / mass) : 1;
}

Wide6 ground_motion(const Workspace& work, int ground) {
  const size_t g = static_cast<size_t>(ground);
  return work.closures->accelerating ? work.A[g] : work.body[g].V;
}

using Mask4 = long long __attribute__((vector_size(32)));
/// Four numbers that begin anywhere.
using Loose4 = double __attribute__((vector_size(32), aligned(8)));

Loose4& loose(double* at) { return *reinterpret_cast<Loose4*>(at); }
inline Lanes4 loose(const double* at) { return *reinterpret_cast<const Loose4*>(at); }

inline Lanes4 masked(Lanes4 a, Mask4 mask) { return reinterpret_cast<Lanes4>(reinterpret_cast<Mask4>(a) & mask); }

/// The first `count` lanes.
inline Mask4 first_lanes(int count) {
  static constexpr Mask4 table[] = {{0, 0, 0, 0}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}, {-1, -1, -1, -1}};
  return table[count];
}
/// The lanes whose bits are set.
inline Mask4 chosen_lanes(unsigned bits) {
  static constexpr Mask4 table[] = {{0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},  {0, 0, -1, 0},  {-1, 0, -1, 0},
                                    {0, -1, -1, 0}, {-1, -1, -1, 0}, {0, 0, 0, -1},   {-1, 0, 0, -1},  {0, -1, 0, -1}, {-1, -1, 0, -1},
                                    {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};
  return table[bits];
}
inline Mask4 lane(int i) { return chosen_lanes(1u << i); }
inline Mask4 all_but(int lane) {
  static constexpr Mask4 table[] = {{0, -1, -1, -1}, {-1, 0, -1, -1}, {-1, -1, 0, -1}, {-1, -1, -1, 0}};
  return table[lane];
}

inline void clear(int width, double* to) {
#pragma GCC unroll 4
  for (int i = 0; i < width; ++i) lanes(to, i) = Lanes4{0, 0, 0, 0};
}

/// The sums of three registers' lanes.
inline Wide3 sums(Lanes4 a, Lanes4 b, Lanes4 c) {
  const Lanes4 none{0, 0, 0, 0};
  const Lanes4 ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes4 c_ = __builtin_shufflevector(c, none, 0, 4, 2, 6) + __builtin_shufflevector(c, none, 1, 5, 3, 7);
  return Wide3(__builtin_shufflevector(ab, c_, 0, 1, 4, 5) + __builtin_shufflevector(ab, c_, 2, 3, 6, 7));
}

/// Six components of four rows.
struct FourRows {
  Lanes4 x, y, z, a, b, c;

  /// The rows as wrenches at the point from which l leads to theirs.
  void move(const Wide3& l) { a += l.v[1] * z - l.v[2] * y, b += l.v[2] * x - l.v[0] * z, c += l.v[0] * y - l.v[1] * x; }
};

inline FourRows rows_from(const double* X, int stride) {
  return {loose(X), loose(X + stride), loose(X + 2 * stride), loose(X + 3 * stride), loose(X + 4 * stride), loose(X + 5 * stride)};
}
/// Rows are added where all four of them are, masked: a number that is written alone cannot be read with its neighbours for a while.
inline void add_rows(const FourRows& rows, Mask4 mask, double* X, int stride) {
  lanes(X) += masked(rows.x, mask), lanes(X + stride) += masked(rows.y, mask), lanes(X + 2 * stride) += masked(rows.z, mask);
  lanes(X + 3 * stride) += masked(rows.a, mask), lanes(X + 4 * stride) += masked(rows.b, mask),
      lanes(X + 5 * stride) += masked(rows.c, mask);
}
/// The same row four times.
inline FourRows four_times(const Wide6& row) {
  return {broadcast<0>(row.linear),  broadcast<1>(row.linear),  broadcast<2>(row.linear),
          broadcast<0>(row.angular), broadcast<1>(row.angular), broadcast<2>(row.angular)};
}
/// Four wrenches, with a sign.
inline FourRows rows_of(const Wide6* D, double sign) {
  const auto low = [](const Wide3& a, const Wide3& b) { return __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6); };
  const auto high = [](const Wide3& a, const Wide3& b) { return __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7); };
  const Lanes4 xz = low(D[0].linear, D[1].linear), xz_ = low(D[2].linear, D[3].linear);
  const Lanes4 ac = low(D[0].angular, D[1].angular), ac_ = low(D[2].angular, D[3].angular);
  return {sign * __builtin_shufflevector(xz, xz_, 0, 1, 4, 5),
          sign * __builtin_shufflevector(high(D[0].linear, D[1].linear), high(D[2].linear, D[3].linear), 0, 1, 4, 5),
          sign * __builtin_shufflevector(xz, xz_, 2, 3, 6, 7),
          sign * __builtin_shufflevector(ac, ac_, 0, 1, 4, 5),
          sign * __builtin_shufflevector(high(D[0].angular, D[1].angular), high(D[2].angular, D[3].angular), 0, 1, 4, 5),
          sign * __builtin_shufflevector(ac, ac_, 2, 3, 6, 7)};
}

/// X s: the sum of rows of so many registers, with factors.
Wide6 sum_of_rows(const double* X, int stride, const double* factors, int width) {
  const Lanes4 none{0, 0, 0, 0};
  FourRows sum{none, none, none, none, none, none};
  for (int i = 0; i < width; ++i, X += 4) {
    const Lanes4 s = lanes(factors, i);
    sum.x += s * lanes(X), sum.y += s * lanes(X + stride), sum.z += s * lanes(X + 2 * stride);
    sum.a += s * lanes(X + 3 * stride), sum.b += s * lanes(X + 4 * stride), sum.c += s * lanes(X + 5 * stride);
  }
  return {sums(sum.x, sum.y, sum.z), sums(sum.a, sum.b, sum.c)};
}

/// M + X d^-1 X^T, of rows of so many registers.
void add_dyads(const double* X, int stride, const double* d_inverse, int width, WideInertia& M) {
  const Lanes4 none{0, 0, 0, 0};
  const auto add_symmetric = [&](const double* rows, WideSymmetric3& sum) {
    Lanes4 xx = none, yy = none, zz = none, xy = none, yz = none, zx = none;
    for (int i = 0; i < width; ++i, rows += 4) {
      const Lanes4 x = lanes(rows), y = lanes(rows + stride), z = lanes(rows + 2 * stride), d = lanes(d_inverse, i);
      const Lanes4 dx = d * x, dy = d * y, dz = d * z;
      xx += dx * x, yy += dy * y, zz += dz * z, xy += dx * y, yz += dy * z, zx += dz * x;
    }
    sum.diagonal += sums(xx, yy, zz).v, sum.above += sums(xy, yz, zx).v;
  };
  add_symmetric(X, M.A), add_symmetric(X + 3 * stride, M.C);
  Lanes4 xa = none, xb = none, xc = none, ya = none, yb = none, yc = none, za = none, zb = none, zc = none;
  for (int i = 0; i < width; ++i, X += 4) {
    const Lanes4 d = lanes(d_inverse, i), x = d * lanes(X), y = d * lanes(X + stride), z = d * lanes(X + 2 * stride);
    const Lanes4 a = lanes(X + 3 * stride), b = lanes(X + 4 * stride), c = lanes(X + 5 * stride);
    xa += x * a, xb += x * b, xc += x * c, ya += y * a, yb += y * b, yc += y * c, za += z * a, zb += z * b, zc += z * c;
  }
  M.B.d0 += sums(xa, yb, zc).v, M.B.d1 += sums(xb, yc, za).v, M.B.d2 += sums(xc, ya, zb).v;
}

/// One closure of a node, as its elimination sees it.
struct Closure {
  const ClosureNode::Block& block;
  int first, rows;  // in the node's rows
  int place;        // of its first row in the block
  double* gamma;    // of its first row
  [[nodiscard]] double* row(int r) const { return gamma + r * block.stride; }
  [[nodiscard]] double at(int r, int s) const { return row(r)[place + s]; }
};

inline Closure closure_of(const ClosureNode& node, const ClosureNode::Block& block, const ClosureWork::Node& here, size_t i) {
  const int place = node.row[i] - block.row;
  return {block, node.row[i], node.count[i], place, here.gamma + block.gamma + place * block.stride};
}

/// Calls action(place in a row of Gamma, row) for every four rows that a row of a block may have something in common with.
template <class Action>
inline void for_coupled(const ClosureNode& node, const ClosureNode::Block& block, Action action) {
  for (int i = 0; i < block.width; ++i) action(4 * i, block.row + 4 * i);
  for (const ClosureNode::Link& link : node.links_of(block))
    for (int i = 0; i < link.width; ++i) action(link.at + 4 * i, link.row + 4 * i);
}

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
    auto& n = null[static_cast<size_t>(k)];
    n.setZero();
    n[cut.pivot[static_cast<size_t>(k)]] = 1;
    for (int i = cut.rank - 1; i >= 0; --i) {
      const int r = cut.pivot[static_cast<size_t>(i)];
      double sum = own.at(r, cut.pivot[static_cast<size_t>(k)]);
      for (int j = i + 1; j < cut.rank; ++j) sum += own.at(r, cut.pivot[static_cast<size_t>(j)]) * n[cut.pivot[static_cast<size_t>(j)]];
      n[r] = -here.d_inverse[own.first + r] * sum;
      apart = apart && n[r] == 0;
    }
    if (apart) continue;
    for (int j = cut.rank; j < k; ++j) n -= null[static_cast<size_t>(j)].dot(n) * null[static_cast<size_t>(j)];
    n.normalize();
  }
}

/// Takes from a closure's numbers their part in its null space; those behind its rows are read and written back as they are.
void leave_null_space(const ClosureWork::NullSpace& null, int rank, int rows, double* values) {
  if (rank == rows) return;
  const bool wide = rows > 4;
  Lanes4 first = loose(values), second = wide ? Lanes4(loose(values + 4)) : Lanes4{0, 0, 0, 0};
  for (int k = rank; k < rows; ++k) {
    const double* const n = null[static_cast<size_t>(k)].data();
    const Lanes4 n_first = loose(n), n_second = loose(n + 4);
    const Lanes4 part = sum_everywhere(n_first * first + n_second * second);
    first -= part * n_first, second -= part * n_second;
  }
  loose(values) = first;
  if (wide) loose(values + 4) = second;
}

/// Eliminates closure i of a node, largest diagonal first, until what is left depends on what is gone.
void eliminate_closure(const ClosureNode& node, const ClosureNode::Block& block, size_t i, ClosureWork& closures,
                       const ClosureWork::Node& here) {
  ClosureWork::Cut& cut = closures.cuts[static_cast<size_t>(node.closures[i])];
  const Closure own = closure_of(node, block, here, i);
  Left left(own);
  const double least = closures.released ? std::numeric_limits<double>::infinity() : dependent * dependent * here.reference[own.first];
  int* const pivot = cut.pivot.data();
  for (int r = 0; r < own.rows; ++r) pivot[r] = r;
  int rank = 0;
  for (; rank < own.rows; ++rank) {
    int best = rank;
    double d = own.at(pivot[rank], pivot[rank]);
    for (int k = rank + 1; k < own.rows; ++k)
      if (const double other = own.at(pivot[k], pivot[k]); other > d) best = k, d = other;
    if (!(d > least)) break;
    std::swap(pivot[rank], pivot[best]);
    here.d_inverse[own.first + pivot[rank]] = 1 / d;
    eliminate_row(node, own, pivot[rank], pivot + rank + 1, own.rows - rank - 1, left, here, node.body >= 0);
  }
  cut.rank = rank;
  if (rank == own.rows) return;
  for (int k = rank; k < own.rows; ++k) here.d_inverse[own.first + pivot[k]] = 0;
  find_null_space(own, here, cut, closures.null[static_cast<size_t>(node.closures[i])]);
}

/// Factors a block of up to so many registers row by row; false, and nothing is changed, where it meets a row that may depend on others.
/// Many blocks have no such rows, and need no search for the largest diagonal.
template <int registers>
bool eliminate_block(const ClosureNode& node, const ClosureNode::Block& block, const ClosureWork::Node& here) {
  const int rows = block.rows, stride = block.stride;
  double* const gamma = here.gamma + block.gamma;
  Lanes4 left[4 * registers][registers], scaled[4 * registers][registers];
  double d_inverse[4 * registers];
  const double* const reference = here.reference + block.row;
  for (int r = 0; r < rows; ++r)
    if (!(gamma[r * (stride + 1)] > safe * reference[r])) return false;
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < registers; ++i) left[r][i] = lanes(gamma + r * stride, i);
  for (int r = 0; r < rows; ++r) {
    const double d = reinterpret_cast<const double*>(left[r])[r];
    if (!(d > safe * reference[r])) return false;
    d_inverse[r] = 1 / d;
    for (int i = 0; i < registers; ++i) {
      const int before = r + 1 - 4 * i;
      if (before > 0) left[r][i] = masked(left[r][i], ~first_lanes(std::min(before, 4)));
      scaled[r][i] = d_inverse[r] * left[r][i];
    }
    const double* const factor = reinterpret_cast<const double*>(scaled[r]);
    for (int s = r + 1; s < rows; ++s)
      for (int i = 0; i < registers; ++i) left[s][i] -= factor[s] * left[r][i];
  }
  for (int r = 0; r < rows; ++r) {
    here.d_inverse[block.row + r] = d_inverse[r];
    for (int i = 0; i < registers; ++i) lanes(gamma + r * stride, i) = left[r][i];
  }
  const double* const factors = reinterpret_cast<const double*>(scaled);
  for (const ClosureNode::Link& link : node.links_of(block))
    for (int i = 0; i < link.width; ++i) {
      double* const column = gamma + link.at + 4 * i;
      for (int r = 0; r + 1 < rows; ++r) {
        const Lanes4 common = lanes(column + r * stride);
        for (int s = r + 1; s < rows; ++s) lanes(column + s * stride) -= factors[4 * registers * r + s] * common;
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
      for (int i = r / 4; i < registers; ++i) lanes(own, i) -= own[r] * scaled[r][i];
    for (const ClosureNode::Link& link : node.links_of(block))
      for (int i = 0; i < link.width; ++i) {
        Lanes4 sum = lanes(X + link.row, i);
        for (int r = 0; r < rows; ++r) sum -= (d_inverse[r] * own[r]) * lanes(gamma + r * stride + link.at, i);
        lanes(X + link.row, i) = sum;
      }
  }
  return true;
}

void eliminate_block(const ClosureNode& node, const ClosureNode::Block& block, ClosureWork& closures, const ClosureWork::Node& here) {
  const size_t first = static_cast<size_t>(block.closures.first), last = static_cast<size_t>(block.closures.last);
  const bool done = !closures.released && (block.width == 1   ? eliminate_block<1>(node, block, here)
                                           : block.width == 2 ? eliminate_block<2>(node, block, here)
                                                              : false);
  for (size_t i = first; i < last; ++i) {
    if (!done) {
      eliminate_closure(node, block, i, closures, here);
      continue;
    }
    ClosureWork::Cut& cut = closures.cuts[static_cast<size_t>(node.closures[i])];
    cut.rank = node.count[i];
    cut.pivot = {0, 1, 2, 3, 4, 5};
  }
}

void pass_to_cuts(const ClosureNode& node, const ClosureNode::Block& block, ClosureWork& closures, const ClosureWork::Node& here) {
  for (size_t i = static_cast<size_t>(block.closures.first); i < static_cast<size_t>(block.closures.last); ++i) {
    Vector6& sigma = closures.cuts[static_cast<size_t>(node.closures[i])].sigma;
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
template <int registers>
void solve_block(const ClosureNode& node, const ClosureNode::Block& block, ClosureWork& closures, const ClosureWork::Node& here) {
  Lanes4 sigma[registers];
  for (Lanes4& four : sigma) four = Lanes4{0, 0, 0, 0};
  double* const given = here.sigma + block.row;
  for (int i = block.closures.last; i-- > block.closures.first;) {
    const size_t c = static_cast<size_t>(node.closures[static_cast<size_t>(i)]);
    ClosureWork::Cut& cut = closures.cuts[c];
    const Closure own = closure_of(node, block, here, static_cast<size_t>(i));
    for (int p = cut.rank - 1; p >= 0; --p) {
      const int place = own.place + cut.pivot[static_cast<size_t>(p)];
      const double* const row = here.gamma + block.gamma + place * block.stride;
      Lanes4 taken = linked(node, block, row, here.sigma);
      for (int k = 0; k < registers; ++k) taken += lanes(row, k) * sigma[k];
      const Lanes4 found = here.d_inverse[block.row + place] * (given[place] - sum_everywhere(taken));
      for (int k = 0; k < registers; ++k)
        if (registers == 1 || k == place / 4) sigma[k] += masked(found, lane(place % 4));
    }
    if (cut.rank == own.rows) continue;
    double values[4 * registers + 4] = {};
    for (int k = 0; k < registers; ++k) loose(values + 4 * k) = sigma[k];
    leave_null_space(closures.null[c], cut.rank, own.rows, values + own.place);
    for (int k = 0; k < registers; ++k) sigma[k] = loose(values + 4 * k);
  }
  for (int k = 0; k < registers; ++k) lanes(given, k) = sigma[k];
  pass_to_cuts(node, block, closures, here);
}

/// The same for blocks of any size.
void solve_block(const ClosureNode& node, const ClosureNode::Block& block, ClosureWork& closures, const ClosureWork::Node& here) {
  for (int i = block.closures.last; i-- > block.closures.first;) {
    const size_t c = static_cast<size_t>(node.closures[static_cast<size_t>(i)]);
    const ClosureWork::Cut& cut = closures.cuts[c];
    const Closure own = closure_of(node, block, here, static_cast<size_t>(i));
    double* const sigma = here.sigma + own.first;
    for (int p = cut.rank; p < own.rows; ++p) sigma[cut.pivot[static_cast<size_t>(p)]] = 0;
    for (int p = cut.rank - 1; p >= 0; --p) {
      const int r = cut.pivot[static_cast<size_t>(p)];
      const double* const row = own.row(r);
      Lanes4 taken = linked(node, block, row, here.sigma);
      for (int k = 0; k < block.width; ++k) taken += lanes(row, k) * lanes(here.sigma + block.row, k);
      sigma[r] = here.d_inverse[own.first + r] * (sigma[r] - sum(taken));
    }
    leave_null_space(closures.null[c], cut.rank, own.rows, sigma);
  }
  pass_to_cuts(node, block, closures, here);
}

/// The body's own sides: the joint pushes the child with D sigma, which its inboard joint need not carry, and the parent the other way.
void add_sides(const ClosureNode& node, const ClosureWork& closures, double* X) {
  const int stride = node.rows;
  for (const ClosureNode::Side& side : node.sides) {
    const ClosureWork::Cut& cut = closures.cuts[static_cast<size_t>(side.closure)];
    const Wide3& arm = side.child ? cut.arm_child : cut.arm_parent;
    const double sign = side.child ? -1 : 1;
    if (side.row % 4 == 0 && side.rows > 1) {
      for (int r = 0; r < side.rows; r += 4) {
        FourRows rows = rows_of(cut.D.data() + r, sign);
        rows.move(arm);
        add_rows(rows, first_lanes(4), X + side.row + r, stride);
      }
      continue;
    }
    for (int r = 0; r < side.rows; ++r) {
      const int row = side.row + r;
      add_rows(four_times(sign * wrench_from(cut.D[static_cast<size_t>(r)], arm)), lane(row % 4), X + row / 4 * 4, stride);
    }
  }
}

}  // namespace

ClosureWork::ClosureWork(const Plan& plan) {
  const Wide6 none = Wide6::zero();
  for (const PlanClosure& closure : plan.closures) {
    Cut cut{};
    cut.D.fill(none), cut.known = cut.T = cut.T_rate = none, cut.sigma.setZero();
    if (closure.coupling >= 0) cut.D[0].linear = Wide3(Vec3{1, 0, 0});
    cuts.push_back(cut);
    scale.push_back(length_scale(plan, closure));
  }
  null.resize(cuts.size()), error.resize(cuts.size());
  X_FM.resize(cuts.size()), V_FM.resize(cuts.size()), gap_F.resize(cuts.size()), D_F.resize(6 * cuts.size()),
      Ddot_F.resize(6 * cuts.size());
  freedoms.resize(cuts.size());
  for (Freedoms& freedom : freedoms) freedom.dual_F.resize(6, 0), freedom.dual.resize(6, 0);
  step.assign(static_cast<size_t>(plan.nu_all), 0);
  momentum.assign(plan.bodies.size(), none), load.assign(plan.bodies.size(), none);
  const ClosureNode& last = plan.closure_nodes.back();
  const Lanes4 zeros{0, 0, 0, 0};  // between the rows too
  const size_t rows = static_cast<size_t>(last.place.row + last.rows) / 4 + 1;
  X.assign(6 * rows, zeros), g.assign(rows, zeros), sigma.assign(rows, zeros), d_inverse.assign(rows, zeros);
  y.assign(6 * static_cast<size_t>(last.place.open / 4 + last.open().width), zeros);
  gamma.assign(static_cast<size_t>(last.place.gamma + last.gamma_size) / 4 + 1, zeros);
  reference.assign(rows, zeros);
  for (const ClosureNode& node : plan.closure_nodes) {
    const ClosureNode::Place& at = node.place;
    const auto numbers = [](std::vector<Lanes4>& from, int first) { return reinterpret_cast<double*>(from.data() + first / 4); };
    nodes.push_back({numbers(X, 6 * at.row), numbers(g, at.row), numbers(sigma, at.row), numbers(d_inverse, at.row),
                     numbers(y, 6 * at.open), numbers(gamma, at.gamma), numbers(reference, at.row)});
  }
}

void close_inertia(const Plan& plan, size_t n, Workspace& work, WideInertia& M) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = closures.nodes[n];
  const bool grounded = node.body < 0;
  const int stride = node.rows;
  clear(node.gamma_size / 4, here.gamma);
  if (!grounded) {
    clear(6 * stride / 4, here.X);
    add_sides(node, closures, here.X);
  }
  // What the children pass on: X, and Gamma of every pair that is open there.
  for (const int child : node.children) {
    const ClosureNode& below = plan.closure_nodes[static_cast<size_t>(child)];
    const ClosureWork::Node& from = closures.nodes[static_cast<size_t>(child)];
    const int from_stride = below.open().stride;
    for (const ClosureNode::Entries& entries : below.upward_gamma) {
      const Mask4 mask = chosen_lanes(entries.lanes);
      const double* source = from.gamma + entries.from;
      double* sum = here.gamma + entries.to;
      for (int r = 0; r < entries.rows; ++r, source += from_stride, sum += entries.to_stride) lanes(sum) += masked(loose(source), mask);
    }
    if (grounded) continue;
    const Wide3 arm = work.body[static_cast<size_t>(below.body)].arm;
    const double* const X = from.X + below.first_open_row();
    for (const ClosureNode::Run& run : below.upward) {
      FourRows rows = rows_from(X + run.from, below.rows);
      rows.move(arm);
      add_rows(rows, chosen_lanes(run.lanes), here.X + run.to, stride);
    }
  }
  if (node.eliminated == 0) return;
  for (const ClosureNode::Block& block : node.closing())
    for (size_t i = static_cast<size_t>(block.closures.first); i < static_cast<size_t>(block.closures.last); ++i) {
      const Closure own = closure_of(node, block, here, i);
      double trace = 0;
      const double* diagonal = own.gamma + own.place;
      for (int r = 0; r < own.rows; ++r, diagonal += block.stride + 1) trace += *diagonal;
      for (int r = 0; r < own.rows; ++r) here.reference[own.first + r] = trace;
    }
  for (const ClosureNode::Block& block : node.closing()) eliminate_block(node, block, closures, here);
  if (!grounded) add_dyads(here.X, stride, here.d_inverse, node.first_open_row() / 4, M);
}

void close_bias(const Plan& plan, size_t n, Workspace& work, Wide6& bias) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = closures.nodes[n];
  clear(node.rows / 4, here.g);
  const bool grounded = node.body < 0;
  const auto add = [](double* g, const Wide6* X, int rows, double factor, const Wide6& V) {
    if (dot(V, V) == 0) return;
    for (int r = 0; r < rows; ++r) g[r] += factor * dot(X[r], V);
  };
  for (size_t i = 0; i < static_cast<size_t>(node.eliminated); ++i) {
    const size_t c = static_cast<size_t>(node.closures[i]);
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = closures.cuts[c];
    double* const g = here.g + node.row[i];
    add(g, cut.D.data(), closure.rows, 1, cut.known);
    // A side that is a ground: its velocity is known.
    if (!grounded || closure.coupling >= 0) continue;
    if (closure.child < plan.grounds)
      add(g, cut.D.data(), closure.rows, -1, velocity_at(ground_motion(work, closure.child), cut.arm_child));
    if (closure.parent < plan.grounds)
      add(g, cut.D.data(), closure.rows, 1, velocity_at(ground_motion(work, closure.parent), cut.arm_parent));
  }
  for (const int child : node.children) {
    const ClosureNode& below = plan.closure_nodes[static_cast<size_t>(child)];
    const ClosureWork::Node& from = closures.nodes[static_cast<size_t>(child)];
    double* const passed = from.g + below.first_open_row();
    if (grounded && below.body >= 0) {
      const BodyWork& body = work.body[static_cast<size_t>(below.body)];
      const Wide6 V = velocity_at(ground_motion(work, plan.bodies[static_cast<size_t>(below.body)].parent), body.arm);
      if (dot(V, V) != 0)
        for (int i = 0; i < below.open().width; ++i) lanes(passed, i) += dot_rows(from.X + below.first_open_row() + 4 * i, below.rows, V);
    }
    for (const ClosureNode::Run& run : below.upward) lanes(here.g + run.to) += masked(loose(passed + run.from), chosen_lanes(run.lanes));
  }
  if (node.eliminated == 0) return;
  // The eliminations of close_inertia, repeated for g.
  for (const ClosureNode::Block& block : node.closing())
    for (size_t i = static_cast<size_t>(block.closures.first); i < static_cast<size_t>(block.closures.last); ++i) {
      const ClosureWork::Cut& cut = closures.cuts[static_cast<size_t>(node.closures[i])];
      const Closure own = closure_of(node, block, here, i);
      leave_null_space(closures.null[static_cast<size_t>(node.closures[i])], cut.rank, own.rows, here.g + own.first);
      for (int p = 0; p < cut.rank; ++p) {
        const int r = cut.pivot[static_cast<size_t>(p)];
        const double sigma = here.d_inverse[own.first + r] * here.g[own.first + r];
        const double* const row = own.row(r);
        for_coupled(node, block, [&](int from, int to) { lanes(here.g + to) -= sigma * lanes(row + from); });
      }
    }
  if (grounded) return;
  const int width = node.first_open_row() / 4;
  for (int i = 0; i < width; ++i) lanes(here.sigma, i) = lanes(here.d_inverse, i) * lanes(here.g, i);
  bias += sum_of_rows(here.X, node.rows, here.sigma, width);
}

Wide6 closed_inertia_times(const Plan& plan, size_t n, const Workspace& work, const Wide6& V) {
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = work.closures->nodes[n];
  const int width = node.first_open_row() / 4;
  for (int i = 0; i < width; ++i) lanes(here.sigma, i) = lanes(here.d_inverse, i) * dot_rows(here.X + 4 * i, node.rows, V);
  return sum_of_rows(here.X, node.rows, here.sigma, width);
}

void take_open_multipliers(const Plan& plan, size_t n, Workspace& work) {
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = work.closures->nodes[n];
  double* const open = here.sigma + node.first_open_row();
  clear(node.open().width, open);
  if (node.parent < 0) return;
  const double* const found = work.closures->nodes[static_cast<size_t>(node.parent)].sigma;
  for (const ClosureNode::Run& run : node.downward) lanes(open + run.to) += masked(loose(found + run.from), chosen_lanes(run.lanes));
}

void open_node(const Plan& plan, size_t n, Workspace& work, const Wide6& V) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = closures.nodes[n];
  if (node.eliminated == 0) return;
  // Right-hand sides take the places of the multipliers until these are known.
  for (int i = 0; i < node.first_open_row() / 4; ++i) {
    lanes(here.sigma, i) = lanes(here.g, i);
    if (node.body >= 0) lanes(here.sigma, i) += dot_rows(here.X + 4 * i, node.rows, V);
  }
  for (size_t b = node.blocks.size() - 1; b-- > 0;) {
    const ClosureNode::Block& block = node.blocks[b];
    switch (block.width) {
      case 1: solve_block<1>(node, block, closures, here); break;
      case 2: solve_block<2>(node, block, closures, here); break;
      default: solve_block(node, block, closures, here);
    }
  }
}

}  // namespace arthron
