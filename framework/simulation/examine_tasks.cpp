#include "arthron/simulation/examine_tasks.hpp"

#include <cstdio>

#include "arthron/dynamics/programs.hpp"

namespace arthron {

TaskReport examine_tasks(Simulation& simulation) {
  const Plan& plan = simulation.plan();
  TaskReport report;
  report.parts = shared_part(plan), report.joins = static_cast<int>(plan.joins.size());
  const auto work = make_workspace(plan);
  // A workspace of its own, in which measurements and inputs are as they are now.
  work->signals = simulation.workspace().signals;
  std::vector<double> qdot(simulation.state().q.size()), pdot(simulation.state().p.size());
  const State& state = simulation.state();
  if (!evaluate_rates(plan, state.t, state.q.data(), state.p.data(), qdot.data(), pdot.data(), *work).ok()) return report;
  const TaskGraph& program = work->programs->evaluate;
  const std::vector<double> costs = measured_costs(program, work.get());
  report.tasks = static_cast<int>(program.tasks.size());
  report.extent = extent(program, costs);
  for (const int workers : {2, 8, 64}) report.speed_ups.push_back({workers, expected_speed_up(program, costs, workers)});
  return report;
}

std::string to_text(const TaskReport& report) {
  const auto count = [](int n, const char* one, const char* many) { return std::to_string(n) + ' ' + (n == 1 ? one : many); };
  std::string text = "an evaluation: " + count(report.tasks, "task", "tasks") + " of " + count(report.parts, "part", "parts") + ", " +
                     count(report.joins, "join", "joins");
  char line[160];
  std::snprintf(line, sizeof line, "\nwork %.1f us, span %.1f us (longest chain of tasks that wait for one another)\nexpected speed-up:",
                report.extent.work / 1e3, report.extent.span / 1e3);
  text += line;
  for (const TaskReport::SpeedUp& speed_up : report.speed_ups) {
    std::snprintf(line, sizeof line, "%s %.2f on %d workers", &speed_up == &report.speed_ups.front() ? "" : ",", speed_up.expected,
                  speed_up.workers);
    text += line;
  }
  return text + '\n';
}

}  // namespace arthron
