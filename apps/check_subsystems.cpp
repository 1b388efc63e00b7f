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
  if (port.through < 0) return name + " on " + model.bodies[port.body.value].path;
  return name + " on " + model.ports[port.through].path;
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
      const Port& port = plan.model->ports[p];
      if (port.kind == kind) list += (count++ == 0 ? " " : ", ") + port_words(*plan.model, port);
    }
    if (count > 0) text += "; " + std::string(word) + (count > 1 ? "s" : "") + list;
  }
  return text;
}

double mass_of(const Plan& plan, const PlanSubsystem& subsystem) {
  double mass = 0;
  for (const int b : subsystem.bodies) mass += plan.bodies[b].mass;
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

std::vector<SubsystemWords> subsystems_in_words(const Plan& plan) {
  std::vector<SubsystemWords> list;
  for (size_t s = 1; s < plan.subsystems.size(); ++s) {
    const Subsystem& subsystem = plan.model->subsystems[s];
    std::ostringstream mass;
    mass << std::setprecision(6) << mass_of(plan, plan.subsystems[s]) << " kg";
    list.push_back({subsystem.path, called(subsystem) + subsystem.file + (subsystem.placement.is_mirror_image() ? ", mirror image" : ""),
                    mass.str(), ports_words(plan, plan.subsystems[s])});
  }
  return list;
}

std::string describe_subsystems(const Plan& plan) {
  const std::vector<SubsystemWords> list = subsystems_in_words(plan);
  if (list.empty()) return "";
  std::string text = std::to_string(list.size()) + (list.size() == 1 ? " subsystem\n" : " subsystems\n");
  for (size_t s = 1; s <= list.size(); ++s) {
    const SubsystemWords& words = list[s - 1];
    const Subsystem& subsystem = plan.model->subsystems[s];
    const std::string margin = indent(subsystem);
    text += margin + name_of(subsystem) + ": " + words.made_of + '\n' + margin + "  " + words.mass + words.ports + '\n';
    for (const std::string& line : describe_loops(plan, static_cast<int>(s))) text += margin + "  " + line + '\n';
  }
  return text;
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
