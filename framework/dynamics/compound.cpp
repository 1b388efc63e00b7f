#include "arthron/dynamics/compound.hpp"

#include <Eigen/LU>

namespace arthron {

void join(const Segment& near, const Segment& far, Segment& both, Matrix6& N) {
  N = (Matrix6::Identity() + near.gamma * far.M).partialPivLu().inverse();
  const Matrix6 K = far.M * N, XK = near.X * (K + K.transpose()) / 2;
  both.M = near.M + XK * near.X.transpose();
  both.has_tip = far.has_tip;
  if (!far.has_tip) return;
  both.X = near.X * N.transpose() * far.X;
  const Matrix6 mobility = N * near.gamma;
  both.gamma = far.gamma + far.X.transpose() * (mobility + mobility.transpose()) / 2 * far.X;
}

void join_biases(const Segment& near, const Segment& far, const Matrix6& N, const Vector6& taken, Segment& both) {
  const Vector6 V_tip = velocity_between(near, N, taken, Vector6::Zero());
  both.b = near.b + near.X * (far.M * V_tip + taken);
  if (far.has_tip) both.g = far.g + far.X.transpose() * V_tip;
}

Vector6 velocity_between(const Segment& near, const Matrix6& N, const Vector6& taken, const Vector6& V) {
  return N * (near.X.transpose() * V + near.g - near.gamma * taken);
}

}  // namespace arthron
