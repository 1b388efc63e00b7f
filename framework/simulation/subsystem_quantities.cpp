#include "arthron/dynamics/subsystem.hpp"
#include "arthron/model/hierarchy.hpp"
#include "arthron/simulation/quantity_parts.hpp"

namespace arthron {
namespace {

using Component = Quantity::Component;

void kinetic(const Plan& plan, const Workspace& work, int s, double* out) { *out = energy(plan, work, s).kinetic; }
void potential(const Plan& plan, const Workspace& work, int s, double* out) { *out = energy(plan, work, s).potential; }
void total(const Plan& plan, const Workspace& work, int s, double* out) { *out = energy(plan, work, s).total(); }
void both_momenta(const Plan& plan, const Workspace& work, int s, double* out) { put(momentum(plan, work, s), out); }
void centre_position(const Plan& plan, const Workspace& work, int s, double* out) { put(mass_centre(plan, work, s).position, out); }
void centre_velocity(const Plan& plan, const Workspace& work, int s, double* out) { put(mass_centre(plan, work, s).velocity, out); }
void reaction(const Plan& plan, const Workspace& work, int port, double* out) { put(port_reaction(plan, work, port), out); }

}  // namespace

void add_subsystems(const Plan& plan, const WantedElements& wanted, std::vector<Quantity>& quantities) {
  constexpr auto kind = Quantity::Kind::subsystem;
  const std::vector<Component> momenta = {{"linear.x", "N s"},    {"linear.y", "N s"},    {"linear.z", "N s"},
                                          {"angular.x", "N m s"}, {"angular.y", "N m s"}, {"angular.z", "N m s"}};
  const auto add = [&](std::string_view element, std::string_view name, const std::vector<Component>& components, Quantity::Reader read,
                       int index, std::string_view word) {
    if (!wanted.contain(element)) return;
    Quantity quantity{kind, element, name, components, read, index};
    quantity.accelerations = read == reaction;
    quantity.word = word;
    quantities.push_back(std::move(quantity));
  };
  const Model& model = *plan.model;
  for (int s = 0; s < static_cast<int>(plan.subsystems.size()); ++s) {
    const PlanSubsystem& part = plan.subsystems[s];
    const std::string_view path = model.subsystems[s].path;
    if (s > 0 && !wanted.contain(path)) continue;
    if (s > 0 && !(part.bodies.empty() && members_of(model, s).forces.size() == 0)) {
      add(path, "energy.kinetic", {{"", "J"}}, kinetic, s, "energy");
      add(path, "energy.potential", {{"", "J"}}, potential, s, "energy");
      add(path, "energy.total", {{"", "J"}}, total, s, "energy");
    }
    if (part.bodies.empty()) continue;
    add(s == 0 ? "momentum" : path, s == 0 ? "" : "momentum", momenta, both_momenta, s, "momentum");
    add(s == 0 ? "mass_centre" : path, s == 0 ? "position" : "mass_centre.position", xyz("m"), centre_position, s, "mass_centre");
    add(s == 0 ? "mass_centre" : path, s == 0 ? "velocity" : "mass_centre.velocity", xyz("m/s"), centre_velocity, s, "mass_centre");
  }
  for (int p = 0; p < static_cast<int>(plan.ports.size()); ++p)
    if (plan.ports[p].body >= 0 && wanted.contain(model.ports[p].path))
      add(model.ports[p].path, "reaction", wrench_components(), reaction, p, "reaction");
}

}  // namespace arthron
