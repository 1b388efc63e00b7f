#pragma once
#include <algorithm>
#include <utility>

#include "arthron/dynamics/multiplier_system.hpp"
#include "arthron/dynamics/pivoted_cholesky.hpp"

namespace arthron {

/// Block by block: closures of a lower stage first, and in an order of little fill among equals; only blocks of coupled closures and fill
/// exist. What a closure's rows have of dependence
/// among themselves leaves first, by an orthonormal change of its rows; only dependence across closures is left to a projection of all
/// multipliers at once: conjugate gradients with sweeps over the factor, none where there is no such dependence.
[[nodiscard]] std::unique_ptr<MultiplierSystem> make_subsystem_system(std::span<const int> rows,
                                                                      const std::vector<std::pair<int, int>>& coupled,
                                                                      const std::vector<int>& stages = {});

/// The MultiplierSystem of make_subsystem_system.
class SubsystemSystem final : public MultiplierSystem {
 public:
  SubsystemSystem(std::span<const int> rows, const std::vector<std::pair<int, int>>& coupled, const std::vector<int>& stages = {});

  /// Closures as they are eliminated; multipliers are found in the reverse order.
  [[nodiscard]] std::vector<int> order() const;

  Place block(int r, int s) override;
  void clear() override { std::fill(A_.begin(), A_.end(), 0.0); }
  void factor() override;
  void solve(double* x) override;
  int rank(int block) const override { return static_cast<int>(numbers_[place(block)].cholesky.rank); }
  void null_space(int block, std::array<Combination, 6>& null) const override;

 private:
  using Block = Eigen::Map<Small, 0, Eigen::OuterStride<>>;
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
  /// Orthonormal combinations of a closure's rows: its own null space, and what is left to eliminate; zero behind its rows.
  struct Basis {
    Columns6 null, rest;
  };
  struct Numbers {
    Basis basis;
    bool reduced = false;
    Eigen::Index size = 0;  // of what is left
    double trace = 0;
    PivotedCholesky cholesky;
  };

  [[nodiscard]] std::size_t place(int block) const { return static_cast<std::size_t>(place_[block]); }
  Block at(int offset, Eigen::Index rows, Eigen::Index columns, int stride) {
    return {A_.data() + offset, rows, columns, Eigen::OuterStride<>(stride)};
  }
  Block diagonal(std::size_t i) { return at(items_[i].diagonal, numbers_[i].size, numbers_[i].size, items_[i].rows); }
  Block linked(const Link& link, Eigen::Index rows) {
    const std::size_t j = link.item;
    return at(link.block, rows, numbers_[j].size, items_[j].rows);
  }
  static void split(const PivotedCholesky& factor, Basis& basis);
  int block_of(int left, int right) const;
  void leave_own_null_space(std::size_t i);
  void reduce_links(std::size_t i);
  void eliminate(std::size_t i);
  void give_up_rounding(std::size_t i);
  [[nodiscard]] double length_squared(std::size_t i, const SmallVector& combination);
  void forward(double* x) const;
  void backward(double* x, std::size_t items) const;
  void backward(double* x) const { backward(x, items_.size()); }
  template <class Use>
  void each_row(Use use) const;
  void solve_independent(std::vector<double>& x) const;
  void apply_normal(const std::vector<double>& p, std::vector<double>& q) const;
  void project(std::vector<double>& x);

  std::vector<Item> items_;
  std::vector<int> place_;  // block -> item
  std::vector<Link> links_;
  std::vector<Fill> fills_;
  std::vector<double> A_;
  std::vector<Numbers> numbers_;     // per item
  Eigen::Index dependent_rows_ = 0;  // across closures
  std::vector<double> x_, w_, residual_, direction_, image_;
};

/// use(row, depends) for every row that is left to eliminate, in the order of the pivots.
template <class Use>
void SubsystemSystem::each_row(Use use) const {
  for (std::size_t i = 0; i < items_.size(); ++i)
    for (Eigen::Index r = 0; r < numbers_[i].size; ++r) use(static_cast<std::size_t>(items_[i].place + r), r >= numbers_[i].cholesky.rank);
}

}  // namespace arthron
