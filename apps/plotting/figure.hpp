#pragma once
#include <string>
#include <vector>

/// Pictures of curves over one another, for papers and reports.
namespace arthron::cli {

/// A curve. A number that is not finite leaves a gap.
struct Series {
  std::string name{};
  std::vector<double> x{}, y{};
  bool points = false;        // dots that no line joins
  int colour = -1, dash = 0;  // numbers of styles; without a colour each curve of a pane has its own
};

struct Pane {
  std::string title{}, x_label{}, y_label{};
  std::vector<Series> series{};
};

/// Panes fill rows of `columns`. Those of a column that have the same x label share its range, and the lowest carries label and numbers.
struct Figure {
  std::string title{};
  std::vector<Pane> panes{};
  int columns = 1;
  int width = 900, pane_height = 260;  // [px]
};

/// The figure as an SVG document, drawn by gnuplot. Throws ModelError naming `option` when there is no gnuplot.
[[nodiscard]] std::string to_svg(const Figure& figure, const std::string& option);
[[nodiscard]] std::string to_png(const Figure& figure, const std::string& option);

}  // namespace arthron::cli
