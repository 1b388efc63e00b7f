#include "arthron/formulations/joint_space/subsystem_system.hpp"

#include <algorithm>
#include <limits>

#include "arthron/dynamics/directions.hpp"
#include "arthron/topology/elimination.hpp"

namespace arthron {

using Eigen::Index;
using std::size_t;

void SubsystemSystem::split(const PivotedCholesky& factor, Basis& basis) {
  const Index rows = factor.L.rows(), nulls = rows - factor.rank;
  Columns6 taken = Columns6::Zero(6, nulls + 6 - rows), dual;
  for (Index k = 0; k < nulls; ++k) {
    Vector6 n = Vector6::Zero();
    n.head(rows) = factor.null_vector(factor.rank + k);
    for (Index before = 0; before < k; ++before) n -= taken.col(before).dot(n) * taken.col(before);
    taken.col(k) = n.normalized();
  }
  for (Index i = rows; i < 6; ++i) taken(i, nulls + i - rows) = 1;
  split_directions(taken, dual, basis.rest);
  basis.null = taken.leftCols(nulls);
}

SubsystemSystem::SubsystemSystem(std::span<const int> rows, const std::vector<std::pair<int, int>>& coupled,
                                 const std::vector<int>& stages) {
  const int count = static_cast<int>(rows.size());
  const EliminationOrder order = minimum_degree(count, count, coupled, stages);
  std::vector<int> first(1, 0);
  for (const int r : rows) first.push_back(first.back() + r);
  place_.resize(rows.size());
  int size = 0, row = 0;
  for (size_t i = 0; i < order.order.size(); ++i) {
    const size_t c = order.order[i];
    place_[c] = static_cast<int>(i);
    items_.push_back({rows[c], first[c], row, size, static_cast<int>(links_.size()), 0, 0, 0});
    row += rows[c];
    size += rows[c] * rows[c];
    for (const int later : order.later[i]) {
      links_.push_back({later, size});
      size += rows[c] * rows[order.order[later]];
    }
    items_.back().last_link = static_cast<int>(links_.size());
  }
  for (Item& item : items_) {
    item.first_fill = static_cast<int>(fills_.size());
    for (int a = item.first_link; a < item.last_link; ++a)
      for (int b = a; b < item.last_link; ++b) fills_.push_back({a, b, block_of(links_[a].item, links_[b].item)});
    item.last_fill = static_cast<int>(fills_.size());
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  A_.assign(size, nan);
  numbers_.resize(items_.size());
  for (std::vector<double>* v : {&x_, &w_, &residual_, &direction_, &image_}) v->assign(row, nan);
}

std::vector<int> SubsystemSystem::order() const {
  std::vector<int> closures(place_.size());
  for (size_t c = 0; c < place_.size(); ++c) closures[place(static_cast<int>(c))] = static_cast<int>(c);
  return closures;
}

int SubsystemSystem::block_of(int left, int right) const {
  const Item& item = items_[left];
  if (left == right) return item.diagonal;
  const auto begin = links_.begin() + item.first_link, end = links_.begin() + item.last_link;
  return std::lower_bound(begin, end, right, [](const Link& link, int number) { return link.item < number; })->block;
}

MultiplierSystem::Place SubsystemSystem::block(int r, int s) {
  const int a = static_cast<int>(place(r)), b = static_cast<int>(place(s));
  const int early = std::min(a, b), late = std::max(a, b), stride = items_[late].rows;
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
  here.cholesky.factor(own, least_part() * here.trace);
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
    const Link& link = links_[l];
    const size_t j = link.item;
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

/// Square of the length of a combination of item i's rows, as it is before the earlier items take their part.
double SubsystemSystem::length_squared(size_t i, const SmallVector& combination) {
  const size_t end = static_cast<size_t>(items_[i].place) + static_cast<size_t>(combination.size());
  std::fill(image_.begin(), image_.end(), 0.0);
  std::copy(combination.begin(), combination.end(), image_.begin() + items_[i].place);
  backward(image_.data(), i);
  double sum = 0;
  for (size_t row = 0; row < end; ++row) sum += image_[row] * image_[row];
  return sum;
}

/// What is left of a diagonal is n^T A n of the combination n of rows that is left. Where the earlier items took nearly everything n is
/// long, and so is what rounding leaves: rows with n^T A n below dependent^2 of the trace by n^T n depend on the others all the same. Only
/// rows with little left are looked at, since looking takes as long as a substitution.
void SubsystemSystem::give_up_rounding(size_t i) {
  constexpr double suspect = 1e-3;
  PivotedCholesky& own = numbers_[i].cholesky;
  const double trace = numbers_[i].trace;
  while (own.rank > 0) {
    const Index last = own.rank - 1;
    const double left = own.L(last, last) * own.L(last, last);
    if (left > suspect * suspect * trace) return;
    own.rank = last;
    if (left < least_part() * trace * length_squared(i, own.null_vector(last))) continue;
    own.rank = last + 1;
    return;
  }
}

/// Factors item i, turns its links into L^-1 P link, and takes its part from the later blocks.
void SubsystemSystem::eliminate(size_t i) {
  Numbers& here = numbers_[i];
  PivotedCholesky& own = here.cholesky;
  own.factor(diagonal(i), least_part() * here.trace);
  give_up_rounding(i);
  dependent_rows_ += here.size - own.rank;
  for (int l = items_[i].first_link; l < items_[i].last_link; ++l) {
    Block block = linked(links_[l], here.size);
    const Small before = block;
    for (Index r = 0; r < own.rank; ++r) {
      block.row(r) = before.row(own.pivot[r]);
      for (Index k = 0; k < r; ++k) block.row(r) -= own.L(r, k) * block.row(k);
      block.row(r) /= own.L(r, r);
    }
  }
  for (int f = items_[i].first_fill; f < items_[i].last_fill; ++f) {
    const Fill& fill = fills_[f];
    const Link &left = links_[fill.left], &right = links_[fill.right];
    const size_t a = left.item, b = right.item;
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
    for (Index r = 0; r < here.size; ++r) places[r] = at[own.pivot[r]];
    own.lower_solve(places.data());
    for (Index r = own.rank; r < here.size; ++r)
      for (Index j = 0; j < own.rank; ++j) places[r] -= own.L(r, j) * places[j];
    for (Index r = 0; r < here.size; ++r) at[r] = places[r];
    for (int l = items_[i].first_link; l < items_[i].last_link; ++l) {
      const Link& link = links_[l];
      const Item& later = items_[link.item];
      for (Index r = 0; r < own.rank; ++r) {
        const double* const block = A_.data() + link.block + r * later.rows;
        for (Index s = 0; s < numbers_[link.item].size; ++s) x[later.place + s] -= block[s] * places[r];
      }
    }
  }
}

/// Back from what forward() leaves, the dependent rows as they are given: L^T x = it. Of the first `items`, the others being done.
void SubsystemSystem::backward(double* x, size_t items) const {
  for (size_t i = items; i-- > 0;) {
    const Numbers& here = numbers_[i];
    const PivotedCholesky& own = here.cholesky;
    double* const at = x + items_[i].place;
    for (int l = items_[i].first_link; l < items_[i].last_link; ++l) {
      const Link& link = links_[l];
      const Item& later = items_[link.item];
      for (Index r = 0; r < own.rank; ++r) {
        const double* const block = A_.data() + link.block + r * later.rows;
        for (Index s = 0; s < numbers_[link.item].size; ++s) at[r] -= block[s] * x[later.place + s];
      }
    }
    for (Index r = own.rank; r < here.size; ++r)
      for (Index j = 0; j < own.rank; ++j) at[j] -= own.L(r, j) * at[r];
    own.upper_solve(at);
    SmallVector places(here.size);
    for (Index r = 0; r < here.size; ++r) places[r] = at[r];
    for (Index r = 0; r < here.size; ++r) at[own.pivot[r]] = places[r];
  }
}

/// x := A^- x: a solution of the independent rows, the dependent ones left alone.
void SubsystemSystem::solve_independent(std::vector<double>& x) const {
  forward(x.data());
  each_row([&](size_t row, bool depends) { x[row] = depends ? 0 : x[row]; });
  backward(x.data());
}

void SubsystemSystem::solve(double* x) {
  for (size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    const Numbers& here = numbers_[i];
    for (Index r = 0; r < here.size; ++r) {
      double& value = x_[item.place + r];
      value = here.reduced ? 0 : x[item.first + r];
      for (Index s = 0; here.reduced && s < item.rows; ++s) value += here.basis.rest(s, r) * x[item.first + s];
    }
  }
  project(x_);
  solve_independent(x_);
  project(x_);
  for (size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    const Numbers& here = numbers_[i];
    for (Index s = 0; s < item.rows; ++s) {
      double& value = x[item.first + s];
      value = here.reduced ? 0 : x_[item.place + s];
      for (Index r = 0; here.reduced && r < here.size; ++r) value += here.basis.rest(s, r) * x_[item.place + r];
    }
  }
}

void SubsystemSystem::null_space(int block, std::array<Combination, 6>& null) const {
  const Numbers& here = numbers_[place(block)];
  const Index rows = items_[place(block)].rows, rank = here.cholesky.rank;
  Columns6 n = Columns6::Zero(6, rows);
  for (Index k = rank; k < here.size; ++k) {
    const SmallVector own = here.cholesky.null_vector(k);
    if (here.reduced)
      n.col(k) = here.basis.rest.lazyProduct(own);
    else
      n.col(k).head(rows) = own;
    for (Index before = rank; before < k; ++before) n.col(k) -= n.col(before).dot(n.col(k)) * n.col(before);
    n.col(k).normalize();
  }
  for (Index k = here.size; k < rows; ++k) n.col(k) = here.basis.null.col(k - here.size);
  for (Index k = rank; k < rows; ++k) std::copy_n(n.col(k).data(), 6, null[k].begin());
}

std::unique_ptr<MultiplierSystem> make_subsystem_system(std::span<const int> rows, const std::vector<std::pair<int, int>>& coupled,
                                                        const std::vector<int>& stages) {
  return std::make_unique<SubsystemSystem>(rows, coupled, stages);
}

}  // namespace arthron
