#include <algorithm>
#include <cmath>
#include <limits>

#include "arthron/dynamics/directions.hpp"
#include "arthron/dynamics/multiplier_system.hpp"
#include "arthron/topology/elimination.hpp"

namespace arthron {

namespace {

using Eigen::Index;
using std::size_t;

/// Up to six rows and columns, never on the heap.
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 6>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using Block = Eigen::Map<Small, 0, Eigen::OuterStride<>>;

/// A = P^T [L; B] [L; B]^T P of a semidefinite A: `rank` rows of it, largest diagonal first, until less than `least` is left.
struct PivotedCholesky {
  Small L;                   // lower triangle; rows below `rank` depend on those above
  std::array<int, 6> pivot;  // place -> row
  Index rank = 0;

  void factor(const Small& A, double least) {
    L = A;
    const Index n = A.rows();
    for (Index i = 0; i < n; ++i) pivot[static_cast<size_t>(i)] = static_cast<int>(i);
    for (rank = 0; rank < n; ++rank) {
      Index best = 0;
      const double d = L.diagonal().tail(n - rank).maxCoeff(&best);
      if (!(d > least)) return;
      best += rank;
      L.row(rank).swap(L.row(best)), L.col(rank).swap(L.col(best));
      std::swap(pivot[static_cast<size_t>(rank)], pivot[static_cast<size_t>(best)]);
      L(rank, rank) = std::sqrt(d);
      for (Index i = rank + 1; i < n; ++i) L(i, rank) /= L(rank, rank);
      for (Index i = rank + 1; i < n; ++i) {
        for (Index j = rank + 1; j < i; ++j) L(j, i) = L(i, j) -= L(i, rank) * L(j, rank);
        L(i, i) -= L(i, rank) * L(i, rank);
      }
    }
  }

  void lower_solve(double* x) const {
    for (Index i = 0; i < rank; ++i) {
      for (Index j = 0; j < i; ++j) x[i] -= L(i, j) * x[j];
      x[i] /= L(i, i);
    }
  }
  void upper_solve(double* x) const {
    for (Index i = rank; i-- > 0;) {
      for (Index j = i + 1; j < rank; ++j) x[i] -= L(j, i) * x[j];
      x[i] /= L(i, i);
    }
  }

  /// Combination k >= rank of the rows that is zero.
  [[nodiscard]] SmallVector null_vector(Index k) const {
    SmallVector places = SmallVector::Zero(L.rows()), n(L.rows());
    for (Index j = 0; j < rank; ++j) places[j] = -L(k, j);
    upper_solve(places.data());
    places[k] = 1;
    for (Index i = 0; i < L.rows(); ++i) n[pivot[static_cast<size_t>(i)]] = places[i];
    return n;
  }
};

/// Orthonormal vectors that are zero behind the first `rows` numbers, and the rest of those.
struct Split {
  Columns6 null, rest;
};

void split(const PivotedCholesky& factor, Split& to) {
  const Index rows = factor.L.rows(), nulls = rows - factor.rank;
  Columns6 taken = Columns6::Zero(6, nulls + 6 - rows), dual;
  for (Index k = 0; k < nulls; ++k) {
    Vector6 n = Vector6::Zero();
    n.head(rows) = factor.null_vector(factor.rank + k);
    for (Index before = 0; before < k; ++before) n -= taken.col(before).dot(n) * taken.col(before);
    taken.col(k) = n.normalized();
  }
  for (Index i = rows; i < 6; ++i) taken(i, nulls + i - rows) = 1;
  split_directions(taken, dual, to.rest);
  to.null = taken.leftCols(nulls);
}

class SubsystemSystem final : public MultiplierSystem {
 public:
  SubsystemSystem(std::span<const int> rows, const std::vector<std::pair<int, int>>& coupled);

  Place block(int r, int s) override;
  void clear() override { std::fill(A_.begin(), A_.end(), 0.0); }
  void factor() override;
  void solve(double* x) override;
  int rank(int block) const override { return static_cast<int>(numbers_[place(block)].cholesky.rank); }
  void null_space(int block, std::array<Vector6, 6>& null) const override;

 private:
  /// One closure in the order of elimination, with its blocks.
  struct Item {
    int rows, first, place;  // rows; the first of them in x and in x_
    int diagonal;
    int first_link, last_link;
    int first_fill, last_fill;
  };
  /// Block with a later item, rows by its rows.
  struct Link {
    int item, block;
  };
  /// to -= left^T right.
  struct Fill {
    int left, right;  // links
    int to;           // block
  };
  struct Numbers {
    Split basis;  // of the closure's rows: its own null space, and what is left to eliminate
    bool reduced = false;
    Index size = 0;  // of what is left
    double trace = 0;
    PivotedCholesky cholesky;
  };

