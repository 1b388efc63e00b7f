#include "arthron/component/spline.hpp"

#include <Eigen/SparseLU>
#include <boost/math/quadrature/gauss.hpp>
#include <functional>

namespace arthron {

namespace {

using std::size_t;

/// Second derivatives m at the knots, from the continuity of slopes there:
///   h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 ((v_{i+1} - v_i)/h_i - (v_i - v_{i-1})/h_{i-1})
/// with m = 0 at the ends of an open one, and all indices in a ring for a closed one.
std::vector<Vec3> second_derivatives(const std::vector<double>& s, const std::vector<Vec3>& v, bool closed) {
  const size_t n = v.size();
  const auto step = [&](size_t i) { return s[i % n + 1] - s[i % n]; };
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixX3d right = Eigen::MatrixX3d::Zero(static_cast<Eigen::Index>(n), 3);
  const auto add = [&](size_t row, size_t column, double entry) {
    entries.emplace_back(static_cast<int>(row), static_cast<int>(column), entry);
  };
  for (size_t i = 0; i < n; ++i) {
    if (!closed && (i == 0 || i + 1 == n)) {
      add(i, i, 1);
      continue;
    }
    const size_t before = (i + n - 1) % n, after = (i + 1) % n;
    const double h0 = step(before), h1 = step(i);
    add(i, before, h0), add(i, i, 2 * (h0 + h1)), add(i, after, h1);
    const Vec3 bend = (6 / h1) * (v[after] - v[i]) - (6 / h0) * (v[i] - v[before]);
    right.row(static_cast<Eigen::Index>(i)) << bend.x, bend.y, bend.z;
  }
  Eigen::SparseMatrix<double> matrix(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(matrix);
  const Eigen::MatrixX3d solution = factors.solve(right);
  std::vector<Vec3> m(n);
  for (size_t i = 0; i < n; ++i) {
    const auto row = solution.row(static_cast<Eigen::Index>(i));
    m[i] = {row[0], row[1], row[2]};
  }
  return m;
}

double length(const Spline& curve, double from, double to) {
  return boost::math::quadrature::gauss<double, 15>::integrate([&](double s) { return norm(curve.at(s).slope); }, from, to);
}

/// True when cubics can be laid from place to place.
bool increases(const std::vector<double>& s) {
  return std::isfinite(s.back()) && std::adjacent_find(s.begin(), s.end(), std::not_fn(std::less<>())) == s.end();
}

/// The same curve by the length along it: every piece is cut into many, which cubics of the length follow far better than the whole. `s`
/// becomes the lengths at the old knots. Nothing where the length does not grow.
std::optional<Spline> by_length(const Spline& curve, bool closed, std::vector<double>& s) {
  constexpr int parts = 64;
  std::vector<double> lengths{0}, at_knots{0};
  std::vector<Vec3> points{curve.at(s[0]).value};
  for (size_t i = 0; i + 1 < s.size(); ++i) {
    const double step = (s[i + 1] - s[i]) / parts;
    for (int k = 0; k < parts; ++k) {
      const double from = s[i] + k * step, to = k + 1 < parts ? from + step : s[i + 1];
      lengths.push_back(lengths.back() + length(curve, from, to));
      points.push_back(curve.at(to).value);
    }
    at_knots.push_back(lengths.back());
  }
  if (!increases(lengths)) return {};
  if (closed) points.pop_back();
  s = at_knots;
  return Spline(lengths, points, closed);
}

}  // namespace

Spline::Spline(const std::vector<double>& s, const std::vector<Vec3>& values, bool closed) {
  const size_t n = values.size();
  const std::vector<Vec3> m = second_derivatives(s, values, closed);
  const auto slope_at_start = [&](size_t i) {
    const double h = s[i + 1] - s[i];
    return (1 / h) * (values[(i + 1) % n] - values[i]) - (h / 6) * (2 * m[i] + m[(i + 1) % n]);
  };
  if (!closed) cubics_.push_back({s[0], {values[0], slope_at_start(0), {}, {}}});
  for (size_t i = 0; i + 1 < s.size(); ++i)
    cubics_.push_back({s[i], {values[i], slope_at_start(i), 0.5 * m[i], (1 / (6 * (s[i + 1] - s[i]))) * (m[(i + 1) % n] - m[i])}});
  if (closed)
    period_ = s.back() - s.front();
  else
    cubics_.push_back({s.back(), {values.back(), at(s.back()).slope, {}, {}}});
}

const Spline::Cubic& Spline::piece(double s) const {
  const auto after =
      std::upper_bound(cubics_.begin() + 1, cubics_.end(), s, [](double at, const Cubic& cubic) { return at < cubic.start; });
  return *(after - 1);
}

std::optional<Spline> curve_through(const std::vector<Vec3>& points, bool closed, std::vector<double>& s) {
  s = {0};
  for (size_t i = 0; i + 1 < points.size(); ++i) s.push_back(s.back() + norm(points[i + 1] - points[i]));
  if (closed) s.push_back(s.back() + norm(points.front() - points.back()));
  // Knots at the lengths of the curve that the last lengths gave: so it bends as evenly as its points allow.
  for (int round = 0; round < 5; ++round) {
    if (!increases(s)) return {};
    const Spline curve(s, points, closed);
    std::vector<double> lengths{0};
    for (size_t i = 0; i + 1 < s.size(); ++i) lengths.push_back(lengths.back() + length(curve, s[i], s[i + 1]));
    s = lengths;
  }
  if (!increases(s)) return {};
  return by_length(Spline(s, points, closed), closed, s);
}

}  // namespace arthron
