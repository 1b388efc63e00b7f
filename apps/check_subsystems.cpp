#include "check_subsystems.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "arthron/simulation/examine_subsystems.hpp"

namespace arthron::cli {
namespace {

using std::size_t;

/// "chassis on body", "hub", "rack open" of a port.
std::string port_words(const Model& model, const Port& port) {
  const std::string name = port.path.substr(port.path.rfind('.') + 1);
  if (!port.connected) return name + " open";
  if (port.kind != Port::Kind::mount) return name;
  if (port.through < 0) return name + " on " + model.bodies[static_cast<size_t>(port.body.value)].path;
  return name + " on " + model.ports[static_cast<size_t>(port.through)].path;
}

/// "; mounts chassis on body, rack open; outputs hub"
std::string ports_words(const Plan& plan, const PlanSubsystem& subsystem) {
  constexpr std::pair<Port::Kind, const char*> kinds[] = {
      {Port::Kind::mount, "mount"}, {Port::Kind::output, "output"}, {Port::Kind::signal_input, "signal input"}};
  std::string text;
  for (const auto& [kind, word] : kinds) {
    std::string list;
    int count = 0;
    for (const int p : subsystem.ports) {
      const Port& port = plan.model->ports[static_cast<size_t>(p)];
      if (port.kind == kind) list += (count++ == 0 ? " " : ", ") + port_words(*plan.model, port);
    }
    if (count > 0) text += "; " + std::string(word) + (count > 1 ? "s" : "") + list;
  }
  return text;
}

double mass_of(const Plan& plan, const PlanSubsystem& subsystem) {
  double mass = 0;
  for (const int b : subsystem.bodies) mass += plan.bodies[static_cast<size_t>(b)].mass;
  return mass;
}

std::string indent(const Subsystem& subsystem) {
  return std::string(2 * static_cast<size_t>(1 + std::count(subsystem.path.begin(), subsystem.path.end(), '.')), ' ');
}

std::string name_of(const Subsystem& subsystem) { return subsystem.path.substr(subsystem.path.rfind('.') + 1); }

/// What stands before its file, or before the name of the type that built it.
std::string called(const Subsystem& subsystem) {
  if (subsystem.name.empty()) return "defined in ";
  return subsystem.name == subsystem.file ? "" : subsystem.name + ", ";
}

}  // namespace

std::string describe_subsystems(const Plan& plan) {
  const Model& model = *plan.model;
  if (model.subsystems.size() == 1) return "";
  std::ostringstream text;
  text << std::setprecision(6) << model.subsystems.size() - 1 << (model.subsystems.size() == 2 ? " subsystem\n" : " subsystems\n");
  for (size_t s = 1; s < model.subsystems.size(); ++s) {
    const Subsystem& subsystem = model.subsystems[s];
    const std::string margin = indent(subsystem);
    text << margin << name_of(subsystem) << ": " << called(subsystem) << subsystem.file
         << (subsystem.placement.is_mirror_image() ? ", mirror image" : "") << '\n';
    text << margin << "  " << mass_of(plan, plan.subsystems[s]) << " kg" << ports_words(plan, plan.subsystems[s]) << '\n';
    for (const std::string& line : describe_loops(plan, static_cast<int>(s))) text << margin << "  " << line << '\n';
  }
  return text.str();
}

std::string describe_times(const Plan& plan) {
  const std::vector<double> times = time_subsystems(plan);
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << "one evaluation: " << 1e6 * times.front()
       << " us; of each subsystem alone on its mounts:\n";
  for (size_t s = 1; s < times.size(); ++s) {
    const Subsystem& subsystem = plan.model->subsystems[s];
    text << indent(subsystem) << name_of(subsystem) << ": ";
    if (std::isfinite(times[s]))
      text << 1e6 * times[s] << " us, " << 100 * times[s] / times.front() << " %\n";
    else
      text << "cannot start alone\n";
  }
  return text.str();
}

}  // namespace arthron::cli
