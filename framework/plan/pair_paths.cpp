#include <algorithm>

#include "arthron/plan/passes.hpp"

namespace arthron {

namespace {

using std::size_t;

/// The child of each body with the most bodies beyond it, or -1 for a tip.
std::vector<int> heaviest_children(const Plan& plan) {
  std::vector<int> weight(plan.bodies.size(), 1), heaviest(plan.bodies.size(), -1);
  for (int b = static_cast<int>(plan.bodies.size()) - 1; b >= plan.grounds; --b) {
    const size_t parent = plan.bodies[b].parent;
    weight[parent] += weight[b];
    if (heaviest[parent] < 0 || weight[b] >= weight[heaviest[parent]]) heaviest[parent] = b;
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

/// Puts bodies, nodes and paths into levels: a body waits for the paths it carries, a node for its halves, a path for its root.
void make_levels(Plan& plan, const std::vector<std::vector<int>>& bodies_of_path, const std::vector<std::pair<int, int>>& nodes_of_path) {
  std::vector<size_t> level(plan.bodies.size() + plan.nodes.size(), 0), path_level(plan.paths.size(), 0);
  const auto at = [&](size_t l) -> PairLevel& {
    if (plan.pair_levels.size() <= l) plan.pair_levels.resize(l + 1);
    return plan.pair_levels[l];
  };
  // Paths are numbered from the outermost: those a body carries come before its own.
  for (size_t s = 0; s < plan.paths.size(); ++s) {
    for (const int b : bodies_of_path[s]) {
      for (const int carried : plan.carried_paths[b]) level[b] = std::max(level[b], path_level[carried] + 1);
      at(level[b]).bodies.push_back(b);
    }
    for (int n = nodes_of_path[s].first; n < nodes_of_path[s].second; ++n) {
      const PairNode& node = plan.nodes[n];
      const size_t l = 1 + std::max(level[node.near], level[node.far]);
      level[plan.bodies.size() + n] = l;
      at(l).nodes.push_back(n);
    }
    path_level[s] = 1 + level[plan.paths[s].root];
    at(path_level[s]).paths.push_back(static_cast<int>(s));
  }
}

}  // namespace

void pair_paths(Plan& plan) {
  const std::vector<int> heaviest = heaviest_children(plan);
  std::vector<std::vector<int>> bodies_of_path;
  std::vector<std::pair<int, int>> nodes_of_path;
  plan.next_on_path.assign(plan.bodies.size(), -1);
  plan.carried_paths.resize(plan.bodies.size());
  // A body heads a path unless its parent's path goes on into it. Later heads fold into earlier paths, so they come first.
  for (int head = static_cast<int>(plan.bodies.size()) - 1; head >= plan.grounds; --head) {
    const int parent = plan.bodies[head].parent;
    if (parent >= plan.grounds && heaviest[parent] == head) continue;
    std::vector<int> bodies;
    for (int b = head; b >= 0; b = heaviest[b]) bodies.push_back(b);
    for (size_t i = 0; i + 1 < bodies.size(); ++i) plan.next_on_path[bodies[i]] = bodies[i + 1];
    const int first_node = static_cast<int>(plan.nodes.size());
    const int root = pair(plan, bodies, 0, bodies.size());
    nodes_of_path.emplace_back(first_node, static_cast<int>(plan.nodes.size()));
    plan.carried_paths[parent].push_back(static_cast<int>(plan.paths.size()));
    plan.paths.push_back({head, root});
    bodies_of_path.push_back(std::move(bodies));
  }
  make_levels(plan, bodies_of_path, nodes_of_path);
}

}  // namespace arthron
