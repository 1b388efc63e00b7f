#include "arthron/plan/loop_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string_view>

#include "arthron/model/hierarchy.hpp"
#include "arthron/topology/graph.hpp"

namespace arthron {

namespace {

using std::size_t;

constexpr size_t most_loops = 16;  // of one picture

void leave_single(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Bodies by whose free columns a closure's rows of J differ from zero.
std::vector<int> loop_bodies(const Plan& plan, const PlanClosure& closure) {
  std::vector<int> bodies;
  if (closure.coupling < 0) {
    for (const int joint : loop_joints(plan, closure))
      if (joint != closure.joint) bodies.push_back(plan.joints[joint].body);
  } else {
    for (const Coupling::Term& term : plan.model->couplings[closure.coupling].terms) bodies.push_back(plan.joints[term.joint.value].body);
  }
  std::erase_if(bodies, [&](int b) { return free_columns(plan.bodies[b]) == 0; });
  return bodies;
}

/// Bodies with free columns between those of a closure and the grounds.
std::vector<int> carrying_bodies(const Plan& plan, const PlanClosure& closure) {
  std::vector<int> tips;
  if (closure.coupling < 0)
    tips = {closure.parent, closure.child};
  else
    tips = loop_bodies(plan, closure);
  std::vector<int> bodies;
  for (int b : tips)
    for (; b >= plan.grounds; b = plan.bodies[b].parent)
      if (free_columns(plan.bodies[b]) > 0) bodies.push_back(b);
  leave_single(bodies);
  return bodies;
}

std::vector<int> homes(const std::vector<int>& bodies, const LoopBlocks& blocks) {
  std::vector<int> list;
  for (const int b : bodies) list.push_back(blocks.home[b]);
  leave_single(list);
  return list;
}

void name_branches(const Plan& plan, LoopBlocks& blocks) {
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const int parent = plan.bodies[b].parent;
    blocks.home[b] = parent < plan.grounds ? static_cast<int>(blocks.names.size()) : blocks.home[parent];
    if (parent < plan.grounds) blocks.names.push_back(std::to_string(blocks.names.size() + 1));
  }
}

void name_subsystems(const Plan& plan, LoopBlocks& blocks) {
  for (const Subsystem& subsystem : plan.model->subsystems) blocks.names.push_back(subsystem.path.empty() ? "the model" : subsystem.path);
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) blocks.home[b] = plan.model->joints[plan.bodies[b].joint].subsystem;
}

/// Closures that are coupled by the GICM, directly or by others; in the order in which they are closed.
std::vector<std::vector<int>> coupled_loops(const Plan& plan, const LoopBlocks& blocks) {
  std::vector<int> cluster(plan.closures.size()), first_through(plan.bodies.size(), -1);
  std::iota(cluster.begin(), cluster.end(), 0);
  const auto find = [&](int c) {
    while (cluster[c] != c) c = cluster[c] = cluster[cluster[c]];
    return c;
  };
  for (int c = 0; c < std::ssize(cluster); ++c)
    for (const int b : blocks.carriers[c]) {
      int& first = first_through[b];
      if (first < 0) first = c;
      cluster[find(c)] = find(first);
    }
  const std::vector<int> stage = closing_order(plan);
  std::vector<int> order(cluster.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return stage[a] < stage[b]; });
  std::map<int, size_t> number;
  std::vector<std::vector<int>> list;
  for (const int c : order) {
    const auto [entry, fresh] = number.try_emplace(find(c), list.size());
    if (fresh) list.emplace_back();
    list[entry->second].push_back(c);
  }
  return list;
}

using Cells = std::vector<std::vector<std::string>>;

