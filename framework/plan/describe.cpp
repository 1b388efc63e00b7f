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

std::string count(std::ptrdiff_t n, const std::string& one, const std::string& many) { return std::to_string(n) + " " + (n == 1 ? one : many); }

}  // namespace

std::string describe_plan(const Plan& plan) {
  const auto reversed = std::count_if(plan.joints.begin(), plan.joints.end(), [](const PlanJoint& joint) { return joint.reversed; });
  std::ostringstream out;
  out << "tree of " << count(static_cast<std::ptrdiff_t>(plan.bodies.size()) - plan.grounds, "body", "bodies") << ", "
      << count(tree_depth(plan), "joint", "joints") << " deep, " << count(static_cast<std::ptrdiff_t>(plan.spines.size()), "spine", "spines");
  if (reversed > 0) out << ", " << count(reversed, "joint", "joints") << " reversed (the child is nearer the ground)";
  out << "\nstate: " << count(plan.nq, "coordinate", "coordinates") << ", " << count(plan.nu, "momentum", "momenta");
  if (plan.nu_all > plan.nu) out << "; " << plan.nu_all - plan.nu << " driven";
  if (plan.elimination == Elimination::fold)
    out << "\nelimination: one-handle folding, leaf to root\n";
  else
    out << "\nelimination: two-handle pairing, " << count(static_cast<std::ptrdiff_t>(plan.nodes.size()), "assembly", "assemblies") << " in "
        << count(static_cast<std::ptrdiff_t>(plan.pair_levels.size()), "level", "levels") << "\n";
  return out.str();
}

}  // namespace arthron
