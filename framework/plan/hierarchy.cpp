#include "arthron/model/hierarchy.hpp"

#include <algorithm>

#include "arthron/plan/passes.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Numbers [first, last).
std::vector<int> numbers(std::pair<size_t, size_t> range) {
  std::vector<int> list;
  for (size_t i = range.first; i < range.second; ++i) list.push_back(static_cast<int>(i));
  return list;
}

void fill_subsystems(Plan& plan) {
  const Model& model = *plan.model;
  plan.subsystems.resize(model.subsystems.size());
  for (int s = 0; s < static_cast<int>(plan.subsystems.size()); ++s) {
    PlanSubsystem& subsystem = plan.subsystems[s];
    const int end = subsystems_end(model, s);
    for (const int b : numbers(elements_within(model.bodies, s, end)))
      if (!model.bodies[b].ground) subsystem.bodies.push_back(plan.body_of[b]);
    std::sort(subsystem.bodies.begin(), subsystem.bodies.end());
    subsystem.joints = numbers(elements_within(model.joints, s, end));
    subsystem.forces = numbers(elements_within(model.forces, s, end));
    subsystem.ports = numbers(elements_within(model.ports, s, s + 1));
    const int parent = model.subsystems[s].parent;
    if (parent >= 0) plan.subsystems[parent].children.push_back(s);
  }
}

/// The innermost subsystem that holds all joints of a loop.
int common_subsystem(const Model& model, const std::vector<int>& joints) {
  int common = model.joints[joints.front()].subsystem;
  for (const int j : joints)
    for (int other = model.joints[j].subsystem; other != common;) {
      int& inner = other > common ? other : common;  // parents have lower numbers
      inner = model.subsystems[inner].parent;
    }
  return common;
}

void place_loops(const std::vector<int>& loop_subsystem, Plan& plan) {
  const Model& model = *plan.model;
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    const bool cut = closure.coupling < 0;
    const int home = cut ? loop_subsystem[closure.joint] : model.couplings[closure.coupling].subsystem;
    plan.subsystems[home].loops.push_back(static_cast<int>(c));
    const int common = cut ? common_subsystem(model, loop_joints(plan, closure)) : home;
    plan.subsystems[common].closes.push_back(static_cast<int>(c));
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
  fill_subsystems(plan);
  place_loops(loop_subsystem, plan);
  place_ports(X_WB, plan);
}

}  // namespace arthron
