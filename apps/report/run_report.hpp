#pragma once
#include <string>
#include <vector>

#include "arthron/simulation/examine_loops.hpp"
#include "arthron/simulation/run.hpp"

namespace arthron::cli {

/// What a run showed row by row.
struct RunHistory {
  std::vector<double> t;                                      // [s]
  std::vector<double> kinetic, potential, total;              // [J]
  std::vector<double> momentum_error, opening, opening_rate;  // as in RunSummary, of each row
  std::vector<double> step;                                   // mean of the steps since the row before; NaN where there was none [s]
  std::vector<std::vector<double>> channels;                  // per column

  explicit RunHistory(std::size_t columns) : channels(columns) {}
  /// Notes the present row, in the callback that receives it.
  void note(const Simulation& simulation, std::span<const double> values);

 private:
  double last_step_end_ = 0;
  std::int64_t last_steps_ = 0;
};

/// Something that the reader of a report should know.
struct Remark {
  enum class Kind { failure, warning, note } kind;
  std::string title, text;
};

/// A run as it is reported.
struct ReportedRun {
  const Simulation& simulation;
  const std::vector<ChannelColumn>& columns;
  const RunHistory& history;
  const RunSummary& summary;
  const LoopReport& loops;
};

/// From the worst to the least; empty when all is as it should be.
[[nodiscard]] std::vector<Remark> remarks_on(const ReportedRun& run);

/// The page. Throws ModelError that names `option` when charts or graphs cannot be drawn.
[[nodiscard]] std::string run_report(const ReportedRun& run, const std::string& option);

}  // namespace arthron::cli
