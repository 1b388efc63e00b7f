#include "plotting/thinning.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace arthron::cli {
namespace {

using Points = std::vector<std::pair<double, double>>;

Points by_columns(const Points& points, const Axis& x, double width) {
  constexpr double columns_per_pixel = 2;
  Points kept;
  const auto column = [&](const auto& point) { return std::floor(x.share(point.first) * width * columns_per_pixel); };
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    while (end < points.size() && column(points[end]) == column(points[begin])) ++end;
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin), behind = points.begin() + static_cast<std::ptrdiff_t>(end);
    const auto [low, high] = std::minmax_element(first, behind, [](const auto& a, const auto& b) { return a.second < b.second; });
    std::array<Points::const_iterator, 4> wanted = {first, low, high, behind - 1};
    std::sort(wanted.begin(), wanted.end());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (i == 0 || wanted[i] != wanted[i - 1]) kept.push_back(*wanted[i]);
  }
  return kept;
}

Points by_distance(const Points& points, const Axis& x, const Axis& y, double width, double height) {
  constexpr double apart = 0.25;  // [px]
  Points kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool last = i + 1 == points.size();
    if (!kept.empty() && !last &&
        std::hypot((x.share(points[i].first) - x.share(kept.back().first)) * width,
                   (y.share(points[i].second) - y.share(kept.back().second)) * height) < apart)
      continue;
    kept.push_back(points[i]);
  }
  return kept;
}

}  // namespace

std::vector<Points> drawn_points(const Series& series, const Axis& x, const Axis& y, double width, double height) {
  constexpr std::size_t few = 500;
  std::vector<Points> runs(1);
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    if (std::isfinite(series.x[i]) && std::isfinite(series.y[i])) {
      // Axes hold all values but for rounding, and that would be cut off.
      runs.back().emplace_back(std::clamp(series.x[i], x.low, x.high), std::clamp(series.y[i], y.low, y.high));
    } else if (!runs.back().empty()) {
      runs.emplace_back();
    }
  }
  if (runs.back().empty()) runs.pop_back();
  for (Points& run : runs) {
    if (run.size() <= few) continue;
    const bool grows = std::is_sorted(run.begin(), run.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    run = grows ? by_columns(run, x, width) : by_distance(run, x, y, width, height);
  }
  return runs;
}

}  // namespace arthron::cli
