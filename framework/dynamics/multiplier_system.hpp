#pragma once
#include <array>
#include <memory>
#include <span>
#include <vector>

namespace arthron {

/// A symmetric positive semidefinite matrix A of square blocks of one to six rows, one a closure, and x = A^+ b: of all x that come closest
/// to A x = b the smallest. A row depends on the others when what is left of its diagonal, after these took their part, is below
/// dependent^2 of the trace of its own block. Sized once; the numerical functions allocate nothing.
class MultiplierSystem {
 public:
  static constexpr double dependent = 1e-5;
  /// Where somebody else has set the dependent rows apart, see uneven_loops.hpp, no row that is left depends on others.
  void take_all_as_independent() { least_part_ = 0; }

  /// Where a block is: entry (i, j) at values[i * row_stride + j * column_stride].
  struct Place {
    double* values;
    int row_stride, column_stride;
  };

  MultiplierSystem() = default;
  MultiplierSystem(const MultiplierSystem&) = delete;
  MultiplierSystem& operator=(const MultiplierSystem&) = delete;
  virtual ~MultiplierSystem() = default;

  /// Where block (r, s), r <= s, is to be written before factor(): a diagonal one whole, of the others each once.
  [[nodiscard]] virtual Place block(int r, int s) = 0;
  /// All blocks zero.
  virtual void clear() = 0;
  /// Factors the matrix in place.
  virtual void factor() = 0;
  /// x := A^+ x, rows of the first block first; after factor().
  virtual void solve(double* x) = 0;

  /// Independent rows of a block, and orthonormal combinations of its rows that depend on others, in null[rank, rows); after factor().
  [[nodiscard]] virtual int rank(int block) const = 0;
  using Combination = std::array<double, 6>;
  virtual void null_space(int block, std::array<Combination, 6>& null) const = 0;

 protected:
  [[nodiscard]] double least_part() const { return least_part_; }

 private:
  double least_part_ = dependent * dependent;  // of a trace
};

/// One dense factorisation of everything: cubic in the number of rows. Rows with the largest share of their block's trace left first:
///   P A P^T = [L; K L] [L; K L]^T,      null space [-K^T; 1],      projection by (1 + K K^T)^-1
[[nodiscard]] std::unique_ptr<MultiplierSystem> make_whole_system(std::span<const int> rows);

}  // namespace arthron
