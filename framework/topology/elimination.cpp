#include "arthron/topology/elimination.hpp"

#include <algorithm>
#include <set>

namespace arthron {

using std::size_t;

EliminationOrder minimum_degree(int vertices, int eliminated, const std::vector<std::pair<int, int>>& couplings) {
  std::vector<std::set<int>> neighbours(static_cast<size_t>(vertices));
  for (const auto& [a, b] : couplings)
    if (a != b) neighbours[static_cast<size_t>(a)].insert(b), neighbours[static_cast<size_t>(b)].insert(a);

  const auto degree = [&](int v) { return static_cast<int>(neighbours[static_cast<size_t>(v)].size()); };
  std::set<std::pair<int, int>> queue;  // degree, vertex
  for (int v = 0; v < eliminated; ++v) queue.emplace(degree(v), v);
  EliminationOrder result;
  std::vector<std::set<int>> later(static_cast<size_t>(vertices));
  while (!queue.empty()) {
    const int v = queue.begin()->second;
    queue.erase(queue.begin());
    result.order.push_back(v);
    // Those coupled with v become coupled with one another.
    const std::set<int> around = neighbours[static_cast<size_t>(v)];
    for (const int a : around) {
      if (a < eliminated) queue.erase({degree(a), a});
      neighbours[static_cast<size_t>(a)].erase(v);
      for (const int b : around)
        if (a != b) neighbours[static_cast<size_t>(a)].insert(b);
      if (a < eliminated) queue.emplace(degree(a), a);
    }
    later[static_cast<size_t>(v)] = around;
  }
  for (int v = eliminated; v < vertices; ++v) {
    result.order.push_back(v);
    for (const int b : neighbours[static_cast<size_t>(v)])
      if (b > v) later[static_cast<size_t>(v)].insert(b);
  }

  std::vector<int> place(static_cast<size_t>(vertices));
  for (int i = 0; i < vertices; ++i) place[static_cast<size_t>(result.order[static_cast<size_t>(i)])] = i;
  for (const int v : result.order) {
    std::vector<int> places;
    for (const int b : later[static_cast<size_t>(v)]) places.push_back(place[static_cast<size_t>(b)]);
    std::sort(places.begin(), places.end());
    result.later.push_back(std::move(places));
  }
  return result;
}

}  // namespace arthron
