#include "arthron/plan/closure_groups.hpp"

#include <map>
#include <set>

#include "arthron/plan/plan.hpp"

namespace arthron {

ClosureGroups group_closures(const EliminationOrder& order, const std::vector<int>& rows, int eliminated) {
  constexpr int block = 2;  // what a block costs, in registers
  const auto at = [](int place) { return static_cast<size_t>(place); };
  std::vector<int> group(at(eliminated)), total(rows.begin(), rows.begin() + eliminated), beyond(at(eliminated), 0);
  for (int i = 0; i < eliminated; ++i) {
    group[at(i)] = i;
    for (const int k : order.later[at(i)]) beyond[at(i)] += rows[at(k)];
  }
  const auto size = [&](int count, int later) { return count * (registers(count) + registers(later)); };
  for (int i = 0; i < eliminated; ++i) {
    if (order.later[at(i)].empty()) continue;
    const int next = order.later[at(i)].front();
    if (next >= eliminated) continue;
    const int own = total[at(i)], others = total[at(next)], all = own + others;
    if (size(all, beyond[at(next)]) > size(own, beyond[at(i)]) + size(others, beyond[at(next)]) + block) continue;
    group[at(i)] = next, total[at(next)] = all;
  }
  int alone = -1;  // the last without anything further
  for (int i = 0; i < eliminated; ++i) {
    if (!order.later[at(i)].empty()) continue;
    if (alone >= 0 && registers(total[at(alone)] + total[at(i)]) == 1) group[at(alone)] = i, total[at(i)] += total[at(alone)];
    alone = i;
  }
  const auto root = [&](int i) {
    while (group[at(i)] != i) i = group[at(i)];
    return i;
  };
  ClosureGroups groups;
  std::map<int, int> number;  // of a group by its last member
  for (int i = 0; i < eliminated; ++i)
    if (root(i) == i) number.emplace(i, static_cast<int>(number.size()));
  groups.members.resize(number.size()), groups.later.resize(number.size());
  for (int i = 0; i < eliminated; ++i) groups.members[at(number.at(root(i)))].push_back(i);
  for (const auto& [last, g] : number) {
    std::set<int> later;
    for (const int k : order.later[at(last)]) later.insert(k < eliminated ? number.at(root(k)) : static_cast<int>(number.size()));
    groups.later[at(g)].assign(later.begin(), later.end());
  }
  return groups;
}

}  // namespace arthron
