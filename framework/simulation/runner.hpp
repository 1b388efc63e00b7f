#pragma once
#include <chrono>
#include <cmath>
#include <ctime>

#include "arthron/simulation/run.hpp"

/// How runs are made, whoever integrates.
namespace arthron {

class Clock {
 public:
  [[nodiscard]] double wall() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count(); }
  [[nodiscard]] double cpu() const { return static_cast<double>(std::clock() - cpu_) / CLOCKS_PER_SEC; }

 private:
  std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
  std::clock_t cpu_ = std::clock();
};

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

/// A run: rows, their record, and checkpoints.
class Runner {
 public:
  Runner(Simulation& simulation, ChannelSet& channels, const RunObserver& observer, const RunRecord& earlier)
      : simulation_(simulation),
        channels_(channels),
        observer_(observer),
        books_(earlier),
        values_(channels.columns().size()),
        until_(simulation.settings().until),
        step_(simulation.settings().output_step),
        row_time_(step_) {
    channels.follow(earlier.orientations);
  }

  /// What its rows are read for.
  [[nodiscard]] bool needs_accelerations() const { return channels_.needs_accelerations() || observer_.accelerations; }
  [[nodiscard]] bool needs_cut_joints() const { return channels_.needs_cut_joints() || observer_.accelerations; }

  /// The row at the present state, where it is the first.
  [[nodiscard]] Status begin() {
    last_checkpoint_ = simulation_.state().t;
    k_ = static_cast<std::int64_t>(std::floor(std::fmax(books_.last_row, last_checkpoint_) / step_));
    const Status status = books_.rows == 0 ? take_row() : Status{};
    while (row_time_(k_) <= books_.last_row + least_ || row_time_(k_) < simulation_.state().t) ++k_;
    return status;
  }
  [[nodiscard]] bool ended() const { return books_.last_row >= until_; }
  [[nodiscard]] double next_row() const { return row_time_(k_) > until_ - least_ ? until_ : row_time_(k_); }
  [[nodiscard]] bool proceed() const { return !observer_.proceed || observer_.proceed(simulation_.state().t); }
  /// The next row, at the present state, and a checkpoint where one is due. `observed`: the workspace is at that state.
  [[nodiscard]] Status row(bool observed = false) {
    ++k_;
    Status status = take_row(observed);
    const double t = simulation_.state().t;
    if (status.ok() && t < until_ && t >= last_checkpoint_ + observer_.checkpoint_every - least_) status = save();
    return status;
  }

  /// From the present state to the end.
  [[nodiscard]] Status rows() {
    Status status = begin();
    while (status.ok() && !ended()) {
      status = simulation_.advance_to(next_row(), [&] { return proceed(); });
      if (status.ok()) status = row();
    }
    return status;
  }

  /// Hands out a checkpoint of the present state.
  [[nodiscard]] Status save() {
    Checkpoint checkpoint;
    last_checkpoint_ = simulation_.state().t;
    if (!observer_.checkpoint || books_.rows == 0) return {};
    if (const Status status = simulation_.save(checkpoint); !status.ok()) return status;
    checkpoint.run = books_;
    checkpoint.run->orientations = channels_.orientations();
    observer_.checkpoint(std::move(checkpoint));
    return {};
  }

  /// All but the times it took, after the last checkpoint.
  [[nodiscard]] RunSummary summary(const Status& status, const IntegratorStatistics& statistics) {
    RunSummary summary;
    summary.model = simulation_.model().name;
    summary.formulation = simulation_.formulation();
    summary.integrator = simulation_.settings().integrator.type;
    summary.loops = simulation_.plan().cuts;
    summary.conservative = is_conservative(simulation_.plan());
    summary.status = status;
    summary.message = describe(status, simulation_.plan(), simulation_.workspace(), simulation_.state().t);
    if (status.code == Status::Code::came_open || status.code == Status::Code::energy_off) summary.message += ": " + simulation_.verdict();
    summary.simulated = simulation_.state().t;
    summary.statistics = statistics;
    const Status saved = save();
    if (summary.status.ok()) summary.status = saved;
    summary.rows = books_.rows;
    summary.energy_start = books_.energy_start, summary.energy_end = books_.energy_end, summary.energy_drift = books_.energy_drift;
    summary.constraint_error = books_.constraint_error;
    summary.loop_opening = books_.loop_opening, summary.loop_opening_rate = books_.loop_opening_rate;
    return summary;
  }

 private:
  /// Reads one row at the present state and keeps the run's record.
  [[nodiscard]] Status take_row(bool observed = false) {
    if (const Status status = observed ? Status{} : simulation_.observe(needs_accelerations()); !status.ok()) return status;
    return simulation_.guard([&] { return note_row(); });
  }

  [[nodiscard]] Status note_row() {
    const Plan& plan = simulation_.plan();
    const Workspace& work = simulation_.workspace();
    const double total = energy(plan, work).total();
    if (!std::isfinite(total)) return {Status::Code::not_finite};
    if (books_.rows == 0) books_.energy_start = total;
    books_.energy_end = total;
    books_.energy_drift = std::fmax(books_.energy_drift, std::abs(total - books_.energy_start));
    books_.constraint_error = std::fmax(books_.constraint_error, momentum_residual(plan, work));
    books_.loop_opening = std::fmax(books_.loop_opening, closure_error(plan, work));
    books_.loop_opening_rate = std::fmax(books_.loop_opening_rate, closure_rate_error(plan, work));
    channels_.read(plan, work, values_);
    if (observer_.row) observer_.row(simulation_.state().t, values_);
    ++books_.rows;
    books_.last_row = simulation_.state().t;
    return simulation_.judge();
  }

  Simulation& simulation_;
  ChannelSet& channels_;
  const RunObserver& observer_;
  RunRecord books_;
  std::vector<double> values_;
  double last_checkpoint_ = 0;
  double until_, step_;
  double least_ = 1e-9 * step_;  // a last interval shorter than rounding is none
  RowTimes row_time_;
  std::int64_t k_ = 0;  // next row
};

}  // namespace arthron
