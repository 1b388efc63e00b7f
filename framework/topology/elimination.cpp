#include "arthron/topology/elimination.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace arthron {

using std::size_t;

EliminationOrder minimum_degree(int vertices, int eliminated, const std::vector<std::pair<int, int>>& couplings,
                                const std::vector<int>& stages) {
  std::vector<std::set<int>> neighbours(vertices);
  for (const auto& [a, b] : couplings)
    if (a != b) neighbours[a].insert(b), neighbours[b].insert(a);

  const auto key = [&](int v) { return std::array{stages.empty() ? 0 : stages[v], static_cast<int>(neighbours[v].size()), v}; };
  std::set<std::array<int, 3>> queue;  // stage, degree, vertex
  for (int v = 0; v < eliminated; ++v) queue.insert(key(v));
  EliminationOrder result;
  std::vector<std::set<int>> later(vertices);
  while (!queue.empty()) {
    const int v = queue.begin()->back();
    queue.erase(queue.begin());
    result.order.push_back(v);
    // Those coupled with v become coupled with one another.
    const std::set<int> around = neighbours[v];
    for (const int a : around) {
      if (a < eliminated) queue.erase(key(a));
      neighbours[a].erase(v);
      for (const int b : around)
        if (a != b) neighbours[a].insert(b);
      if (a < eliminated) queue.insert(key(a));
    }
    later[v] = around;
  }
  for (int v = eliminated; v < vertices; ++v) {
    result.order.push_back(v);
    for (const int b : neighbours[v])
      if (b > v) later[v].insert(b);
  }

  std::vector<int> place(vertices);
  for (int i = 0; i < vertices; ++i) place[result.order[i]] = i;
  for (const int v : result.order) {
    std::vector<int> places;
    for (const int b : later[v]) places.push_back(place[b]);
    std::sort(places.begin(), places.end());
    result.later.push_back(std::move(places));
  }
  return result;
}

}  // namespace arthron
