#include <algorithm>
#include <map>

#include "arthron/plan/passes.hpp"

namespace arthron {

namespace {

using std::size_t;

size_t at(int number) { return static_cast<size_t>(number); }

/// Cut joints by the nodes at which they are complete, and through which they stay open.
struct Meetings {
  std::vector<std::vector<int>> closing, open;
};

Meetings find_meetings(const SimdGroup& group) {
  const int top = static_cast<int>(group.bodies.size());
  Meetings found{std::vector<std::vector<int>>(at(top) + 1), std::vector<std::vector<int>>(at(top) + 1)};
  const auto way = [&](int b) {  // from a body to the carrier
    std::vector<int> nodes;
    for (; b >= 0; b = group.bodies[at(b)].on) nodes.push_back(b);
    nodes.push_back(top);
    return nodes;
  };
  for (int c = 0; c < static_cast<int>(group.cuts.size()); ++c) {
    const GroupCut& cut = group.cuts[at(c)];
    const bool within = cut.child_on >= 0 && cut.parent_on >= 0;
    int meeting = -1;
    if (within) {
      const std::vector<int> a = way(cut.child_on), b = way(cut.parent_on);
      meeting = *std::find_if(a.begin(), a.end(), [&](int node) { return std::find(b.begin(), b.end(), node) != b.end(); });
      found.closing[at(meeting)].push_back(c);
    }
    for (const int side : {cut.child_on, cut.parent_on}) {
      if (side < 0) continue;
      for (const int node : way(side)) {
        if (node == meeting) break;
        std::vector<int>& here = found.open[at(node)];
        if (here.empty() || here.back() != c) here.push_back(c);
      }
    }
  }
  return found;
}

/// Who writes what: bodies from the last inward, then the carrier.
void find_passages(SimdGroup& group, const std::vector<std::vector<int>>& open, const std::vector<std::map<int, int>>& row_of) {
  const int top = static_cast<int>(group.bodies.size());
  std::vector<std::vector<bool>> row_written(group.nodes.size()), pair_written(group.nodes.size());
  for (size_t n = 0; n < group.nodes.size(); ++n) {
    row_written[n].resize(at(group.nodes[n].rows), false);
    pair_written[n].resize(at(group.nodes[n].rows * group.nodes[n].rows), false);
  }
  const auto writes_first = [](std::vector<bool>& written, int place) {
    const bool first = !written[at(place)];
    written[at(place)] = true;
    return first;
  };
  std::vector<int> order(group.nodes.size(), top);
  for (int n = 0; n < top; ++n) order[at(top - 1 - n)] = n;
  for (const int n : order) {
    GroupNode& node = group.nodes[at(n)];
    for (int r = 0; r < node.rows; ++r)
      for (int s = r; s < node.rows; ++s)
        if (!pair_written[at(n)][at(node.place(r, s))]) node.apart.push_back(node.place(r, s));
    for (GroupNode::Side& side : node.sides) {
      side.first = writes_first(row_written[at(n)], side.row);
      for (int r = 1; r < group.cuts[at(side.cut)].rows; ++r) row_written[at(n)][at(side.row + r)] = true;
    }
    for (int r = 0; r < node.rows; ++r)
      if (!row_written[at(n)][at(r)]) node.blank.push_back(r);
    if (n == top) return;
    node.onward = group.bodies[at(n)].on < 0 ? top : group.bodies[at(n)].on;
    const size_t into = at(node.onward);
    for (const int c : open[at(n)])
      for (int r = 0; r < group.cuts[at(c)].rows; ++r) {
        const int row = row_of[into].at(c) + r;
        node.passed.push_back({row, writes_first(row_written[into], row)});
      }
    for (int a = 0; a < node.open(); ++a)
      for (int b = a; b < node.open(); ++b) {
        const int r = node.passed[at(a)].row, s = node.passed[at(b)].row;
        const int place = group.nodes[into].place(std::min(r, s), std::max(r, s));
        node.passed_pairs.push_back({node.place(node.closing + a, node.closing + b), place, writes_first(pair_written[into], place)});
      }
  }
}

void find_nodes(SimdGroup& group, const Meetings& meetings) {
  const int top = static_cast<int>(group.bodies.size());
  group.nodes.resize(at(top) + 1);
  std::vector<std::map<int, int>> row_of(group.nodes.size());  // cut -> its first row
  for (int n = 0; n <= top; ++n) {
    GroupNode& node = group.nodes[at(n)];
    for (const bool complete : {true, false})
      for (const int c : complete ? meetings.closing[at(n)] : meetings.open[at(n)]) {
        GroupCut& cut = group.cuts[at(c)];
        row_of[at(n)][c] = node.rows;
        node.cut_of_row.insert(node.cut_of_row.end(), at(cut.rows), c);
        if (complete || n == top) cut.node = n, cut.row = node.rows;
        if (cut.rows > 0 && cut.child_on == n) node.sides.push_back({c, node.rows, true, true});
        if (cut.rows > 0 && cut.parent_on == n) node.sides.push_back({c, node.rows, false, true});
        node.rows += cut.rows;
        if (complete) node.closing = node.rows;
      }
    node.first = group.rows, node.gamma = group.gamma_size, node.y = group.y_size;
    group.rows += node.rows, group.gamma_size += node.rows * node.rows;
    if (n < top) group.y_size += group.bodies[at(n)].columns * node.open();
  }
  find_passages(group, meetings.open, row_of);
}

/// The couplings of its inboard joint, by the numbers of their coefficients.
void find_terms(const Plan& plan, SimdGroup& group) {
  int coefficient = 0;
  for (size_t c = plan.cuts; c < plan.closures.size(); ++c)
    for (const Coupling::Term& term : plan.model->couplings[plan.closures[c].coupling].terms) {
      GroupNode& node = group.nodes[plan.joints[term.joint.value].body - plan.grounds];
      const auto row = std::find(node.cut_of_row.begin(), node.cut_of_row.end(), static_cast<int>(c));
      node.terms.push_back({term.freedom, static_cast<int>(row - node.cut_of_row.begin()), coefficient++});
    }
}

}  // namespace

void find_group_nodes(SimdGroup& group) { find_nodes(group, find_meetings(group)); }

void find_group_nodes(const Plan& plan, SimdGroup& group) {
  const size_t top = group.bodies.size();
  Meetings meetings{std::vector<std::vector<int>>(top + 1), std::vector<std::vector<int>>(top + 1)};
  for (int number = 0; number < plan.folding_nodes; ++number) {
    const ClosureNode& node = plan.closure_nodes[number];
    const size_t n = node.body < 0 ? top : static_cast<size_t>(node.body - plan.grounds);
    const auto open = node.closures.begin() + node.eliminated;
    meetings.closing[n].insert(meetings.closing[n].end(), node.closures.begin(), open);
    if (node.body >= 0 && !node.closes_branch_loops) meetings.open[n].assign(open, node.closures.end());
  }
  find_nodes(group, meetings);
  find_terms(plan, group);
}

GroupCut::Holds held_by(const Plan& plan, const PlanClosure& cut) {
  const JointType& type = plan.model->joints[cut.joint].definition->type();
  if (cut.driven) return GroupCut::Holds::directions;
  if (type.holds_length()) return GroupCut::Holds::length;
  bool turns = type.nu() == 3;
  for (int c = 0; c < type.nu(); ++c) turns = turns && type.shape(c) == ColumnShape::rotation;
  return turns ? GroupCut::Holds::point : GroupCut::Holds::directions;
}

Vec3 link_end(const Plan& plan, const PlanClosure& cut) {
  const Joint& joint = plan.model->joints[cut.joint];
  const Vec3 end = joint.definition->type().link_end(*joint.definition).value_or(Vec3{});
  return cut.X_PF * (joint.mirrored ? -end : end);
}

void order_folding(SimdGroup& group) {
  // From the last body inward.
  std::vector<bool> written(group.bodies.size() + 1, false);
  for (size_t i = group.bodies.size(); i-- > 0;) {
    GroupBody& own = group.bodies[i];
    const size_t into = own.on < 0 ? group.bodies.size() : static_cast<size_t>(own.on);
    own.folds_first = !written[into], written[into] = true;
    if (own.on >= 0) group.bodies[into].leaf = false;
  }
}

}  // namespace arthron
