#include <algorithm>

#include "arthron/formulations/joint_space/subsystem_system.hpp"

/// Rows of one closure that depend on those of others.
namespace arthron {

using Eigen::Index;
using std::size_t;

/// q = N^T N p of the dependent rows, N = [-L^-T B^T; 1] the null space.
void SubsystemSystem::apply_normal(const std::vector<double>& p, std::vector<double>& q) const {
  std::copy(p.begin(), p.end(), q.begin());
  backward(q.data());
  forward(q.data());
  each_row([&](size_t row, bool depends) { q[row] = depends ? q[row] : 0; });
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
    each_row([&](size_t row, bool depends) {
      residual_[row] = depends ? residual_[row] : 0;
      direction_[row] = residual_[row], w_[row] = 0;
      size += residual_[row] * residual_[row];
    });
    const double enough = rounding * rounding * size;
    for (Index step = 0; step < 2 * dependent_rows_ + 10 && size > enough; ++step) {
      apply_normal(direction_, image_);
      double curvature = 0, next = 0;
      each_row([&](size_t row, bool) { curvature += direction_[row] * image_[row]; });
      const double length = size / curvature;
      each_row([&](size_t row, bool) {
        w_[row] += length * direction_[row];
        residual_[row] -= length * image_[row];
        next += residual_[row] * residual_[row];
      });
      each_row([&](size_t row, bool) { direction_[row] = residual_[row] + next / size * direction_[row]; });
      size = next;
    }
    backward(w_.data());
    each_row([&](size_t row, bool) { x[row] -= w_[row]; });
  }
}

}  // namespace arthron
