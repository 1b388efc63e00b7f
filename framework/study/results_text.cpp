#include <algorithm>
#include <cmath>
#include <cstdio>

#include "arthron/simulation/shortest_text.hpp"
#include "arthron/study/run_study.hpp"

namespace arthron {
namespace {

struct Statistics {
  std::size_t count = 0, min_at = 0, max_at = 0;
  double min = 0, max = 0, mean = 0, squares = 0;  // squares of the distances from the mean

  /// Welford's recursion, which stays exact where the mean is large.
  void take(std::size_t variant, double value) {
    ++count;
    if (count == 1 || value < min) min = value, min_at = variant;
    if (count == 1 || value > max) max = value, max_at = variant;
    const double distance = value - mean;
    mean += distance / static_cast<double>(count);
    squares += distance * (value - mean);
  }
  [[nodiscard]] double deviation() const { return count > 1 ? std::sqrt(squares / static_cast<double>(count - 1)) : 0; }
};

std::string line(const std::string& name, int width, const std::string& min, const std::string& at, const std::string& mean,
                 const std::string& max, const std::string& max_at, const std::string& deviation) {
  char text[256];
  std::snprintf(text, sizeof text, "%-*s %11s %8s %11s %11s %8s %11s\n", width, name.c_str(), min.c_str(), at.c_str(), mean.c_str(),
                max.c_str(), max_at.c_str(), deviation.c_str());
  return text;
}

}  // namespace

std::string results_text(const Study& study, const std::vector<StudyRow>& rows) {
  std::vector<std::string> names;
  std::size_t width = 18;
  for (const ChannelColumn& column : study.results()) {
    names.push_back(column.name + " [" + column.unit + ']');
    width = std::clamp(names.back().size() + 1, width, std::size_t{60});
  }
  const int columns = static_cast<int>(width);
  std::string text = line("result", columns, "min", "variant", "mean", "max", "variant", "deviation");
  for (std::size_t i = 0; i < names.size(); ++i) {
    Statistics of;
    for (const StudyRow& row : rows)
      if (row.status == StudyRow::Status::ok && std::isfinite(row.results[i])) of.take(row.variant, row.results[i]);
    if (of.count > 0)
      text += line(names[i], columns, rounded_text(of.min), std::to_string(of.min_at), rounded_text(of.mean), rounded_text(of.max),
                   std::to_string(of.max_at), rounded_text(of.deviation()));
  }
  return text;
}

}  // namespace arthron
