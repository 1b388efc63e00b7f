#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "arthron/scene/frame.hpp"
#include "arthron/simulation/runner.hpp"
#include "run_options.hpp"

namespace arthron::cli {

/// A simulation on its way through rows, and its frames.
class ShownMotion {
 public:
  /// Throws ModelError for a model that cannot be computed.
  explicit ShownMotion(const RunOptions& options);

  [[nodiscard]] Simulation& simulation() { return simulation_; }
  [[nodiscard]] const std::vector<ChannelColumn>& columns() const { return rows_.columns(); }
  [[nodiscard]] const Runner& runner() const { return *runner_; }

  /// From the present state on, behind the rows of `earlier`; with a row where it is the first. Nothing where coming to the state failed.
  [[nodiscard]] Status begin(const RunObserver& observer, const RunRecord& earlier, const Status& state);
  [[nodiscard]] bool ended() const { return runner_->ended(); }
  /// On to `t`, with all rows up to it. Rows are those of a run that nobody looks at, bit for bit: methods whose steps would end at `t`
  /// stay at the last row before it.
  [[nodiscard]] Status advance_to(double t, const std::function<bool()>& proceed);
  /// Hands out a checkpoint, and at the end the summary; `before` are the steps of simulations that this one took over from.
  [[nodiscard]] Status save() { return runner_->save(); }
  [[nodiscard]] RunSummary summary(const Status& status, const IntegratorStatistics& before);

  /// The present frame as a message; empty where the state cannot be observed.
  [[nodiscard]] std::string frame();
  /// What is drawn, of frames that come one by one.
  [[nodiscard]] nlohmann::ordered_json scene();

 private:
  [[nodiscard]] bool observe();

  Simulation simulation_;
  ChannelSet rows_, shown_;  // quaternions follow those of the row before: whoever looks in between has channels of his own
  std::vector<double> values_;
  Frame frame_;
  std::optional<Runner> runner_;
};

}  // namespace arthron::cli
