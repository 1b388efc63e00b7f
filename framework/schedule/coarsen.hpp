#pragma once
#include "arthron/schedule/extent.hpp"

namespace arthron {

/// The same work for so many workers, in fewer tasks. Each worker is given a run of places that costs about its share, because numbers
/// travel slowly from core to core, and keeps what it can do without waiting for others in one task. The place of a task is its worker.
[[nodiscard]] TaskGraph coarsen(const TaskGraph& graph, const std::vector<double>& costs, int workers);

/// How many times as fast as one worker so many would be, of the costs given.
[[nodiscard]] double expected_speed_up(const TaskGraph& graph, const std::vector<double>& costs, int workers);

}  // namespace arthron
