#pragma once
#include <utility>
#include <vector>

#include "plotting/axis.hpp"
#include "plotting/figure.hpp"

namespace arthron::cli {

/// The runs of points between the gaps of a series, as few of them as draw the same picture on `width` times `height` pixels: where x only
/// grows, the first, lowest, highest and last of every pixel column; otherwise those that lie apart.
[[nodiscard]] std::vector<std::vector<std::pair<double, double>>> drawn_points(const Series& series, const Axis& x, const Axis& y,
                                                                               double width, double height);

}  // namespace arthron::cli
