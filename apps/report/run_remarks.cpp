#include <algorithm>
#include <cmath>

#include "arthron/plan/subsystem_tree.hpp"
#include "arthron/simulation/shortest_text.hpp"
#include "failures.hpp"
#include "model_words.hpp"
#include "report/run_report.hpp"

namespace arthron::cli {
namespace {

using Kind = Remark::Kind;

std::string place_text(const SourceRef& place) {
  return place.line > 0 ? place.file + ':' + std::to_string(place.line) + ": " + place.pointer : place.file;
}

void remark_on_outcome(const ReportedRun& run, std::vector<Remark>& remarks) {
  const RunSummary& summary = run.summary;
  const std::string reached = "The run reached " + rounded_text(summary.simulated) + " s of " +
                              rounded_text(run.simulation.settings().until) + " s; what follows is what was computed.";
  switch (summary.status.code) {
    case Status::Code::ok: return;
    case Status::Code::interrupted: remarks.push_back({Kind::warning, "Interrupted", reached}); return;
    case Status::Code::too_many_steps: remarks.push_back({Kind::failure, "Step limit", summary.message + ". " + reached}); return;
    default:
      remarks.push_back({Kind::failure, "Failed",
                         summary.message + " (" + place_text(place_of(summary.status, run.simulation.model())) + "). " + reached});
  }
}

void remark_on_accuracy(const ReportedRun& run, std::vector<Remark>& remarks) {
  // Far above what the default tolerance leaves, and far below what is seen in a chart of the energy.
  constexpr double drift_bound = 1e-3, momentum_bound = 1e-9, opening_bound = 1e-6;
  const RunSummary& summary = run.summary;
  const auto largest = [](const std::vector<double>& values) {
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  };
  const double kinetic = largest(run.history.kinetic), rounding = 1e-12 * std::abs(summary.energy_start);
  if (summary.conservative && summary.energy_drift > std::fmax(drift_bound * kinetic, rounding))
    remarks.push_back({Kind::warning, "Energy drift",
                       "Nothing in the model adds or takes energy, and yet it changes by " + rounded_text(summary.energy_drift) + " J, " +
                           rounded_text(100 * summary.energy_drift / kinetic) +
                           " % of the largest kinetic energy. A smaller tolerance or step makes this less."});
  if (summary.of_momenta() && summary.constraint_error > momentum_bound)
    remarks.push_back({Kind::warning, "Momenta",
                       "Momenta of joints differ from those of what they carry by " + rounded_text(summary.constraint_error) +
                           " of the largest, more than rounding explains."});
  if (summary.loops > 0 && summary.loop_opening > opening_bound)
    remarks.push_back({Kind::warning, "Open loops", "Loops open by up to " + rounded_text(summary.loop_opening) + " m."});
  const std::size_t bad = std::count_if(run.history.channels.begin(), run.history.channels.end(), [](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  });
  if (bad > 0) remarks.push_back({Kind::warning, "Not finite", counted(bad, "channel is", "channels are") + " not finite in some rows."});
}

void remark_on_structure(const ReportedRun& run, std::vector<Remark>& remarks) {
  const LoopReport& loops = run.loops;
  if (loops.freedom_as_assembled > loops.freedom)
    remarks.push_back({Kind::warning, "Singular position",
                       "As assembled the model has " + counted(loops.freedom_as_assembled, "degree", "degrees") +
                           " of freedom, at positions nearby " + std::to_string(loops.freedom) +
                           ". Through such positions the accuracy depends on method and step."});
  const auto redundant = std::count_if(loops.remarks.begin(), loops.remarks.end(), [](const std::string& remark) {
    return remark.find("closure directions are redundant") != std::string::npos;
  });
  if (redundant > 0)
    remarks.push_back(
        {Kind::note, "Redundant loops",
         counted(redundant, "loop has", "loops have") +
             " redundant closure directions. The motion does not depend on them; their reactions are not unique, the smallest "
             "are reported."});
  const std::string list = dozen(open_ports(run.simulation.model()));
  if (!list.empty()) remarks.push_back({Kind::note, "Open ports", list + '.'});
  const IntegratorStatistics& steps = run.summary.statistics;
  if (steps.rejected > steps.accepted)
    remarks.push_back({Kind::note, "Rejected steps", "More steps were tried again than kept: something in the model is not smooth."});
}

}  // namespace

std::vector<Remark> remarks_on(const ReportedRun& run) {
  std::vector<Remark> remarks;
  remark_on_outcome(run, remarks);
  remark_on_accuracy(run, remarks);
  remark_on_structure(run, remarks);
  std::stable_sort(remarks.begin(), remarks.end(), [](const Remark& a, const Remark& b) { return a.kind < b.kind; });
  return remarks;
}

}  // namespace arthron::cli