  [[nodiscard]] size_t place(int block) const { return static_cast<size_t>(place_[static_cast<size_t>(block)]); }
  Block at(int offset, Index rows, Index columns, int stride) { return {A_.data() + offset, rows, columns, Eigen::OuterStride<>(stride)}; }
  Block diagonal(size_t i) { return at(items_[i].diagonal, numbers_[i].size, numbers_[i].size, items_[i].rows); }
  Block linked(const Link& link, Index rows) {
    const size_t j = static_cast<size_t>(link.item);
    return at(link.block, rows, numbers_[j].size, items_[j].rows);
  }
  int block_of(int left, int right) const;
  void leave_own_null_space(size_t i);
  void reduce_links(size_t i);
  void eliminate(size_t i);
  void forward(double* x) const;
  void backward(double* x) const;
  template <class Use>
  void each_dependent(Use use) const;
  void apply_normal(const std::vector<double>& p, std::vector<double>& q) const;
  void project(std::vector<double>& x);

  std::vector<Item> items_;
  std::vector<int> place_;  // block -> item
  std::vector<Link> links_;
  std::vector<Fill> fills_;
  std::vector<double> A_;
  std::vector<Numbers> numbers_;  // per item
  Index dependent_rows_ = 0;      // across closures
  std::vector<double> x_, w_, residual_, direction_, image_;
};

SubsystemSystem::SubsystemSystem(std::span<const int> rows, const std::vector<std::pair<int, int>>& coupled) {
  const int count = static_cast<int>(rows.size());
  const EliminationOrder order = minimum_degree(count, count, coupled);
  std::vector<int> first(1, 0);
  for (const int r : rows) first.push_back(first.back() + r);
  place_.resize(rows.size());
  int size = 0, row = 0;
  for (size_t i = 0; i < order.order.size(); ++i) {
    const size_t c = static_cast<size_t>(order.order[i]);
    place_[c] = static_cast<int>(i);
    items_.push_back({rows[c], first[c], row, size, static_cast<int>(links_.size()), 0, 0, 0});
    row += rows[c];
    size += rows[c] * rows[c];
    for (const int later : order.later[i]) {
      links_.push_back({later, size});
      size += rows[c] * rows[static_cast<size_t>(order.order[static_cast<size_t>(later)])];
    }
    items_.back().last_link = static_cast<int>(links_.size());
  }
  for (Item& item : items_) {
    item.first_fill = static_cast<int>(fills_.size());
    for (int a = item.first_link; a < item.last_link; ++a)
      for (int b = a; b < item.last_link; ++b)
        fills_.push_back({a, b, block_of(links_[static_cast<size_t>(a)].item, links_[static_cast<size_t>(b)].item)});
    item.last_fill = static_cast<int>(fills_.size());
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  A_.assign(static_cast<size_t>(size), nan);
  numbers_.resize(items_.size());
  for (std::vector<double>* v : {&x_, &w_, &residual_, &direction_, &image_}) v->assign(static_cast<size_t>(row), nan);
}

int SubsystemSystem::block_of(int left, int right) const {
  const Item& item = items_[static_cast<size_t>(left)];
  if (left == right) return item.diagonal;
  const auto begin = links_.begin() + item.first_link, end = links_.begin() + item.last_link;
  return std::lower_bound(begin, end, right, [](const Link& link, int number) { return link.item < number; })->block;
}

MultiplierSystem::Place SubsystemSystem::block(int r, int s) {
  const int a = static_cast<int>(place(r)), b = static_cast<int>(place(s));
  const int early = std::min(a, b), late = std::max(a, b), stride = items_[static_cast<size_t>(late)].rows;
  double* const values = A_.data() + block_of(early, late);
  return a <= b ? Place{values, stride, 1} : Place{values, 1, stride};
}

/// Changes the closure's rows to orthonormal combinations of which none depends on the others.
void SubsystemSystem::leave_own_null_space(size_t i) {
  Numbers& here = numbers_[i];
  const int rows = items_[i].rows;
  here.size = rows;
  const Small own = diagonal(i);
  here.trace = 0;
  for (int r = 0; r < rows; ++r) here.trace += own(r, r);
  here.cholesky.factor(own, dependent * dependent * here.trace);
  here.reduced = here.cholesky.rank < rows;
  if (!here.reduced) return;
  split(here.cholesky, here.basis);
  here.size = here.cholesky.rank;
  const Small Q = here.basis.rest.topRows(rows);
  const Small half = Q.transpose().lazyProduct(own);
  diagonal(i) = half.lazyProduct(Q);
}

void SubsystemSystem::reduce_links(size_t i) {
  for (int l = items_[i].first_link; l < items_[i].last_link; ++l) {
    const Link& link = links_[static_cast<size_t>(l)];
    const size_t j = static_cast<size_t>(link.item);
    const Numbers &here = numbers_[i], &there = numbers_[j];
    if (!here.reduced && !there.reduced) continue;
    Small block = at(link.block, items_[i].rows, items_[j].rows, items_[j].rows), half;
    if (here.reduced) {
      half = here.basis.rest.topRows(items_[i].rows).transpose().lazyProduct(block);
      block = half;
    }
    if (there.reduced) {
      half = block.lazyProduct(there.basis.rest.topRows(items_[j].rows));
      block = half;
    }
    linked(link, here.size) = block;
  }
}

/// Factors item i, turns its links into L^-1 P link, and takes its part from the later blocks.
void SubsystemSystem::eliminate(size_t i) {
  Numbers& here = numbers_[i];
  PivotedCholesky& own = here.cholesky;
  own.factor(diagonal(i), dependent * dependent * here.trace);
  dependent_rows_ += here.size - own.rank;
  for (int l = items_[i].first_link; l < items_[i].last_link; ++l) {
    Block block = linked(links_[static_cast<size_t>(l)], here.size);
    const Small before = block;
    for (Index r = 0; r < own.rank; ++r) {
      block.row(r) = before.row(own.pivot[static_cast<size_t>(r)]);
      for (Index k = 0; k < r; ++k) block.row(r) -= own.L(r, k) * block.row(k);
      block.row(r) /= own.L(r, r);
    }
  }
  for (int f = items_[i].first_fill; f < items_[i].last_fill; ++f) {
    const Fill& fill = fills_[static_cast<size_t>(f)];
    const Link &left = links_[static_cast<size_t>(fill.left)], &right = links_[static_cast<size_t>(fill.right)];
    const size_t a = static_cast<size_t>(left.item), b = static_cast<size_t>(right.item);
    at(fill.to, numbers_[a].size, numbers_[b].size, items_[b].rows) -=
        linked(left, own.rank).transpose().lazyProduct(linked(right, own.rank));
  }
}

void SubsystemSystem::factor() {
  for (size_t i = 0; i < items_.size(); ++i) leave_own_null_space(i);
  for (size_t i = 0; i < items_.size(); ++i) reduce_links(i);
  dependent_rows_ = 0;
  for (size_t i = 0; i < items_.size(); ++i) eliminate(i);
}

/// Item by item, x becomes L^-1 x of the independent rows, and of the dependent ones what the others leave of them. In the order of the
/// pivots from here on.
void SubsystemSystem::forward(double* x) const {
  for (size_t i = 0; i < items_.size(); ++i) {
    const Numbers& here = numbers_[i];
    const PivotedCholesky& own = here.cholesky;
    double* const at = x + items_[i].place;
    SmallVector places(here.size);
    for (Index r = 0; r < here.size; ++r) places[r] = at[own.pivot[static_cast<size_t>(r)]];
    own.lower_solve(places.data());
    for (Index r = own.rank; r < here.size; ++r)
      for (Index j = 0; j < own.rank; ++j) places[r] -= own.L(r, j) * places[j];
    for (Index r = 0; r < here.size; ++r) at[r] = places[r];
    for (int l = items_[i].first_link; l < items_[i].last_link; ++l) {
      const Link& link = links_[static_cast<size_t>(l)];
      const Item& later = items_[static_cast<size_t>(link.item)];
      for (Index r = 0; r < own.rank; ++r) {
        const double* const block = A_.data() + link.block + r * later.rows;
        for (Index s = 0; s < numbers_[static_cast<size_t>(link.item)].size; ++s) x[later.place + s] -= block[s] * places[r];
      }
    }
  }
}

/// Back from what forward() leaves, the dependent rows as they are given: L^T x = it.
void SubsystemSystem::backward(double* x) const {
  for (size_t i = items_.size(); i-- > 0;) {
    const Numbers& here = numbers_[i];
    const PivotedCholesky& own = here.cholesky;
    double* const at = x + items_[i].place;
    for (int l = items_[i].first_link; l < items_[i].last_link; ++l) {
      const Link& link = links_[static_cast<size_t>(l)];
      const Item& later = items_[static_cast<size_t>(link.item)];
      for (Index r = 0; r < own.rank; ++r) {
        const double* const block = A_.data() + link.block + r * later.rows;
        for (Index s = 0; s < numbers_[static_cast<size_t>(link.item)].size; ++s) at[r] -= block[s] * x[later.place + s];
      }
    }
    for (Index r = own.rank; r < here.size; ++r)
      for (Index j = 0; j < own.rank; ++j) at[j] -= own.L(r, j) * at[r];
    own.upper_solve(at);
    SmallVector places(here.size);
    for (Index r = 0; r < here.size; ++r) places[r] = at[r];
    for (Index r = 0; r < here.size; ++r) at[own.pivot[static_cast<size_t>(r)]] = places[r];
  }
}

/// use(row, dependent) for every row that is left to eliminate, in the order of the pivots.
template <class Use>
void SubsystemSystem::each_dependent(Use use) const {
  for (size_t i = 0; i < items_.size(); ++i)
    for (Index r = 0; r < numbers_[i].size; ++r) use(static_cast<size_t>(items_[i].place + r), r >= numbers_[i].cholesky.rank);
}

/// q = N^T N p of the dependent rows, N = [-L^-T B^T; 1] the null space.
void SubsystemSystem::apply_normal(const std::vector<double>& p, std::vector<double>& q) const {
  std::copy(p.begin(), p.end(), q.begin());
  backward(q.data());
  forward(q.data());
  each_dependent([&](size_t row, bool is) { q[row] = is ? q[row] : 0; });
}

/// Takes from x its part in the null space across closures: x -= N (N^T N)^-1 N^T x. N^T N = 1 + K K^T has no eigenvalue below one, so
/// that conjugate gradients end at rounding; what they leave the second round takes.
void SubsystemSystem::project(std::vector<double>& x) {
  constexpr int rounds = 2;
  constexpr double rounding = 1e-15;
  for (int round = 0; round < rounds && dependent_rows_ > 0; ++round) {
    std::copy(x.begin(), x.end(), residual_.begin());
    forward(residual_.data());
    double size = 0;
    each_dependent([&](size_t row, bool is) {
      residual_[row] = is ? residual_[row] : 0;
      direction_[row] = residual_[row], w_[row] = 0;
      size += residual_[row] * residual_[row];
    });
    const double enough = rounding * rounding * size;
    for (Index step = 0; step < 2 * dependent_rows_ + 10 && size > enough; ++step) {
      apply_normal(direction_, image_);
      double curvature = 0, next = 0;
      each_dependent([&](size_t row, bool) { curvature += direction_[row] * image_[row]; });
      const double length = size / curvature;
      each_dependent([&](size_t row, bool) {
        w_[row] += length * direction_[row];
        residual_[row] -= length * image_[row];
        next += residual_[row] * residual_[row];
      });
      each_dependent([&](size_t row, bool) { direction_[row] = residual_[row] + next / size * direction_[row]; });
      size = next;
    }
    backward(w_.data());
    each_dependent([&](size_t row, bool) { x[row] -= w_[row]; });
  }
}

void SubsystemSystem::solve(double* x) {
  for (size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    const Numbers& here = numbers_[i];
    for (Index r = 0; r < here.size; ++r) {
      double& value = x_[static_cast<size_t>(item.place + r)];
      value = here.reduced ? 0 : x[item.first + r];
      for (Index s = 0; here.reduced && s < item.rows; ++s) value += here.basis.rest(s, r) * x[item.first + s];
    }
  }
  project(x_);
  forward(x_.data());
  each_dependent([&](size_t row, bool is) { x_[row] = is ? 0 : x_[row]; });
  backward(x_.data());
  project(x_);
  for (size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    const Numbers& here = numbers_[i];
    for (Index s = 0; s < item.rows; ++s) {
      double& value = x[item.first + s];
      value = here.reduced ? 0 : x_[static_cast<size_t>(item.place + s)];
      for (Index r = 0; here.reduced && r < here.size; ++r) value += here.basis.rest(s, r) * x_[static_cast<size_t>(item.place + r)];
    }
  }
}

void SubsystemSystem::null_space(int block, std::array<Vector6, 6>& null) const {
  const Numbers& here = numbers_[place(block)];
  const Index rows = items_[place(block)].rows, rank = here.cholesky.rank;
  for (Index k = rank; k < here.size; ++k) {
    Vector6& n = null[static_cast<size_t>(k)] = Vector6::Zero();
    const SmallVector own = here.cholesky.null_vector(k);
    if (here.reduced)
      n = here.basis.rest.lazyProduct(own);
    else
      n.head(rows) = own;
    for (Index before = rank; before < k; ++before) n -= null[static_cast<size_t>(before)].dot(n) * null[static_cast<size_t>(before)];
    n.normalize();
  }
  for (Index k = here.size; k < rows; ++k) null[static_cast<size_t>(k)] = here.basis.null.col(k - here.size);
}

}  // namespace

std::unique_ptr<MultiplierSystem> make_subsystem_system(std::span<const int> rows, const std::vector<std::pair<int, int>>& coupled) {
  return std::make_unique<SubsystemSystem>(rows, coupled);
}

}  // namespace arthron
