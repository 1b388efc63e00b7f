#include "check_subsystems.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "arthron/model/hierarchy.hpp"
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
std::string ports_words(const Model& model, int subsystem) {
  constexpr std::pair<Port::Kind, const char*> kinds[] = {
      {Port::Kind::mount, "mount"}, {Port::Kind::output, "output"}, {Port::Kind::signal_input, "signal input"}};
  std::string text;
  for (const auto& [kind, word] : kinds) {
    std::vector<std::string> list;
    const Slice ports = members_of(model, subsystem).ports;
    for (int p = ports.first; p < ports.last; ++p) {
      const Port& port = model.ports[p];
      if (port.subsystem == subsystem && port.kind == kind) list.push_back(port_words(model, port));
    }
    if (!list.empty()) text += "; " + std::string(word) + (list.size() > 1 ? "s " : " ") + dozen(list);
  }
  return text;
}

double mass_of(const Plan& plan, const PlanSubsystem& subsystem) {
  double mass = 0;
  for (const int b : subsystem.bodies) mass += plan.bodies[b].mass;
  return mass;
}

std::string indent(const AlikeSubsystems& alike) { return std::string(2 * static_cast<size_t>(1 + alike.depth), ' '); }

/// What stands before its file, or before the name of the type that built it.
std::string called(const Subsystem& subsystem) {
  if (subsystem.name.empty()) return "defined in ";
  return subsystem.name == subsystem.file ? "" : subsystem.name + ", ";
}

}  // namespace

std::vector<SubsystemWords> subsystems_in_words(const Plan& plan) {
  const Model& model = *plan.model;
  std::vector<SubsystemWords> list;
  for (const AlikeSubsystems& alike : subsystem_tree(plan)) {
    const int s = alike.first();
    const Subsystem& subsystem = model.subsystems[s];
    std::ostringstream mass;
    mass << std::setprecision(6) << mass_of(plan, plan.subsystems[s]) << " kg";
    list.push_back({alike, called(subsystem) + subsystem.file + (subsystem.placement.is_mirror_image() ? ", mirror image" : ""), mass.str(),
                    ports_words(model, s)});
  }
  return list;
}

std::string describe_subsystems(const Plan& plan) {
  const size_t count = plan.subsystems.size() - 1;
  if (count == 0) return "";
  const std::vector<SubsystemWords> list = subsystems_in_words(plan);
  std::string text = std::to_string(count) + (count == 1 ? " subsystem" : " subsystems");
  text += list.size() < count ? ", alike ones once\n" : "\n";
  for (const SubsystemWords& words : list) {
    const int s = words.alike.first();
    const std::string margin = indent(words.alike), inside = margin + "  ";
    text += margin + names_of(*plan.model, words.alike) + ": " + words.made_of + '\n' + inside + words.mass + words.ports + '\n';
    for (const std::string& line : describe_loops(plan, s)) text += inside + line + '\n';
  }
  return text;
}

std::string describe_times(const Plan& plan) {
  const double whole = time_subsystem(plan, 0);
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << "one evaluation: " << 1e6 * whole << " us; of each subsystem alone on its mounts:\n";
  for (const AlikeSubsystems& alike : subsystem_tree(plan)) {
    const double time = time_subsystem(plan, alike.first());
    text << indent(alike) << names_of(*plan.model, alike) << ": ";
    if (std::isfinite(time))
      text << 1e6 * time << " us, " << 100 * time / whole << " %\n";
    else
      text << "cannot start alone\n";
  }
  return text.str();
}

}  // namespace arthron::cli
