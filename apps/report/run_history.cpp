#include <cmath>
#include <limits>

#include "arthron/dynamics/dynamics.hpp"
#include "report/run_report.hpp"

namespace arthron::cli {

void RunHistory::note(const Simulation& simulation, std::span<const double> values) {
  const Plan& plan = simulation.plan();
  const Workspace& work = simulation.workspace();
  const Energy energies = energy(plan, work);
  const double now = simulation.state().t;
  const std::int64_t steps = simulation.statistics().accepted;
  double step_now = std::numeric_limits<double>::quiet_NaN();
  if (!t.empty() && steps > last_steps_) {
    step_now = (now - last_step_end_) / static_cast<double>(steps - last_steps_);
    last_step_end_ = now, last_steps_ = steps;
  }
  if (t.empty()) last_step_end_ = now, last_steps_ = steps;
  t.push_back(now);
  kinetic.push_back(energies.kinetic);
  potential.push_back(energies.potential);
  total.push_back(energies.total());
  momentum_error.push_back(momentum_residual(plan, work));
  opening.push_back(closure_error(plan, work));
  opening_rate.push_back(closure_rate_error(plan, work));
  step.push_back(step_now);
  for (std::size_t i = 0; i < channels.size(); ++i) channels[i].push_back(values[i]);
}

}  // namespace arthron::cli
