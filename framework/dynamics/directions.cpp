#include "arthron/dynamics/directions.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace arthron {

namespace {

using Basis = std::array<Vector6, 6>;

/// Takes from v its parts along the first `count` vectors of the basis, twice, so that rounding of the first time goes too; adds them to
/// `parts` where given.
void orthogonalise(const Basis& basis, int count, Vector6& v, double* parts = nullptr) {
  for (int pass = 0; pass < 2; ++pass)
    for (int j = 0; j < count; ++j) {
      const double part = basis[j].dot(v);
      v -= part * basis[j];
      if (parts) parts[j] += part;
    }
}

/// The axis that is farthest from the space of the first `count` vectors.
int farthest_axis(const Basis& basis, int count) {
  Vector6 within = Vector6::Zero();
  for (int j = 0; j < count; ++j) within += basis[j].cwiseAbs2();
  Eigen::Index axis = 0;
  within.minCoeff(&axis);
  return static_cast<int>(axis);
}

}  // namespace

double independence(const Columns6& H) {
  Basis Q;
  double least = std::numeric_limits<double>::infinity(), longest = 1;
  for (int k = 0; k < static_cast<int>(H.cols()); ++k) {
    Vector6 v = H.col(k);
    longest = std::max(longest, v.norm());
    orthogonalise(Q, k, v);
    least = std::min(least, v.norm());
    Q[k] = v / v.norm();
  }
  return least / longest;
}

void split_directions(const Columns6& H, Columns6& H_dual, Columns6& D) {
  const int columns = static_cast<int>(H.cols());
  // H = Q R by Gram and Schmidt, Q completed to an orthonormal basis.
  Basis Q;
  std::array<std::array<double, 6>, 6> R{};  // by columns
  for (int k = 0; k < columns; ++k) {
    Vector6 v = H.col(k);
    orthogonalise(Q, k, v, R[k].data());
    R[k][k] = v.norm();
    Q[k] = v / v.norm();
  }
  D.resize(6, 6 - columns);
  for (int k = columns; k < 6; ++k) {
    Vector6 v = Vector6::Unit(farthest_axis(Q, k));
    orthogonalise(Q, k, v);
    D.col(k - columns) = Q[k] = v / v.norm();
  }
  // H (H^T H)^-1 = Q R^-T, the last column first.
  H_dual.resize(6, columns);
  for (int j = columns - 1; j >= 0; --j) {
    Vector6 v = Q[j];
    for (int i = j + 1; i < columns; ++i) v -= R[i][j] * H_dual.col(i);
    H_dual.col(j) = v / R[j][j];
  }
}

}  // namespace arthron
