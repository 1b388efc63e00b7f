#include "arthron/component/table.hpp"

#include <math.h>  // pchip.hpp of Boost 1.74 wants isnan in the global namespace

#include <algorithm>
#include <boost/math/interpolators/pchip.hpp>
#include <functional>
#include <utility>

#include "arthron/core/diagnostic.hpp"

namespace arthron {

namespace {

/// Slopes at the points. PCHIP wants four points, so one is laid straight beyond either end: the end slopes are the end chords then.
std::vector<double> smooth_slopes(const std::vector<double>& x, const std::vector<double>& y) {
  const auto beyond = [](double at, double from) { return 2 * at - from; };
  const std::size_t n = x.size();
  std::vector<double> px{beyond(x[0], x[1])}, py{beyond(y[0], y[1])};
  px.insert(px.end(), x.begin(), x.end()), py.insert(py.end(), y.begin(), y.end());
  px.push_back(beyond(x[n - 1], x[n - 2])), py.push_back(beyond(y[n - 1], y[n - 2]));
  const boost::math::interpolators::pchip curve(std::move(px), std::move(py));
  std::vector<double> slopes(n);
  std::transform(x.begin(), x.end(), slopes.begin(), [&](double at) { return curve.prime(at); });
  return slopes;
}

}  // namespace

Table::Table(std::vector<double> x, std::vector<double> y, Interpolation interpolation) {
  const std::size_t n = x.size();
  if (n < 2 || y.size() != n || std::adjacent_find(x.begin(), x.end(), std::greater_equal<>()) != x.end())
    throw InternalError("Table: at least two points with x strictly increasing");
  const auto chord = [&](std::size_t i) { return (y[i + 1] - y[i]) / (x[i + 1] - x[i]); };

  cubics_.push_back({x[0], {y[0], chord(0), 0, 0}, 0});
  const std::vector<double> slopes = interpolation == Interpolation::smooth ? smooth_slopes(x, y) : std::vector<double>();
  double area = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = x[i + 1] - x[i], d = chord(i);
    if (interpolation == Interpolation::linear) {
      cubics_.push_back({x[i], {y[i], d, 0, 0}, area});
      area += h * (y[i] + y[i + 1]) / 2;
    } else {
      const double s0 = slopes[i], s1 = slopes[i + 1];
      cubics_.push_back({x[i], {y[i], s0, (3 * d - 2 * s0 - s1) / h, (s0 + s1 - 2 * d) / (h * h)}, area});
      area += h * (y[i] + y[i + 1]) / 2 + h * h * (s0 - s1) / 12;
    }
  }
  cubics_.push_back({x[n - 1], {y[n - 1], chord(n - 2), 0, 0}, area});
  area_to_zero_ = area_to(0);
}

const Table::Cubic& Table::piece(double x) const {
  // The first piece reaches down to minus infinity: search among the others.
  const auto next = std::upper_bound(cubics_.begin() + 1, cubics_.end(), x, [](double at, const Cubic& cubic) { return at < cubic.start; });
  return *(next - 1);
}

Table::Sample Table::at(double x) const {
  if (empty()) return {0, 0, 0};
  const Cubic& p = piece(x);
  const double s = x - p.start;
  return {p.c[0] + s * (p.c[1] + s * (p.c[2] + s * p.c[3])), p.c[1] + s * (2 * p.c[2] + s * 3 * p.c[3]), 2 * p.c[2] + s * 6 * p.c[3]};
}

std::vector<double> Table::breaks() const {
  std::vector<double> points;
  for (const Cubic& cubic : cubics_)
    if (points.empty() || points.back() != cubic.start) points.push_back(cubic.start);
  return points;
}

double Table::area_to(double x) const {
  const Cubic& p = piece(x);
  const double s = x - p.start;
  return p.area + s * (p.c[0] + s * (p.c[1] / 2 + s * (p.c[2] / 3 + s * p.c[3] / 4)));
}

double Table::integral(double x) const { return empty() ? 0 : area_to(x) - area_to_zero_; }

}  // namespace arthron
