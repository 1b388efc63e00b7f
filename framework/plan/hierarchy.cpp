#include "arthron/model/hierarchy.hpp"

#include <algorithm>

#include "arthron/plan/compound_tree.hpp"
#include "arthron/plan/passes.hpp"
#include "arthron/topology/graph.hpp"

namespace arthron {

namespace {

using std::size_t;

void number_subsystem_bodies(Plan& plan) {
  const Model& model = *plan.model;
  for (int s = 0; s < static_cast<int>(plan.subsystems.size()); ++s) {
    std::vector<int>& numbers = plan.subsystems[s].bodies;
    for (const int b : bodies_of(model, s))
      if (!model.bodies[b].ground) numbers.push_back(plan.body_of[b]);
    std::sort(numbers.begin(), numbers.end());
  }
}

/// Subsystems that have a joint of a closure each, every one once.
std::vector<int> subsystems_of(const Plan& plan, const PlanClosure& closure) {
  const Model& model = *plan.model;
  std::vector<int> homes;
  if (closure.coupling < 0)
    for (const int j : loop_joints(plan, closure)) homes.push_back(model.joints[j].subsystem);
  else
    for (const Coupling::Term& term : model.couplings[closure.coupling].terms) homes.push_back(model.joints[term.joint.value].subsystem);
  std::sort(homes.begin(), homes.end());
  homes.erase(std::unique(homes.begin(), homes.end()), homes.end());
  return homes;
}

/// A closure is complete in the lowest subsystem that holds all its joints, and those between there and its joints pass it on.
void place_loops(const std::vector<int>& loop_subsystem, Plan& plan) {
  const Model& model = *plan.model;
  for (int c = 0; c < static_cast<int>(plan.closures.size()); ++c) {
    const PlanClosure& closure = plan.closures[c];
    const bool cut = closure.coupling < 0;
    const int file = cut ? loop_subsystem[closure.joint] : model.couplings[closure.coupling].subsystem;
    plan.subsystems[file].loops.push_back(c);
    const std::vector<int> homes = subsystems_of(plan, closure);
    const int lowest = lowest_subsystem(plan, c);
    plan.subsystems[lowest].closes.push_back(c);
    for (const int home : homes)
      for (int s = home; s != lowest; s = model.subsystems[s].parent)
        if (std::vector<int>& list = plan.subsystems[s].passes_on; list.empty() || list.back() != c) list.push_back(c);
  }
}

void place_ports(const std::vector<Pose<double>>& X_WB, Plan& plan) {
  const Model& model = *plan.model;
  plan.ports.resize(model.ports.size());
  for (size_t p = 0; p < model.ports.size(); ++p) {
    const Port& port = model.ports[p];
    if (!port.body.valid()) continue;
    plan.ports[p].body = plan.body_of[port.body.value];
    const Vec3 origin = model.subsystems[port.subsystem].placement.X.p;
    plan.ports[p].p_B = inverse(X_WB[plan.ports[p].body]) * (port.kind == Port::Kind::mount ? origin : port.at);
  }
  const auto attach = [&](int port, const PlanAttachment& attachment) {
    for (const int crossed : crossed_ports(model, port)) plan.ports[crossed].attachments.push_back(attachment);
  };
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
    attach(model.joints[j].parent_port, {j, false, -1});
    attach(model.joints[j].child_port, {j, true, -1});
  }
  for (size_t f = 0; f < model.forces.size(); ++f) {
    int handle = plan.forces[f].handles.first;
    for (const Handle& at : model.forces[f].handles) attach(at.port, {-1, false, handle++});
  }
}

}  // namespace

void keep_hierarchy(const std::vector<Pose<double>>& X_WB, const std::vector<int>& loop_subsystem, Plan& plan) {
  plan.subsystems.resize(plan.model->subsystems.size());
  number_subsystem_bodies(plan);
  place_loops(loop_subsystem, plan);
  place_ports(X_WB, plan);
}

}  // namespace arthron
