#include <algorithm>

#include "arthron/plan/passes.hpp"

namespace arthron {

namespace {

using std::size_t;

/// The child of each body with the most bodies beyond it, or -1 for a tip.
std::vector<int> heaviest_children(const Plan& plan) {
  std::vector<int> weight(plan.bodies.size(), 1), heaviest(plan.bodies.size(), -1);
  for (int b = static_cast<int>(plan.bodies.size()) - 1; b >= plan.grounds; --b) {
    const size_t parent = static_cast<size_t>(plan.bodies[static_cast<size_t>(b)].parent);
    weight[parent] += weight[static_cast<size_t>(b)];
    if (heaviest[parent] < 0 || weight[static_cast<size_t>(b)] >= weight[static_cast<size_t>(heaviest[parent])]) heaviest[parent] = b;
  }
  return heaviest;
}

/// Pairs the compounds of bodies[first, last) and returns the number of the compound that holds them all.
int pair(Plan& plan, const std::vector<int>& bodies, size_t first, size_t last) {
  if (last - first == 1) return bodies[first];
  const size_t middle = first + (last - first) / 2;
  const int near = pair(plan, bodies, first, middle);
  const int far = pair(plan, bodies, middle, last);
  plan.nodes.push_back({near, far, bodies[middle]});
  return static_cast<int>(plan.bodies.size() + plan.nodes.size()) - 1;
}

}  // namespace

void pair_spines(Plan& plan) {
  const std::vector<int> heaviest = heaviest_children(plan);
  // A body heads a spine unless its parent's spine goes on into it. Later heads fold into earlier spines, so they come first.
  for (int head = static_cast<int>(plan.bodies.size()) - 1; head >= plan.grounds; --head) {
    const int parent = plan.bodies[static_cast<size_t>(head)].parent;
    if (parent >= plan.grounds && heaviest[static_cast<size_t>(parent)] == head) continue;
    Spine spine;
    spine.head = head;
    for (int b = head; b >= 0; b = heaviest[static_cast<size_t>(b)]) spine.bodies.push_back(b);
    spine.first_node = static_cast<int>(plan.nodes.size());
    spine.root = pair(plan, spine.bodies, 0, spine.bodies.size());
    spine.last_node = static_cast<int>(plan.nodes.size());
    plan.spines.push_back(std::move(spine));
  }
}

}  // namespace arthron
