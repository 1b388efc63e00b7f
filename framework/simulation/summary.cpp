#include <nlohmann/json.hpp>

#include "arthron/simulation/run.hpp"
#include "arthron/simulation/shortest_text.hpp"

namespace arthron {
namespace {

std::string_view outcome(const Status& status) {
  switch (status.code) {
    case Status::Code::ok: return "finished";
    case Status::Code::interrupted: return "interrupted";
    default: return "failed";
  }
}

}  // namespace

std::string to_text(const RunSummary& s) {
  std::string text;
  const auto line = [&text](std::string_view label, const std::string& value) {
    text += label;
    text.append(label.size() < 20 ? 20 - label.size() : 1, ' ');
    text += value + '\n';
  };
  line("simulated time",
       rounded_text(s.simulated) + " s in " + std::to_string(s.rows) + " rows, " + s.formulation + " with " + s.integrator);
  line("wall time", rounded_text(s.wall) + " s (CPU " + rounded_text(s.cpu) + " s)");
  line("real-time factor", rounded_text(s.real_time_factor()));
  line("evaluations", std::to_string(s.statistics.evaluations));
  line("steps", std::to_string(s.statistics.accepted) + " accepted, " + std::to_string(s.statistics.rejected) + " rejected");
  line("energy", rounded_text(s.energy_start) + " J at the start, " + rounded_text(s.energy_end) + " J at the end");
  if (s.conservative) {
    line("energy drift", rounded_text(s.energy_drift) + " J, the largest of all rows");
  } else {
    line("energy change", rounded_text(s.energy_end - s.energy_start) + " J (the model is not conservative)");
  }
  if (s.of_momenta()) line("constraint error", rounded_text(s.constraint_error) + " of the momentum, the largest of all rows");
  if (s.loops > 0) {
    line("loop opening", rounded_text(s.loop_opening) + " m, the largest of all rows");
    line("loop opening rate", rounded_text(s.loop_opening_rate) + " m/s, the largest of all rows");
  }
  return text;
}

nlohmann::ordered_json to_json(const RunSummary& s) {
  return {{"model", s.model},
          {"outcome", outcome(s.status)},
          {"message", s.message},
          {"formulation", s.formulation},
          {"integrator", s.integrator},
          {"simulated_time", s.simulated},
          {"wall_time", s.wall},
          {"cpu_time", s.cpu},
          {"real_time_factor", s.real_time_factor()},
          {"rows", s.rows},
          {"evaluations", s.statistics.evaluations},
          {"steps_accepted", s.statistics.accepted},
          {"steps_rejected", s.statistics.rejected},
          {"energy_start", s.energy_start},
          {"energy_end", s.energy_end},
          {"conservative", s.conservative},
          {"energy_drift", s.energy_drift},
          {"constraint_error", s.constraint_error},
          {"loops", s.loops},
          {"loop_opening", s.loop_opening},
          {"loop_opening_rate", s.loop_opening_rate}};
}

}  // namespace arthron
