#include "report/channel_panes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace arthron::cli {
namespace {

using std::size_t;

constexpr size_t most_curves = 6;

/// "tip.position" of "tip.position.x".
std::string quantity_path(const std::string& name) {
  static const std::vector<std::string> components{"x", "y", "z", "w", "rx", "ry", "rz"};
  const size_t dot = name.rfind('.');
  const bool component =
      dot != std::string::npos && std::find(components.begin(), components.end(), name.substr(dot + 1)) != components.end();
  return component ? name.substr(0, dot) : name;
}

std::string quantity(const std::string& name) {
  const std::string path = quantity_path(name);
  return path.substr(path.rfind('.') + 1);
}

/// "position [m]", or "[m]" where several quantities meet.
std::string label(const Pane& pane, const std::string& unit) {
  const std::string first = quantity(pane.series.front().name);
  const bool one =
      std::all_of(pane.series.begin(), pane.series.end(), [&](const Series& series) { return quantity(series.name) == first; });
  return (one ? first + ' ' : "") + '[' + unit + ']';
}

}  // namespace

std::vector<Pane> channel_panes(const std::vector<ChannelColumn>& columns, const std::vector<double>& t,
                                const std::vector<std::vector<double>>& values) {
  std::vector<std::string> units;
  for (const ChannelColumn& column : columns)
    if (std::find(units.begin(), units.end(), column.unit) == units.end()) units.push_back(column.unit);
  std::vector<Pane> panes;
  for (const std::string& unit : units) {
    std::vector<size_t> of_unit;
    for (size_t i = 0; i < columns.size(); ++i)
      if (columns[i].unit == unit) of_unit.push_back(i);
    Pane pane{"", "time [s]", "", {}};
    const auto finish = [&] {
      if (pane.series.empty()) return;
      pane.y_label = label(pane, unit);
      panes.push_back(std::exchange(pane, {"", "time [s]", "", {}}));
    };
    for (size_t i = 0; i < of_unit.size();) {
      size_t end = i;
      while (end < of_unit.size() && quantity_path(columns[of_unit[end]].name) == quantity_path(columns[of_unit[i]].name)) ++end;
      if (pane.series.size() + (end - i) > most_curves) finish();
      for (; i < end; ++i) pane.series.push_back({columns[of_unit[i]].name, t, values[of_unit[i]]});
    }
    finish();
  }
  return panes;
}

ChannelFigures figures_of(const std::vector<double>& values) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  ChannelFigures figures{nan, nan, nan, nan, nan};
  double squares = 0;
  size_t count = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    if (count++ == 0) figures.start = value;
    figures.end = value;
    figures.least = std::fmin(figures.least, value), figures.largest = std::fmax(figures.largest, value);
    squares += value * value;
  }
  if (count > 0) figures.rms = std::sqrt(squares / static_cast<double>(count));
  return figures;
}

}  // namespace arthron::cli