/// The rows of a picture: their closures, then the cells.
std::string picture(const Plan& plan, const std::vector<int>& closures, const Cells& cells) {
  const auto padded = [](std::string text, size_t width) { return text.resize(std::max(width, text.size()), ' '), text; };
  size_t label = 0, width = 0;
  for (size_t r = 0; r < cells.size(); ++r) {
    label = std::max(label, closure_path(plan, closures[r]).size());
    for (const std::string& cell : cells[r]) width = std::max(width, cell.size());
  }
  std::string text;
  for (size_t r = 0; r < cells.size(); ++r) {
    std::string line = "  " + padded(closure_path(plan, closures[r]), label);
    for (const std::string& cell : cells[r]) line += "  " + padded(cell, width);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

/// Both matrices of some closures that are coupled.
std::string pictures(const Plan& plan, const LoopBlocks& blocks, const std::vector<int>& closures) {
  std::vector<int> taking_part;
  for (const int c : closures) {
    const std::vector<int> own = homes(blocks.carriers[c], blocks);
    taking_part.insert(taking_part.end(), own.begin(), own.end());
  }
  leave_single(taking_part);
  const auto number = [&](int j) {
    return blocks.of_branches ? j + 1 : std::lower_bound(taking_part.begin(), taking_part.end(), j) - taking_part.begin() + 1;
  };
  std::string text;
  if (!blocks.of_branches) {
    text = "subsystems:";
    for (const int j : taking_part) text += (j == taking_part.front() ? " " : ", ") + std::to_string(number(j)) + ' ' + blocks.names[j];
    text += '\n';
  }
  Cells jacobian, gicm;
  for (const int r : closures) {
    jacobian.emplace_back();
    for (const int j : taking_part)
      jacobian.back().push_back(std::binary_search(blocks.loop[r].begin(), blocks.loop[r].end(), j) ? "J" : ".");
    gicm.emplace_back();
    for (const int s : closures) {
      std::string sum;
      for (const int j : blocks.gicm(r, s)) sum += (sum.empty() ? "" : "+") + std::to_string(number(j));
      gicm.back().push_back(sum.empty() ? "." : sum);
      if (s == r) break;
    }
  }
  const std::string what = blocks.of_branches ? "branches on the ground" : "subsystems";
  return text + "constraint Jacobian J, loops by " + what + ":\n" + picture(plan, closures, jacobian) +
         "GICM J Mq^-1 J^T (symmetric), the " + (blocks.of_branches ? "branches" : "subsystems") + " that contribute to each block:\n" +
         picture(plan, closures, gicm);
}

/// The lowest subsystem that closes all of some loops, or has them within.
int common_subsystem(const Plan& plan, const std::vector<int>& closures) {
  int common = -1;
  for (int s = 0; s < std::ssize(plan.subsystems); ++s)
    for (const int c : plan.subsystems[s].closes)
      if (std::binary_search(closures.begin(), closures.end(), c)) common = common < 0 ? s : plan.model->graph().lowest_common(common, s);
  return common;
}

/// As seen from a subsystem: its path left out wherever it begins a name.
std::string seen_from(const std::string& path, std::string text) {
  if (path.empty()) return text;
  for (size_t at = 0; (at = text.find(' ' + path, at)) != std::string::npos; ++at) {
    const size_t end = at + 1 + path.size();
    if (end == text.size() || std::string_view(" .,\n").find(text[end]) != std::string_view::npos) text.erase(at + 1, path.size());
  }
  return text;
}

}  // namespace

std::vector<int> LoopBlocks::gicm(int r, int s) const {
  std::vector<int> common;
  std::set_intersection(carriers[r].begin(), carriers[r].end(), carriers[s].begin(), carriers[s].end(), std::back_inserter(common));
  return homes(common, *this);
}

const std::string& closure_path(const Plan& plan, int number) {
  const PlanClosure& closure = plan.closures[number];
  return closure.coupling < 0 ? plan.model->joints[closure.joint].path : plan.model->couplings[closure.coupling].path;
}

LoopBlocks loop_blocks(const Plan& plan) {
  LoopBlocks blocks;
  blocks.of_branches = plan.subsystems.size() == 1;
  blocks.home.assign(plan.bodies.size(), -1);
  blocks.of_branches ? name_branches(plan, blocks) : name_subsystems(plan, blocks);
  if (blocks.of_branches) blocks.loop = loop_subsystems(plan);  // of cut joints
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    if (c >= blocks.loop.size()) blocks.loop.push_back(homes(loop_bodies(plan, plan.closures[c]), blocks));
    blocks.carriers.push_back(carrying_bodies(plan, plan.closures[c]));
  }
  return blocks;
}

std::vector<int> closing_order(const Plan& plan) {
  std::vector<int> place(plan.closures.size(), 0);
  if (plan.subsystems.size() == 1) return place;
  int next = 0;
  const auto visit = [&](const auto& self, int s) -> void {
    for (const int child : children_of(*plan.model, s)) self(self, child);
    for (const int c : plan.subsystems[s].closes) place[c] = next;
    ++next;
  };
  visit(visit, 0);
  return place;
}

std::string describe_blocks(const Plan& plan) {
  if (plan.closures.empty()) return "";
  const LoopBlocks blocks = loop_blocks(plan);
  struct Alike {
    std::vector<int> closures;
    int times = 0;
  };
  std::vector<std::string> order;
  std::map<std::string, Alike> list;  // by what their pictures say seen from the subsystem that has all of it
  size_t too_large = 0;
  for (const std::vector<int>& closures : coupled_loops(plan, blocks)) {
    if (closures.size() > most_loops) {
      ++too_large;
      continue;
    }
    std::vector<int> sorted = closures;
    std::sort(sorted.begin(), sorted.end());
    const std::string& path = plan.model->subsystems[common_subsystem(plan, sorted)].path;
    const std::string text = seen_from(path, pictures(plan, blocks, closures));
    const auto [entry, fresh] = list.try_emplace(text, Alike{closures, 0});
    if (fresh) order.push_back(text);
    ++entry->second.times;
  }
  std::string text;
  for (const std::string& key : order) {
    const Alike& alike = list[key];
    if (alike.times > 1) text += "coupled loops, the first of " + std::to_string(alike.times) + " alike:\n";
    text += pictures(plan, blocks, alike.closures);
  }
  if (too_large > 0)
    text += std::to_string(too_large) + " of the matrices of coupled loops are too large to be shown: more than " +
            std::to_string(most_loops) + " loops\n";
  return text;
}

}  // namespace arthron
