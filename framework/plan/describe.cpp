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

}  // namespace

std::string describe_plan(const Plan& plan) {
  std::ostringstream out;
  const auto reversed = std::count_if(plan.joints.begin(), plan.joints.end(), [](const PlanJoint& joint) { return joint.reversed; });
  out << "tree of " << plan.bodies.size() - static_cast<size_t>(plan.grounds) << " bodies, " << tree_depth(plan) << " joints deep, "
      << plan.spines.size() << (plan.spines.size() == 1 ? " spine" : " spines");
  if (reversed > 0) out << ", " << reversed << (reversed == 1 ? " joint" : " joints") << " reversed (the child is nearer the ground)";
  out << '\n';
  out << "state: " << plan.nq << " coordinates, " << plan.nu << " momenta";
  if (plan.nu_all > plan.nu) out << "; " << plan.nu_all - plan.nu << " driven";
  out << '\n';
  if (plan.elimination == Elimination::fold)
    out << "elimination: one-handle folding, leaf to root";
  else
    out << "elimination: two-handle pairing, " << plan.nodes.size() << " assemblies";
  out << '\n';
  return out.str();
}

}  // namespace arthron
