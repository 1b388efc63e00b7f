#pragma once
#include <utility>
#include <vector>

namespace arthron {

/// Order in which to eliminate the vertices [0, eliminated) of a symmetric pattern with the least fill in view (minimum degree), and the
/// pattern with that fill. The remaining vertices stay, in their order, behind the eliminated ones.
struct EliminationOrder {
  std::vector<int> order;               // new place -> old vertex
  std::vector<std::vector<int>> later;  // per new place: later places it is coupled with, ascending; filled in
};

/// With `stages`, a number per eliminated vertex, those of a lower one come first, and degrees decide among equals.
[[nodiscard]] EliminationOrder minimum_degree(int vertices, int eliminated, const std::vector<std::pair<int, int>>& couplings,
                                              const std::vector<int>& stages = {});

}  // namespace arthron
