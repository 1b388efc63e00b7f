#include "arthron/simulation/run.hpp"

#include "arthron/simulation/runner.hpp"

namespace arthron {
namespace {

RunSummary summarised(Simulation& simulation, ChannelSet& channels, const RunObserver& observer, const RunRecord& earlier, bool start) {
  const Clock clock;
  Runner runner(simulation, channels, observer, earlier);
  Status status = start ? simulation.start() : Status{};
  if (status.ok()) status = runner.rows();
  RunSummary summary = runner.summary(status, simulation.statistics());
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
