#include "arthron/component/joint_chart.hpp"

#include <Eigen/QR>

namespace arthron {

void solve_least_squares(const double* A, int rows, int columns, const double* b, double* x) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 8, 6>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 8, 1>;
  const Matrix matrix = Eigen::Map<const Matrix>(A, rows, columns);
  const Vector solution = matrix.householderQr().solve(Vector(Eigen::Map<const Vector>(b, rows)));
  std::copy_n(solution.data(), columns, x);
}

}  // namespace arthron
