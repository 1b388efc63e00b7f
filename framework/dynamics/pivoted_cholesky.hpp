#pragma once
#include <array>
#include <cmath>

#include "arthron/dynamics/dense6.hpp"

namespace arthron {

/// Up to six rows and columns, never on the heap.
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 6>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

/// A = P^T [L; B] [L; B]^T P of a semidefinite A: `rank` rows of it, largest diagonal first, until less than `least` is left.
struct PivotedCholesky {
  Small L;                   // lower triangle; rows below `rank` depend on those above
  std::array<int, 6> pivot;  // place -> row
  Eigen::Index rank = 0;

  void factor(const Small& A, double least) {
    L = A;
    const Eigen::Index n = A.rows();
    for (Eigen::Index i = 0; i < n; ++i) pivot[i] = static_cast<int>(i);
    for (rank = 0; rank < n; ++rank) {
      Eigen::Index best = 0;
      const double d = L.diagonal().tail(n - rank).maxCoeff(&best);
      if (!(d > least)) return;
      best += rank;
      L.row(rank).swap(L.row(best)), L.col(rank).swap(L.col(best));
      std::swap(pivot[rank], pivot[best]);
      L(rank, rank) = std::sqrt(d);
      for (Eigen::Index i = rank + 1; i < n; ++i) L(i, rank) /= L(rank, rank);
      for (Eigen::Index i = rank + 1; i < n; ++i) {
        for (Eigen::Index j = rank + 1; j < i; ++j) L(j, i) = L(i, j) -= L(i, rank) * L(j, rank);
        L(i, i) -= L(i, rank) * L(i, rank);
      }
    }
  }

  void lower_solve(double* x) const {
    for (Eigen::Index i = 0; i < rank; ++i) {
      for (Eigen::Index j = 0; j < i; ++j) x[i] -= L(i, j) * x[j];
      x[i] /= L(i, i);
    }
  }
  void upper_solve(double* x) const {
    for (Eigen::Index i = rank; i-- > 0;) {
      for (Eigen::Index j = i + 1; j < rank; ++j) x[i] -= L(j, i) * x[j];
      x[i] /= L(i, i);
    }
  }

  /// Combination k >= rank of the rows that is zero.
  [[nodiscard]] SmallVector null_vector(Eigen::Index k) const {
    SmallVector places = SmallVector::Zero(L.rows()), n(L.rows());
    for (Eigen::Index j = 0; j < rank; ++j) places[j] = -L(k, j);
    upper_solve(places.data());
    places[k] = 1;
    for (Eigen::Index i = 0; i < L.rows(); ++i) n[pivot[i]] = places[i];
    return n;
  }
};

}  // namespace arthron
