#include <algorithm>
#include <map>
#include <sstream>

#include "arthron/core/diagnostic.hpp"
#include "arthron/plan/plan.hpp"

namespace arthron {

namespace {

int tree_depth(const Plan& plan) {
  std::vector<int> depth(plan.bodies.size(), 0);
  int deepest = 0;
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) deepest = std::max(deepest, depth[b] = depth[plan.bodies[b].parent] + 1);
  return deepest;
}

/// Each ends an unbranched chain.
std::ptrdiff_t tips(const Plan& plan) {
  return std::count_if(plan.bodies.begin() + plan.grounds, plan.bodies.end(), [](const PlanBody& body) { return body.leaf; });
}

std::string count(std::ptrdiff_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

}  // namespace

std::string describe_elimination(const Plan& plan) {
  if (plan.elimination == Elimination::fold) return "one-handle folding, leaf to root";
  if (plan.elimination == Elimination::modular)
    return "by subsystems, " + count(std::ssize(plan.parts) - 1, "compound", "compounds") + " by themselves, " +
           count(std::count_if(plan.modules.joins.begin(), plan.modules.joins.end(), [](const ModuleJoin& join) { return join.near >= 0; }),
                 "join", "joins");
  return "two-handle pairing, " + count(std::ssize(plan.joins), "join", "joins") + " in " +
         count(std::ssize(plan.chains), "balanced tree", "balanced trees");
}

std::string describe_groups(const Plan& plan) {
  std::map<std::string, int> words;
  for (const SimdGroup& group : plan.groups) {
    std::ostringstream out;
    out << "SIMD groups: " << group.branches << " branches of "
        << count(static_cast<std::ptrdiff_t>(group.bodies.size()), "body", "bodies");
    if (!group.cuts.empty()) out << ", " << count(static_cast<std::ptrdiff_t>(group.cuts.size()), "cut joint", "cut joints");
    if (!group.forces.empty()) out << ", " << count(static_cast<std::ptrdiff_t>(group.forces.size()), "force", "forces");
    ++words[out.str()];
  }
  std::string text;
  for (const auto& [group, times] : words) text += "\n" + group + (times > 1 ? ", " + std::to_string(times) + " times" : "");
  return text;
}

std::string describe_closure(const Plan& plan, int c, const std::string& remark) {
  const PlanClosure& closure = plan.closures[c];
  std::ostringstream out;
  if (closure.coupling < 0) {
    const Joint& joint = plan.model->joints[closure.joint];
    out << "loop " << loop_name(plan, closure) << ": cut at " << joint.path << " (" << joint.definition->type().name() << "), "
        << (remark.empty() ? count(closure.rows, "closure direction", "closure directions") : remark);
    return out.str();
  }
  const Coupling& coupling = plan.model->couplings[closure.coupling];
  out << "coupling " << coupling.path << ":";
  for (const Coupling::Term& term : coupling.terms)
    out << (&term == &coupling.terms.front() ? " " : ", ") << term.coefficient << " of " << plan.model->joints[term.joint.value].path;
  return out.str();
}

std::string describe_plan(const Plan& plan, const std::vector<std::string>& loop_remarks) {
  const auto reversed = std::count_if(plan.joints.begin(), plan.joints.end(), [](const PlanJoint& joint) { return joint.reversed; });
  std::ostringstream out;
  out << "tree of " << count(static_cast<std::ptrdiff_t>(plan.bodies.size()) - plan.grounds, "body", "bodies") << ", "
      << count(tree_depth(plan), "joint", "joints") << " deep, " << count(tips(plan), "chain", "chains");
  if (reversed > 0) out << ", " << count(reversed, "joint", "joints") << " reversed (the child is nearer the ground)";
  out << "\nstate: " << count(plan.nq, "coordinate", "coordinates") << ", "
      << (plan.formulation->integrates_momenta() ? count(plan.nu, "momentum", "momenta") : count(plan.nu, "velocity", "velocities"));
  int driven = 0;
  for (const PlanJoint& joint : plan.joints) driven += joint.driven ? joint.nu : 0;
  if (driven > 0) out << "; " << driven << " driven";
  for (const int c : plan.subsystems.front().loops)
    out << '\n' << describe_closure(plan, c, c < std::ssize(loop_remarks) ? loop_remarks[c] : "");
  out << '\n' << plan.formulation->describe(plan) << '\n';
  return out.str();
}

}  // namespace arthron
