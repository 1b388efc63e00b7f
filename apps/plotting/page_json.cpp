#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "arthron/core/diagnostic.hpp"
#include "plotting/chosen_curves.hpp"
#include "plotting/gnuplot_script.hpp"

namespace arthron::cli {
namespace {

nlohmann::json numbers(const std::vector<double>& values) {
  nlohmann::json list = nlohmann::json::array();
  for (const double value : values) list.push_back(std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr));
  return list;
}

/// The curve at the points of a grid that holds its own: in between on straight lines, NaN beyond its ends and in gaps.
std::vector<double> on_grid(const Curve& curve, const std::vector<double>& grid) {
  std::vector<double> values(grid.size(), std::nan(""));
  std::size_t behind = 0;  // the first row of the curve that is not before the point
  for (std::size_t i = 0; i < grid.size() && !curve.x.empty(); ++i) {
    while (behind + 1 < curve.x.size() && curve.x[behind] < grid[i]) ++behind;
    const double x1 = curve.x[behind];
    if (x1 == grid[i]) {
      values[i] = curve.y[behind];
    } else if (behind > 0 && x1 > grid[i]) {
      const double x0 = curve.x[behind - 1], share = (grid[i] - x0) / (x1 - x0);
      values[i] = (1 - share) * curve.y[behind - 1] + share * curve.y[behind];
    }
  }
  return values;
}

/// The x of all curves; in order where they have different ones.
std::vector<double> common_grid(const ChosenCurves& chosen, const std::string& option) {
  std::vector<double> grid = chosen.panes.front().curves.front().x;
  std::vector<double> all;
  bool same = true, in_order = true;
  for (const CurvePane& pane : chosen.panes) {
    for (const Curve& curve : pane.curves) {
      same = same && curve.x == grid;
      in_order = in_order && std::is_sorted(curve.x.begin(), curve.x.end());
      if (curve.x == grid && !all.empty()) continue;
      all.insert(all.end(), curve.x.begin(), curve.x.end());
    }
  }
  if (same) return grid;
  if (!in_order) throw ModelError({{"", 0, option, "several tables over an x that does not grow", "FILE.svg or FILE.png for these", ""}});
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

nlohmann::ordered_json page_json(const ChosenCurves& chosen, const std::string& title, bool points, const std::string& option) {
  const std::vector<double> grid = common_grid(chosen, option);
  nlohmann::ordered_json page = {{"title", plain_text(title)}, {"panes", nlohmann::json::array()}};
  for (const CurvePane& pane : chosen.panes) {
    nlohmann::ordered_json series = nlohmann::json::array();
    for (const Curve& curve : pane.curves) {
      nlohmann::ordered_json item = {{"name", plain_text(curve.name)}, {"unit", plain_text(curve.unit)}};
      if (points) item["points"] = true;
      item["y"] = numbers(curve.x == grid ? curve.y : on_grid(curve, grid));
      series.push_back(std::move(item));
    }
    page["panes"].push_back({{"label", plain_text(pane.unit)}, {"series", std::move(series)}});
  }
  page["x"] = {{"label", plain_text(chosen.x_label)}, {"values", numbers(grid)}};
  return page;
}

}  // namespace arthron::cli
