#pragma once
#include <cmath>
#include <vector>

namespace arthron {

/// Anderson's acceleration of a fixed-point iteration x = G(x), with the last `depth` differences: where plain iteration is slow, or runs
/// away, in a few directions only, it converges as if these were solved for. Allocates nothing after make_room.
class Anderson {
 public:
  void make_room(std::size_t size) {
    for (auto* columns : {&images_, &residuals_, &image_basis_, &residual_basis_}) columns->assign(depth, Vector(size, 0.0));
    for (Vector* v : {&last_image_, &last_residual_, &residual_}) v->assign(size, 0.0);
    restart();
  }
  void restart() { count_ = 0, begun_ = false; }

  /// Makes of g = G(x) the combination of the last images whose residuals g - x, measured in `weight`, cancel best.
  void improve(const std::vector<double>& x, const std::vector<double>& weight, std::vector<double>& g) {
    for (std::size_t i = 0; i < g.size(); ++i) residual_[i] = weight[i] * (g[i] - x[i]);
    if (begun_) remember_differences(g);
    last_image_ = g, last_residual_ = residual_;
    begun_ = true;
    cancel(g);
  }

 private:
  using Vector = std::vector<double>;
  static constexpr std::size_t depth = 6;

  void remember_differences(const Vector& g) {
    Vector &image = images_[newest_ = (newest_ + 1) % depth], &residual = residuals_[newest_];
    for (std::size_t i = 0; i < g.size(); ++i) image[i] = g[i] - last_image_[i], residual[i] = residual_[i] - last_residual_[i];
    count_ = count_ < depth ? count_ + 1 : depth;
  }

  /// Takes from the residual its part along the differences, newest first, and from the image what goes with it.
  void cancel(Vector& g) {
    // Differences that hardly differ from combinations of others, or from nothing, are rounding errors.
    constexpr double dependent = 1e-8, nothing = 1e-6;
    const double size = std::sqrt(dot(residual_, residual_));
    std::size_t used = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      const std::size_t column = (newest_ + depth - k) % depth;
      Vector &residual = residual_basis_[used] = residuals_[column], &image = image_basis_[used] = images_[column];
      const double length = std::sqrt(dot(residual, residual));
      for (std::size_t j = 0; j < used; ++j) subtract(dot(residual_basis_[j], residual), j, residual, image);
      const double left = std::sqrt(dot(residual, residual));
      if (!(left > dependent * length && left > nothing * size)) continue;
      for (double& value : residual) value /= left;
      for (double& value : image) value /= left;
      subtract(dot(residual, residual_), used++, residual_, g);
    }
  }

  void subtract(double factor, std::size_t basis, Vector& residual, Vector& image) const {
    for (std::size_t i = 0; i < residual.size(); ++i) {
      residual[i] -= factor * residual_basis_[basis][i];
      image[i] -= factor * image_basis_[basis][i];
    }
  }

  static double dot(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  std::vector<Vector> images_, residuals_;            // differences, as a ring
  std::vector<Vector> image_basis_, residual_basis_;  // of the differences in use
  Vector last_image_, last_residual_, residual_;
  std::size_t newest_ = 0, count_ = 0;
  bool begun_ = false;
};

}  // namespace arthron
