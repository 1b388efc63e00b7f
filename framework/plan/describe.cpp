#include <algorithm>
#include <sstream>

#include "arthron/plan/plan.hpp"

namespace arthron {

namespace {

int tree_depth(const Plan& plan) {
  std::vector<int> depth(plan.bodies.size(), 0);
  int deepest = 0;
  for (size_t b = static_cast<size_t>(plan.grounds); b < plan.bodies.size(); ++b)
    deepest = std::max(deepest, depth[b] = depth[static_cast<size_t>(plan.bodies[b].parent)] + 1);
  return deepest;
}

/// The bodies of a loop, from one side of the cut to the other.
std::string loop_bodies(const Plan& plan, const PlanClosure& closure) {
  std::vector<int> a{closure.parent}, b{closure.child};
  // Body numbers grow outward, so the larger of two is never an ancestor of the smaller; all grounds are one.
  while (a.back() != b.back() && (a.back() >= plan.grounds || b.back() >= plan.grounds)) {
    std::vector<int>& outer = a.back() > b.back() ? a : b;
    outer.push_back(plan.bodies[static_cast<size_t>(outer.back())].parent);
  }
  if (b.back() == a.back()) b.pop_back();
  std::vector<std::string> names(plan.bodies.size());
  for (size_t m = 0; m < plan.body_of.size(); ++m) names[static_cast<size_t>(plan.body_of[m])] = plan.model->bodies[m].path;
  a.insert(a.end(), b.rbegin(), b.rend());
  std::string text;
  for (const int x : a) text += (text.empty() ? "" : "-") + names[static_cast<size_t>(x)];
  return text;
}

std::string count(std::ptrdiff_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

}  // namespace

std::string describe_plan(const Plan& plan, const std::vector<int>& closure_ranks) {
  const auto reversed = std::count_if(plan.joints.begin(), plan.joints.end(), [](const PlanJoint& joint) { return joint.reversed; });
  std::ostringstream out;
  out << "tree of " << count(static_cast<std::ptrdiff_t>(plan.bodies.size()) - plan.grounds, "body", "bodies") << ", "
      << count(tree_depth(plan), "joint", "joints") << " deep, "
      << count(static_cast<std::ptrdiff_t>(plan.spines.size()), "spine", "spines");
  if (reversed > 0) out << ", " << count(reversed, "joint", "joints") << " reversed (the child is nearer the ground)";
  out << "\nstate: " << count(plan.nq, "coordinate", "coordinates") << ", " << count(plan.nu, "momentum", "momenta");
  int driven = 0;
  for (const PlanJoint& joint : plan.joints) driven += joint.driven ? joint.nu : 0;
  if (driven > 0) out << "; " << driven << " driven";
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    const Joint& joint = plan.model->joints[static_cast<size_t>(closure.joint)];
    out << "\nloop " << loop_bodies(plan, closure) << ": cut at " << joint.path << " (" << joint.definition->type().name() << "), "
        << count(closure.rows, "closure direction", "closure directions");
    if (c < closure_ranks.size() && closure_ranks[c] < closure.rows)
      out << ", " << closure.rows - closure_ranks[c] << " of them redundant as drawn: their reactions are not unique";
  }
  if (plan.elimination == Elimination::fold)
    out << "\nelimination: one-handle folding, leaf to root\n";
  else
    out << "\nelimination: two-handle pairing, " << count(static_cast<std::ptrdiff_t>(plan.nodes.size()), "assembly", "assemblies")
        << " in " << count(static_cast<std::ptrdiff_t>(plan.pair_levels.size()), "level", "levels") << "\n";
  return out.str();
}

}  // namespace arthron
