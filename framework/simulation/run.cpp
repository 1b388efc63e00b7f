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

/// A run: rows, their books, and checkpoints.
class Runner {
 public:
  Runner(Simulation& simulation, ChannelSet& channels, const RunObserver& observer, const RunRecord& earlier)
      : simulation_(simulation), channels_(channels), observer_(observer), books_(earlier), values_(channels.columns().size()) {
    channels.follow(earlier.orientations);
  }

  /// From the present state to the end.
  Status rows() {
    const double until = simulation_.settings().until, step = simulation_.settings().output_step;
    const RowTimes row_time(step);
    const auto proceed = [&] { return !observer_.proceed || observer_.proceed(simulation_.state().t); };
    Status status = books_.rows == 0 ? take_row() : Status{};
    last_checkpoint_ = simulation_.state().t;
    // A last interval shorter than rounding is none.
    const double least = 1e-9 * step;
    std::int64_t k = static_cast<std::int64_t>(std::floor(std::fmax(books_.last_row, simulation_.state().t) / step));
    while (row_time(k) <= books_.last_row + least || row_time(k) < simulation_.state().t) ++k;
    for (; status.ok() && books_.last_row < until; ++k) {
      const double t = row_time(k);
      status = simulation_.advance_to(t > until - least ? until : t, proceed);
      if (status.ok()) status = take_row();
      if (status.ok() && simulation_.state().t < until && simulation_.state().t >= last_checkpoint_ + observer_.checkpoint_every - least)
        status = save();
    }
    return status;
  }

  /// Hands out a checkpoint of the present state.
  Status save() {
    Checkpoint checkpoint;
    last_checkpoint_ = simulation_.state().t;
    if (!observer_.checkpoint || books_.rows == 0) return {};
    if (const Status status = simulation_.save(checkpoint); !status.ok()) return status;
    checkpoint.run = books_;
    checkpoint.run->orientations = channels_.orientations();
    observer_.checkpoint(std::move(checkpoint));
    return {};
  }

  [[nodiscard]] const RunRecord& books() const { return books_; }

 private:
  /// Reads one row at the present state and keeps the run's books.
  Status take_row() {
    if (const Status status = simulation_.observe(channels_.needs_accelerations()); !status.ok()) return status;
    const Plan& plan = simulation_.plan();
    const Workspace& work = simulation_.workspace();
    const double total = energy(plan, work).total();
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
    return {};
  }

  Simulation& simulation_;
  ChannelSet& channels_;
  const RunObserver& observer_;
  RunRecord books_;
  std::vector<double> values_;
  double last_checkpoint_ = 0;
};

RunSummary summarised(Simulation& simulation, ChannelSet& channels, const RunObserver& observer, const RunRecord& earlier, bool start) {
  const Clock clock;
  Runner runner(simulation, channels, observer, earlier);
  RunSummary summary;
  summary.model = simulation.model().name;
  summary.integrator = simulation.settings().integrator.type;
  summary.loops = simulation.plan().cuts;
  summary.conservative = is_conservative(simulation.plan());
  summary.status = start ? simulation.start() : Status{};
  if (summary.status.ok()) summary.status = runner.rows();
  summary.message = describe(summary.status, simulation.plan(), simulation.workspace(), simulation.state().t);
  summary.simulated = simulation.state().t;
  summary.statistics = simulation.statistics();
  const Status saved = runner.save();
  if (summary.status.ok()) summary.status = saved;
  const RunRecord& books = runner.books();
  summary.rows = books.rows;
  summary.energy_start = books.energy_start, summary.energy_end = books.energy_end, summary.energy_drift = books.energy_drift;
  summary.constraint_error = books.constraint_error;
  summary.loop_opening = books.loop_opening, summary.loop_opening_rate = books.loop_opening_rate;
  summary.wall = clock.wall();
  summary.cpu = clock.cpu();
  return summary;
}

}  // namespace

RunSummary run(Simulation& simulation, ChannelSet& channels, const RunObserver& observer) {
  return summarised(simulation, channels, observer, {}, true);
}

RunSummary go_on(Simulation& simulation, ChannelSet& channels, const RunObserver& observer, const RunRecord& earlier) {
  return summarised(simulation, channels, observer, earlier, false);
}

}  // namespace arthron
