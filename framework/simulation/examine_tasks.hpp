#pragma once
#include <string>

#include "arthron/schedule/extent.hpp"
#include "arthron/simulation/simulation.hpp"

namespace arthron {

/// What an evaluation consists of, from costs measured here and now.
struct TaskReport {
  int parts = 0, joins = 0, tasks = 0;
  Extent extent;  // [ns]
  struct SpeedUp {
    int workers = 0;
    double expected = 1;
  };
  std::vector<SpeedUp> speed_ups;  // on 2, 8 and 64 workers
};

/// Measures the tasks of an evaluation at the present state. The simulation must have been started.
[[nodiscard]] TaskReport examine_tasks(Simulation& simulation);

[[nodiscard]] std::string to_text(const TaskReport& report);

}  // namespace arthron
