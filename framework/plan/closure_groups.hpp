#pragma once
#include <vector>

#include "arthron/topology/elimination.hpp"

namespace arthron {

/// Closures that are eliminated together, in the order of elimination, and the later groups each is coupled with.
struct ClosureGroups {
  std::vector<std::vector<int>> members;  // places in the order of elimination
  std::vector<std::vector<int>> later;    // ascending; members.size() stands for the open closures
};

/// Joins closures with the next ones they are coupled with, where the rows of both together fill few more registers than one by one: each
/// block costs as much book-keeping as some rows. Those that are coupled with nothing further share registers.
[[nodiscard]] ClosureGroups group_closures(const EliminationOrder& order, const std::vector<int>& rows, int eliminated);

}  // namespace arthron
