#include "arthron/simulation/run.hpp"

#include <chrono>
#include <cmath>
#include <ctime>

namespace arthron {
namespace {

class Clock {
 public:
  [[nodiscard]] double wall() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count(); }
  [[nodiscard]] double cpu() const { return static_cast<double>(std::clock() - cpu_) / CLOCKS_PER_SEC; }

 private:
  std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
  std::clock_t cpu_ = std::clock();
};

/// Reads one row at the present state and keeps the run's books.
Status take_row(Simulation& simulation, ChannelSet& channels, const RunObserver& observer, std::vector<double>& values,
                RunSummary& summary) {
  if (const Status status = simulation.observe(channels.needs_accelerations()); !status.ok()) return status;
  const double total = energy(simulation.plan(), simulation.workspace()).total();
  if (summary.rows == 0) summary.energy_start = total;
  summary.energy_end = total;
  summary.energy_drift = std::fmax(summary.energy_drift, std::abs(total - summary.energy_start));
  summary.constraint_error = std::fmax(summary.constraint_error, momentum_residual(simulation.plan(), simulation.workspace()));
  summary.loop_opening = std::fmax(summary.loop_opening, closure_error(simulation.plan(), simulation.workspace()));
  summary.loop_opening_rate = std::fmax(summary.loop_opening_rate, closure_rate_error(simulation.plan(), simulation.workspace()));
  channels.read(simulation.plan(), simulation.workspace(), values);
  if (observer.row) observer.row(simulation.state().t, values);
  ++summary.rows;
  return {};
}

/// Multiples of the output step that print as people write them: a step of a/10^d gives the double nearest to k a/10^d.
class RowTimes {
 public:
  explicit RowTimes(double step) : numerator_(step) {
    for (double scale = 1; scale <= 1e12; scale *= 10) {
      const double scaled = std::round(step * scale);
      if (scaled / scale != step || scaled > 1e6) continue;
      numerator_ = scaled, denominator_ = scale;
      return;
    }
  }
  [[nodiscard]] double operator()(std::int64_t row) const { return static_cast<double>(row) * numerator_ / denominator_; }

 private:
  double numerator_, denominator_ = 1;
};

Status run_rows(Simulation& simulation, ChannelSet& channels, const RunObserver& observer, RunSummary& summary) {
  std::vector<double> values(channels.columns().size());
  const double until = simulation.settings().until, step = simulation.settings().output_step;
  const RowTimes row_time(step);
  const auto proceed = [&] { return !observer.proceed || observer.proceed(simulation.state().t); };
  Status status = simulation.start();
  if (status.ok()) status = take_row(simulation, channels, observer, values, summary);
  for (std::int64_t k = 1; status.ok() && simulation.state().t < until; ++k) {
    // A last interval shorter than rounding is none.
    const double t = row_time(k);
    status = simulation.advance_to(t > until - 1e-9 * step ? until : t, proceed);
    if (status.ok()) status = take_row(simulation, channels, observer, values, summary);
  }
  return status;
}

}  // namespace

RunSummary run(Simulation& simulation, ChannelSet& channels, const RunObserver& observer) {
  const Clock clock;
  RunSummary summary;
  summary.model = simulation.model().name;
  summary.integrator = simulation.settings().integrator.type;
  summary.loops = simulation.plan().cuts;
  summary.conservative = is_conservative(simulation.plan());
  summary.status = run_rows(simulation, channels, observer, summary);
  summary.message = describe(summary.status, simulation.plan(), simulation.workspace(), simulation.state().t);
  summary.simulated = simulation.state().t;
  summary.statistics = simulation.statistics();
  summary.wall = clock.wall();
  summary.cpu = clock.cpu();
  return summary;
}

}  // namespace arthron
