#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "arthron/dynamics/multiplier_system.hpp"
#include "arthron/spatial/wide.hpp"

namespace arthron {

namespace {

using std::size_t;

Lanes4 load(const double* from) {
  Lanes4 lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

/// Sums of four numbers at a time: a compiler may not reorder plain sums.
double dot(const double* a, const double* b, size_t count) {
  Lanes4 even{0, 0, 0, 0}, odd{0, 0, 0, 0};
  size_t i = 0;
  for (; i + 8 <= count; i += 8) even += load(a + i) * load(b + i), odd += load(a + i + 4) * load(b + i + 4);
  double total = sum(even + odd);
  for (; i < count; ++i) total += a[i] * b[i];
  return total;
}

/// a -= factor b.
void subtract(double factor, const double* b, size_t count, double* a) {
  for (size_t i = 0; i < count; ++i) a[i] -= factor * b[i];
}

class WholeSystem final : public MultiplierSystem {
 public:
  explicit WholeSystem(std::span<const int> rows) {
    first_.push_back(0);
    for (const int count : rows) first_.push_back(first_.back() + count);
    n_ = first_.back();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    A_.assign(n_ * n_, nan);
    for (std::vector<double>* numbers : {&left_, &per_trace_, &x_}) numbers->assign(n_, nan);
    order_.resize(n_);
    for (size_t c = 0; c + 1 < first_.size(); ++c) closure_.insert(closure_.end(), first_[c + 1] - first_[c], c);
  }

  Place block(int r, int s) override {
    const size_t a = first_[r], b = first_[s];
    return {row(b) + a, 1, static_cast<int>(n_)};
  }

  void clear() override { std::fill(A_.begin(), A_.end(), 0.0); }

  void factor() override {
    begin();
    for (rank_ = 0; rank_ < n_; ++rank_) {
      size_t best = rank_;
      for (size_t i = rank_ + 1; i < n_; ++i)
        if (share_left(i) > share_left(best)) best = i;
      if (!(share_left(best) > least_part())) break;
      exchange(rank_, best);
      eliminate(rank_);
    }
    if (rank_ < n_) find_dependence();
  }

  void solve(double* x) override {
    for (size_t i = 0; i < n_; ++i) x_[i] = x[order_[i]];
    project();
    for (size_t i = 0; i < rank_; ++i) x_[i] = (x_[i] - dot(row(i), x_.data(), i)) / row(i)[i];
    for (size_t i = rank_; i-- > 0;) {
      x_[i] /= row(i)[i];
      subtract(x_[i], row(i), i, x_.data());
    }
    std::fill(x_.begin() + static_cast<std::ptrdiff_t>(rank_), x_.end(), 0.0);
    project();
    for (size_t i = 0; i < n_; ++i) x[order_[i]] = x_[i];
  }

  int rank(int block) const override {
    int count = 0;
    for (size_t i = 0; i < rank_; ++i) count += closure_[order_[i]] == static_cast<size_t>(block);
    return count;
  }

  void null_space(int block, std::array<Combination, 6>& null) const override {
    const size_t c = block, first_null = rank(block);
    size_t k = first_null;
    // The part that the closure itself has in a vector [-K^T; 1] of the null space.
    for (size_t i = rank_; i < n_; ++i) {
      if (closure_[order_[i]] != c) continue;
      Combination& n = null[k];
      n.fill(0);
      n[order_[i] - first_[c]] = 1;
      for (size_t j = 0; j < rank_; ++j)
        if (closure_[order_[j]] == c) n[order_[j] - first_[c]] = -row(i)[j];
      for (size_t before = first_null; before < k; ++before)
        subtract(dot(null[before].data(), n.data(), 6), null[before].data(), 6, n.data());
      const double length = std::sqrt(dot(n.data(), n.data(), 6));
      for (double& value : n) value /= length;
      ++k;
    }
  }

 private:
  double* row(size_t i) { return A_.data() + i * n_; }
  [[nodiscard]] const double* row(size_t i) const { return A_.data() + i * n_; }
  [[nodiscard]] double share_left(size_t i) const { return left_[i] * per_trace_[order_[i]]; }

  void begin() {
    std::iota(order_.begin(), order_.end(), size_t{0});
    for (size_t i = 0; i < n_; ++i) left_[i] = row(i)[i];
    for (size_t c = 0; c + 1 < first_.size(); ++c) {
      double trace = 0;
      for (size_t i = first_[c]; i < first_[c + 1]; ++i) trace += left_[i];
      std::fill(per_trace_.begin() + static_cast<std::ptrdiff_t>(first_[c]),
                per_trace_.begin() + static_cast<std::ptrdiff_t>(first_[c + 1]), trace > 0 ? 1 / trace : 0);
    }
  }

  /// Exchanges rows and columns i < j of the lower triangle, of which the first i columns are factored.
  void exchange(size_t i, size_t j) {
    if (i == j) return;
    std::swap_ranges(row(i), row(i) + i, row(j));
    for (size_t k = i + 1; k < j; ++k) std::swap(row(k)[i], row(j)[k]);
    for (size_t k = j + 1; k < n_; ++k) std::swap(row(k)[i], row(k)[j]);
    std::swap(row(i)[i], row(j)[j]);
    std::swap(left_[i], left_[j]);
    std::swap(order_[i], order_[j]);
  }

  /// Column k of L, and what it leaves of the diagonal.
  void eliminate(size_t k) {
    const double pivot = std::sqrt(left_[k]);
    row(k)[k] = pivot;
    for (size_t i = k + 1; i < n_; ++i) {
      const double l = (row(i)[k] - dot(row(i), row(k), k)) / pivot;
      row(i)[k] = l;
      left_[i] -= l * l;
    }
  }

  /// K in place of the dependent rows' part of L, and behind it the factor of 1 + K K^T.
  void find_dependence() {
    for (size_t i = rank_; i < n_; ++i)
      for (size_t j = rank_; j-- > 0;) {
        row(i)[j] /= row(j)[j];
        subtract(row(i)[j], row(j), j, row(i));
      }
    for (size_t i = rank_; i < n_; ++i)
      for (size_t j = rank_; j <= i; ++j) row(i)[j] = dot(row(i), row(j), rank_) + (i == j ? 1 : 0);
    for (size_t i = rank_; i < n_; ++i)
      for (size_t j = rank_; j <= i; ++j) {
        const double rest = row(i)[j] - dot(row(i) + rank_, row(j) + rank_, j - rank_);
        row(i)[j] = i == j ? std::sqrt(rest) : rest / row(j)[j];
      }
  }

  /// Takes from x_ its part in the null space: x -= [-K^T; 1] (1 + K K^T)^-1 [-K 1] x.
  void project() {
    if (rank_ == n_) return;
    double* const w = x_.data();
    // x_ of the dependent rows is kept until w is known.
    for (size_t i = rank_; i < n_; ++i) left_[i] = w[i] - dot(row(i), w, rank_);
    for (size_t i = rank_; i < n_; ++i) left_[i] = (left_[i] - dot(row(i) + rank_, left_.data() + rank_, i - rank_)) / row(i)[i];
    for (size_t i = n_; i-- > rank_;) {
      left_[i] /= row(i)[i];
      subtract(left_[i], row(i) + rank_, i - rank_, left_.data() + rank_);
    }
    for (size_t i = rank_; i < n_; ++i) {
      subtract(-left_[i], row(i), rank_, w);
      w[i] -= left_[i];
    }
  }

  size_t n_ = 0, rank_ = 0;
  std::vector<size_t> first_;      // row of each block, and behind the last
  std::vector<size_t> closure_;    // per row
  std::vector<size_t> order_;      // place in the factor -> row
  std::vector<double> A_;          // by rows; lower triangle
  std::vector<double> left_;       // per place: what is left of the diagonal; then scratch
  std::vector<double> per_trace_;  // per row: 1 / trace of its block
  std::vector<double> x_;          // per place
};

}  // namespace

std::unique_ptr<MultiplierSystem> make_whole_system(std::span<const int> rows) { return std::make_unique<WholeSystem>(rows); }

}  // namespace arthron
