#include "arthron/model/dependency_order.hpp"

#include <algorithm>

namespace arthron {

namespace {

constexpr auto at = [](int i) { return static_cast<std::size_t>(i); };

/// Walks from one open element to the next it needs until the walk bites its tail.
std::vector<int> cycle_from(int start, const std::vector<std::vector<int>>& needs, const std::vector<bool>& done,
                            std::vector<bool>& walked) {
  std::vector<int> path;
  int i = start;
  while (!walked[at(i)]) {
    walked[at(i)] = true;
    path.push_back(i);
    i = *std::find_if(needs[at(i)].begin(), needs[at(i)].end(), [&](int need) { return !done[at(need)]; });
  }
  const auto tail = std::find(path.begin(), path.end(), i);
  return {tail, path.end()};  // empty when the walk ran into one that was reported before
}

}  // namespace

DependencyOrder dependency_order(const std::vector<std::vector<int>>& needs) {
  const std::size_t n = needs.size();
  std::vector<std::vector<int>> needed_by(n);
  std::vector<std::size_t> open(n);
  DependencyOrder result;
  for (std::size_t i = 0; i < n; ++i) {
    open[i] = needs[i].size();
    for (const int need : needs[i]) needed_by[at(need)].push_back(static_cast<int>(i));
    if (open[i] == 0) result.order.push_back(static_cast<int>(i));
  }
  for (std::size_t next = 0; next < result.order.size(); ++next)
    for (const int i : needed_by[at(result.order[next])])
      if (--open[at(i)] == 0) result.order.push_back(i);

  std::vector<bool> done(n, false), walked(n, false);
  for (const int i : result.order) done[at(i)] = true;
  for (std::size_t i = 0; i < n; ++i)
    if (!done[i] && !walked[i])
      if (auto cycle = cycle_from(static_cast<int>(i), needs, done, walked); !cycle.empty()) result.cycles.push_back(std::move(cycle));
  return result;
}

}  // namespace arthron
