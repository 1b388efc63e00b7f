#include "arthron/dynamics/directions.hpp"

#include <Eigen/QR>

namespace arthron {

void split_directions(const Columns6& H, Columns6& H_dual, Columns6& D) {
  const Eigen::Index columns = H.cols();
  if (columns == 0) {
    H_dual.resize(6, 0);
    D = Matrix6::Identity();
    return;
  }
  const Eigen::HouseholderQR<Columns6> qr(H);
  Matrix6 Q = Matrix6::Identity();
  Q.applyOnTheLeft(qr.householderQ());
  D = Q.rightCols(6 - columns);
  // H = Q1 R, so H (H^T H)^-1 = Q1 R^-T.
  using SmallSquare = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
  const SmallSquare R = qr.matrixQR().topRows(columns).template triangularView<Eigen::Upper>();
  H_dual = R.triangularView<Eigen::Upper>().solve(Q.leftCols(columns).transpose()).transpose();
}

}  // namespace arthron
