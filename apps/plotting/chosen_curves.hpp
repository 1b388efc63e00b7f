#pragma once
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plotting/figure.hpp"
#include "plotting/result_table.hpp"

/// From names of channels to curves in panes.
namespace arthron::cli {

struct CurveRequest {
  std::vector<std::string> channels{};                     // names, beginnings of names up to a dot, or patterns with *; none for all
  std::vector<std::vector<std::string>> panes{};           // the same for panes of their own
  std::string x{};                                         // channel along x; "" for the first column
  double from = -std::numeric_limits<double>::infinity();  // rows whose first column lies between
  double until = std::numeric_limits<double>::infinity();
  bool points = false;
};

struct Curve {
  std::string name, unit;
  std::vector<double> x, y;
  int channel = 0, table = 0;  // numbers of the channel in the pane and of the table
};

struct CurvePane {
  std::string label, unit;  // "position [m]", "m"; no unit where several are drawn
  std::vector<Curve> curves;
};

struct ChosenCurves {
  std::string x_label;
  std::vector<CurvePane> panes;
  std::size_t left_out = 0;  // channels beyond what a picture holds, where none were named
};

/// Channels of the same unit share a pane. Curves of several tables lie over one another, and their names tell which they are of.
/// Throws ModelError with every channel that no table has.
[[nodiscard]] ChosenCurves choose_curves(const std::vector<ResultTable>& tables, const CurveRequest& request);

/// The data of the plot page. Tables with rows at other x are given at those of all, in between by straight lines.
/// Throws ModelError naming `option` where that cannot be.
[[nodiscard]] nlohmann::ordered_json page_json(const ChosenCurves& chosen, const std::string& title, bool points,
                                               const std::string& option);

}  // namespace arthron::cli
