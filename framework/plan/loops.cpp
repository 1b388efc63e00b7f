#include <algorithm>
#include <set>

#include "arthron/plan/plan.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Bodies of a loop on both sides of its cut, each from the cut inward; both end at the body they have in common, or at grounds.
struct Sides {
  std::vector<int> parent, child;
};

Sides sides(const Plan& plan, const PlanClosure& closure) {
  Sides s{{closure.parent}, {closure.child}};
  std::vector<int>&a = s.parent, &b = s.child;
  // Body numbers grow outward, so the larger of two is never an ancestor of the smaller; all grounds are one.
  while (a.back() != b.back() && (a.back() >= plan.grounds || b.back() >= plan.grounds)) {
    std::vector<int>& outer = a.back() > b.back() ? a : b;
    outer.push_back(plan.bodies[outer.back()].parent);
  }
  return s;
}

const Body& model_body(const Plan& plan, int b) {
  if (b < plan.grounds) return plan.model->bodies[std::find(plan.body_of.begin(), plan.body_of.end(), b) - plan.body_of.begin()];
  const size_t j = plan.bodies[b].joint;
  const Joint& joint = plan.model->joints[j];
  return plan.model->bodies[(plan.joints[j].reversed ? joint.parent : joint.child).value];
}

/// The branch on the ground that each body belongs to; -1 for grounds.
std::vector<int> branches(const Plan& plan) {
  std::vector<int> branch(plan.bodies.size(), -1);
  int next = 0;
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const int parent = plan.bodies[b].parent;
    branch[b] = parent < plan.grounds ? next++ : branch[parent];
  }
  return branch;
}

}  // namespace

int named_joint(const Plan& plan, const PlanClosure& closure) {
  return closure.coupling < 0 ? closure.joint : plan.model->couplings[closure.coupling].terms.front().joint.value;
}

std::pair<int, int> loop_ends(const Plan& plan, const PlanClosure& closure) {
  const Sides s = sides(plan, closure);
  return {s.parent.back(), s.child.back()};
}

std::vector<int> loop_joints(const Plan& plan, const PlanClosure& closure) {
  const Sides s = sides(plan, closure);
  std::vector<int> joints{closure.joint};
  for (size_t i = 0; i + 1 < s.child.size(); ++i) joints.push_back(plan.bodies[s.child[i]].joint);
  for (size_t i = s.parent.size() - 1; i-- > 0;) joints.push_back(plan.bodies[s.parent[i]].joint);
  return joints;
}

std::string loop_name(const Plan& plan, const PlanClosure& closure) {
  Sides s = sides(plan, closure);
  std::vector<int> around;
  if (s.child.back() == s.parent.back()) {
    around = s.parent;
    around.insert(around.end(), s.child.rbegin() + 1, s.child.rend());
  } else {
    around.assign(s.parent.rbegin(), s.parent.rend());
    around.insert(around.end(), s.child.begin(), s.child.end());
  }
  std::string text;
  for (const int b : around) text += (text.empty() ? "" : "-") + model_body(plan, b).path;
  return text;
}

std::vector<std::vector<int>> loop_subsystems(const Plan& plan) {
  const std::vector<int> branch = branches(plan);
  std::vector<std::vector<int>> list;
  for (int c = 0; c < plan.cuts; ++c) {
    const Sides s = sides(plan, plan.closures[c]);
    std::set<int> parts;
    for (const std::vector<int>& side : {s.parent, s.child})
      for (size_t i = 0; i + 1 < side.size(); ++i) parts.insert(branch[side[i]]);
    list.emplace_back(parts.begin(), parts.end());
  }
  return list;
}

}  // namespace arthron
