#include "arthron/formulations/joint_space/report.hpp"

#include <map>

#include "arthron/formulations/joint_space/joint_space.hpp"
#include "arthron/plan/subsystem_tree.hpp"

namespace arthron {

namespace {

using std::size_t;

std::string loop_by_loop(const Plan& plan, const std::vector<int>& order) {
  std::vector<std::string> names;
  for (const int c : order) names.push_back(closure_path(plan, c));
  return "multipliers loop by loop, eliminated in this order and found in the reverse one: " + dozen(names) + '\n';
}

}  // namespace

std::string describe_multiplier_order(const Plan& plan) {
  if (plan.closures.empty()) return "";
  const std::vector<int> order = multiplier_order(plan);
  if (plan.subsystems.size() == 1) return loop_by_loop(plan, order);
  std::vector<int> closed_by(plan.closures.size(), 0);
  for (int s = 0; s < static_cast<int>(plan.subsystems.size()); ++s)
    for (const int c : plan.subsystems[s].closes) closed_by[c] = s;
  const std::vector<int> listed_as = stand_ins(plan);
  std::vector<int> list;     // of those that are listed, in the order in which they are solved
  std::map<int, int> times;  // how many stand behind each
  for (size_t i = 0; i < order.size(); ++i) {
    const int s = closed_by[order[i]];
    if (i > 0 && s == closed_by[order[i - 1]]) continue;
    if (times[listed_as[s]]++ == 0) list.push_back(listed_as[s]);
  }
  std::string text = "multipliers subsystem by subsystem, eliminated in this order and found in the reverse one:\n";
  for (const int s : list) {
    const std::string& path = plan.model->subsystems[s].path;
    text += "  " + (path.empty() ? "the model" : path) + (times[s] > 1 ? " (x " + std::to_string(times[s]) + ')' : "") + ": " +
            describe_rows(plan, plan.subsystems[s].closes, s) + '\n';
  }
  return text;
}

}  // namespace arthron
