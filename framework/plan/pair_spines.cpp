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

/// Puts bodies, nodes and spines into levels: a body waits for the spines it carries, a node for its halves, a spine for its root.
void make_levels(Plan& plan, const std::vector<std::vector<int>>& bodies_of_spine, const std::vector<std::pair<int, int>>& nodes_of_spine) {
  std::vector<size_t> level(plan.bodies.size() + plan.nodes.size(), 0), spine_level(plan.spines.size(), 0);
  const auto at = [&](size_t l) -> PairLevel& {
    if (plan.pair_levels.size() <= l) plan.pair_levels.resize(l + 1);
    return plan.pair_levels[l];
  };
  // Spines are numbered from the outermost: those a body carries come before its own.
  for (size_t s = 0; s < plan.spines.size(); ++s) {
    for (const int b : bodies_of_spine[s]) {
      for (const int carried : plan.carried_spines[static_cast<size_t>(b)])
        level[static_cast<size_t>(b)] = std::max(level[static_cast<size_t>(b)], spine_level[static_cast<size_t>(carried)] + 1);
      at(level[static_cast<size_t>(b)]).bodies.push_back(b);
    }
    for (int n = nodes_of_spine[s].first; n < nodes_of_spine[s].second; ++n) {
      const PairNode& node = plan.nodes[static_cast<size_t>(n)];
      const size_t l = 1 + std::max(level[static_cast<size_t>(node.near)], level[static_cast<size_t>(node.far)]);
      level[plan.bodies.size() + static_cast<size_t>(n)] = l;
      at(l).nodes.push_back(n);
    }
    spine_level[s] = 1 + level[static_cast<size_t>(plan.spines[s].root)];
    at(spine_level[s]).spines.push_back(static_cast<int>(s));
  }
}

}  // namespace

void pair_spines(Plan& plan) {
  const std::vector<int> heaviest = heaviest_children(plan);
  std::vector<std::vector<int>> bodies_of_spine;
  std::vector<std::pair<int, int>> nodes_of_spine;
  plan.next_on_spine.assign(plan.bodies.size(), -1);
  plan.carried_spines.resize(plan.bodies.size());
  // A body heads a spine unless its parent's spine goes on into it. Later heads fold into earlier spines, so they come first.
  for (int head = static_cast<int>(plan.bodies.size()) - 1; head >= plan.grounds; --head) {
    const int parent = plan.bodies[static_cast<size_t>(head)].parent;
    if (parent >= plan.grounds && heaviest[static_cast<size_t>(parent)] == head) continue;
    std::vector<int> bodies;
    for (int b = head; b >= 0; b = heaviest[static_cast<size_t>(b)]) bodies.push_back(b);
    for (size_t i = 0; i + 1 < bodies.size(); ++i) plan.next_on_spine[static_cast<size_t>(bodies[i])] = bodies[i + 1];
    const int first_node = static_cast<int>(plan.nodes.size());
    const int root = pair(plan, bodies, 0, bodies.size());
    nodes_of_spine.emplace_back(first_node, static_cast<int>(plan.nodes.size()));
    plan.carried_spines[static_cast<size_t>(parent)].push_back(static_cast<int>(plan.spines.size()));
    plan.spines.push_back({head, root});
    bodies_of_spine.push_back(std::move(bodies));
  }
  make_levels(plan, bodies_of_spine, nodes_of_spine);
}

}  // namespace arthron
