#include "arthron/plan/compound_lines.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>

#include "arthron/plan/loop_blocks.hpp"
#include "arthron/plan/subsystem_tree.hpp"

namespace arthron {

namespace {

using std::size_t;
using Assembly = CompoundNode::Edge;

std::string name_in_file(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// What a node that has nothing to say of its own stands for.
int stands_for(const std::vector<CompoundNode>& nodes, int n) {
  while (nodes[n].bodies.empty() && nodes[n].closes.empty() && nodes[n].carried.size() == 1) n = nodes[n].carried.front();
  return n;
}

/// How what `stands_for` finds is assembled into the carrier of `n`: parts are joined by the node that they begin with.
Assembly edge_of(const Plan& plan, const std::vector<CompoundNode>& nodes, int n) {
  if (nodes[n].edge == Assembly::merged) return Assembly::merged;
  if (plan.elimination == Elimination::modular) return Assembly::joined;
  const CompoundNode& node = nodes[stands_for(nodes, n)];
  const bool begins_part = node.part >= 0 && part(plan, node.part).on == node.on;
  return begins_part && part(plan, node.part).joined ? Assembly::joined : Assembly::carried;
}

const std::string& body_path(const Plan& plan, int body) {
  const size_t m = std::find(plan.body_of.begin(), plan.body_of.end(), body) - plan.body_of.begin();
  return plan.model->bodies[m].path;
}

/// Numbers of kinds, equal for compounds that are alike but for their names: by themselves, and with all that hangs on them.
class CompoundKinds {
 public:
  CompoundKinds(const Plan& plan, const std::vector<CompoundNode>& nodes) : plan_(plan), lanes_(plan.bodies.size(), 1) {
    for (const SimdGroup& group : plan.groups)
      for (const GroupBody& body : group.bodies)
        for (int lane = 0; lane < group.branches; ++lane) lanes_[body.body[lane]] = group.branches;
    own_.resize(nodes.size()), whole_.resize(nodes.size());
    for (size_t n = nodes.size(); n-- > 0;) {
      own_[n] = number(words(nodes[n]));
      if (const int meant = stands_for(nodes, static_cast<int>(n)); meant != static_cast<int>(n)) {
        own_[n] = own_[meant], whole_[n] = whole_[meant];
        continue;
      }
      std::string all = "all " + std::to_string(own_[n]);
      for (const int carried : nodes[n].carried)
        all += ' ' + std::to_string(whole_[carried]) + ' ' + std::to_string(static_cast<int>(edge_of(plan, nodes, carried)));
      whole_[n] = number(all);
    }
  }
  [[nodiscard]] int own(int node) const { return own_[node]; }
  [[nodiscard]] int whole(int node) const { return whole_[node]; }
  [[nodiscard]] int lanes(const CompoundNode& node) const {
    int most = 1;
    for (const int b : node.bodies) most = std::max(most, lanes_[b]);
    return most;
  }

 private:
  [[nodiscard]] std::string words(const CompoundNode& node) const {
    const Subsystem& subsystem = plan_.model->subsystems[node.subsystem];
    std::ostringstream out;
    out << std::hexfloat << subsystem.file << '\n'
        << subsystem.name << '\n'
        << node.whole << ' ' << node.bodies.size() << ' ' << node.rows_closed << ' ' << node.rows_passed << ' ' << node.cost << ' '
        << lanes(node);
    return out.str();
  }
  int number(const std::string& word) { return known_.emplace(word, static_cast<int>(known_.size())).first->second; }

  const Plan& plan_;
  std::vector<int> lanes_, own_, whole_;
  std::map<std::string, int> known_;
};

class Lister {
 public:
  Lister(const Plan& plan, const CompoundTree& tree) : plan_(plan), nodes_(tree.nodes), kinds_(plan, tree.nodes) {}

  std::vector<CompoundLine> list() {
    if (!nodes_.empty()) add({stands_for(nodes_, 0)}, Assembly::carried, -1, 0);
    return std::move(lines_);
  }

 private:
  /// Compounds that are alike, then what hangs on the first.
  void add(const std::vector<int>& alike, Assembly edge, int above, int depth) {
    CompoundLine line;
    line.node = alike.front(), line.last = alike.back(), line.times = static_cast<int>(alike.size());
    line.above = above, line.edge = edge, line.depth = depth, line.lanes = kinds_.lanes(nodes_[line.node]);
    if (alike.size() == 1) go_along_row(line);
    line.name = name_of(line);
    const int number = static_cast<int>(lines_.size()), end = line.in_a_row ? line.last : line.node;
    lines_.push_back(std::move(line));
    std::map<std::pair<int, Assembly>, size_t> place;  // of a kind among those found here
    std::vector<std::pair<std::vector<int>, Assembly>> groups;
    for (const int carried : nodes_[end].carried) {
      const std::pair kind{kinds_.whole(carried), edge_of(plan_, nodes_, carried)};
      const auto [entry, fresh] = place.try_emplace(kind, groups.size());
      if (fresh) groups.push_back({{}, kind.second});
      groups[entry->second].first.push_back(stands_for(nodes_, carried));
    }
    for (auto& [group, how] : groups) {
      std::sort(group.begin(), group.end(), [&](int a, int b) { return nodes_[a].subsystem < nodes_[b].subsystem; });
      add(group, how, number, depth + 1);
    }
  }

  /// As far as each carries nothing but one that is like itself, all in the same way.
  void go_along_row(CompoundLine& line) const {
    std::optional<Assembly> edge;
    for (int n = line.node; nodes_[n].carried.size() == 1; n = line.last) {
      const int carried = nodes_[n].carried.front(), next = stands_for(nodes_, carried);
      const Assembly how = edge_of(plan_, nodes_, carried);
      if (kinds_.own(next) != kinds_.own(n) || edge.value_or(how) != how) return;
      line.last = next, line.in_a_row = true, ++line.times, edge = how;
    }
  }

  /// Within the subsystem that its carrier is of by the last name, else by the whole path; a segment by its first body.
  [[nodiscard]] std::string name_of(const CompoundLine& line) const {
    const auto name = [&](int n) {
      const CompoundNode& node = nodes_[n];
      const Subsystem& subsystem = plan_.model->subsystems[node.subsystem];
      if (!node.whole && !node.bodies.empty()) return segment(node);
      if (node.subsystem == 0) return plan_.model->name;
      const bool nested = !line.in_a_row && node.carrier >= 0 && subsystem.parent == nodes_[node.carrier].subsystem;
      return nested ? name_in_file(subsystem.path) : subsystem.path;
    };
    if (line.times == 1) return name(line.node);
    if (line.in_a_row || line.times == 2) return name(line.node) + (line.in_a_row ? " ... " : ", ") + name(line.last);
    return name(line.node) + " ... " + name(line.last) + " (x " + std::to_string(line.times) + ')';
  }
  [[nodiscard]] std::string segment(const CompoundNode& node) const {
    const std::string& first = body_path(plan_, node.bodies.front());
    return node.bodies.size() == 1 ? first : first + " ... " + name_in_file(body_path(plan_, node.bodies.back()));
  }

  const Plan& plan_;
  const std::vector<CompoundNode>& nodes_;
  CompoundKinds kinds_;
  std::vector<CompoundLine> lines_;
};

std::string microseconds(double nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f us", nanoseconds / 1e3);
  return text;
}

/// "carried by front.left.upright": how it is assembled into what it hangs on.
std::string assembled_into(const Plan& plan, const CompoundNode& node, Assembly edge) {
  if (node.on < 0) return "on the ground";
  const char* const how = edge == Assembly::merged ? "merged on " : edge == Assembly::joined ? "joined to " : "carried by ";
  return how + body_path(plan, node.on);
}

/// "; closes upper_ball" as the subsystem names them, or as the model does; nothing where there are none.
std::string named(const Plan& plan, const CompoundNode& node, const char* what, const std::vector<int>& closures) {
  std::vector<std::string> names;
  const std::string prefix = plan.model->subsystems[node.subsystem].path + '.';
  for (const int c : closures) {
    const std::string& path = closure_path(plan, c);
    names.push_back(path.starts_with(prefix) ? path.substr(prefix.size()) : path);
  }
  return names.empty() ? "" : what + dozen(names);
}

}  // namespace

std::vector<CompoundLine> compound_lines(const Plan& plan, const CompoundTree& tree) { return Lister(plan, tree).list(); }

std::string describe_compounds(const Plan& plan) {
  constexpr size_t most_lines = 60;
  const CompoundTree tree = compound_tree(plan);
  const std::vector<CompoundLine> lines = compound_lines(plan, tree);
  using Row = std::array<std::string, 7>;
  std::vector<Row> rows{{"compound", "bodies", "rows closed", "passed on", "lanes", "expected", "assembled"}};
  for (size_t i = 0; i < std::min(lines.size(), most_lines); ++i) {
    const CompoundLine& line = lines[i];
    const CompoundNode& node = tree.nodes[line.node];
    const int in_a_row = line.in_a_row ? line.times : 1;
    std::string words = assembled_into(plan, node, line.edge);
    if (line.in_a_row) words += ", " + std::to_string(line.times) + " in a row";
    words += named(plan, node, "; closes ", node.closes) + named(plan, node, "; passes on ", node.passes_on);
    rows.push_back({std::string(2 * static_cast<size_t>(line.depth), ' ') + line.name,
                    std::to_string(node.bodies.size() * static_cast<size_t>(in_a_row)), std::to_string(node.rows_closed),
                    std::to_string(node.rows_passed), line.lanes > 1 ? std::to_string(line.lanes) : "-", microseconds(node.cost * in_a_row),
                    words});
  }
  std::array<size_t, std::tuple_size_v<Row>> width{};
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  std::string text;
  for (const Row& row : rows) {
    std::string out = "  " + row.front() + std::string(width.front() - row.front().size(), ' ');
    for (size_t i = 1; i + 1 < row.size(); ++i) out += "  " + std::string(width[i] - row[i].size(), ' ') + row[i];
    text += out + "  " + row.back() + '\n';
  }
  if (lines.size() > most_lines) text += "  ... and " + std::to_string(lines.size() - most_lines) + " more\n";
  double sum = 0;
  for (const CompoundNode& node : tree.nodes) sum += node.cost;
  return text + "  expected of an evaluation on one core: " + microseconds(sum) + '\n';
}

}  // namespace arthron
