#pragma once
#include <vector>

#include "arthron/simulation/run.hpp"
#include "arthron/spatial/lane_count.hpp"

/// Runs of variants that share a topology, several at a time on SIMD lanes.
namespace arthron {

/// One variant: its own Simulation, columns and watcher.
struct LaneVariant {
  Simulation* simulation;
  ChannelSet* channels;
  RunObserver observer{};
};

/// Why these simulations cannot run together on lanes; empty where they can: trees without closed loops or feedback that share a topology,
/// with the same fixed-step method (rk2, rk4), step, end and output step. Numbers, places, states and functions of time may differ.
[[nodiscard]] std::string lanes_apply(const std::vector<const Simulation*>& simulations);

/// What run() does with each of the variants, to rounding, in a fraction of the time: lane_count of them are integrated at once. One that
/// fails ends alone. Throws ModelError where lanes_apply has something to say. Wall time is that of all that went together.
[[nodiscard]] std::vector<RunSummary> run_on_lanes(const std::vector<LaneVariant>& variants);

}  // namespace arthron
