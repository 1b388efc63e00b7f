#pragma once
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "arthron/simulation/channels.hpp"
#include "arthron/simulation/simulation.hpp"

namespace arthron {

/// Results and quality of a run.
struct RunSummary {
  std::string model, formulation, integrator;
  Status status;
  std::string message;       // the status in words
  double simulated = 0;      // [s]
  double wall = 0, cpu = 0;  // [s]
  std::int64_t rows = 0;
  IntegratorStatistics statistics;
  double energy_start = 0, energy_end = 0;  // [J]
  bool conservative = false;                // nothing in the model adds or takes energy: the drift is an error
  double energy_drift = 0;                  // max over the rows of |E(t) - E(0)| [J]
  double constraint_error = 0;              // worst momentum_residual of the rows
  int loops = 0;
  double loop_opening = 0;       // largest of the rows [m]
  double loop_opening_rate = 0;  // largest of the rows [m/s]

  /// Whether momenta were integrated: the constraint error is theirs.
  [[nodiscard]] bool of_momenta() const {
    const Formulation* const found = find_formulation(formulation);
    return found && found->integrates_momenta();
  }
  /// Simulated seconds in a second of wall time.
  [[nodiscard]] double real_time_factor() const { return wall > 0 ? simulated / wall : 0; }
};

/// Who watches a run. All are optional.
struct RunObserver {
  std::function<void(double t, std::span<const double> values)> row{};  // every output row
  std::function<bool(double t)> proceed{};                              // after every step; false ends the run, rows so far are kept
  std::function<void(Checkpoint)> checkpoint{};  // at the end, however the run ends, and at rows `checkpoint_every` apart
  bool accelerations = false;                    // rows are observed with accelerations and reactions even where no channel needs them
  double checkpoint_every = std::numeric_limits<double>::infinity();  // [s]
};

/// Runs from the initial state to `settings().until`, with an output row at every multiple of the output step and at the end.
/// A numerical failure ends the run; the summary says what and where.
[[nodiscard]] RunSummary run(Simulation& simulation, ChannelSet& channels, const RunObserver& observer = {});
/// The same from the present state of a simulation that was resumed or has been started: the rows after those of the earlier run, or,
/// where there was none, from a row at the present time on. Sums and maxima of the summary continue those of the earlier run.
[[nodiscard]] RunSummary go_on(Simulation& simulation, ChannelSet& channels, const RunObserver& observer = {},
                               const RunRecord& earlier = {});

[[nodiscard]] std::string to_text(const RunSummary& summary);
[[nodiscard]] nlohmann::ordered_json to_json(const RunSummary& summary);

}  // namespace arthron
