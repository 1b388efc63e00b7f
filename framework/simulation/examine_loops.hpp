#pragma once
#include <string>
#include <vector>

#include "arthron/simulation/simulation.hpp"

namespace arthron {

/// What closing the loops takes away, found at several positions: that of a simulation that was started, and others reached from it by
/// small random motions that close again (fixed seed).
struct LoopReport {
  int positions = 0;
  int freedom = 0;                   // degrees of freedom of the model, driven joints not counted
  int freedom_as_assembled = 0;      // more at a singular position
  std::vector<std::string> remarks;  // per closure: which of its directions are redundant, in words
};

[[nodiscard]] LoopReport examine_loops(const Simulation& simulation);

}  // namespace arthron
