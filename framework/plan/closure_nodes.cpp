#include "arthron/plan/closure_nodes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "arthron/plan/closure_groups.hpp"
#include "arthron/topology/elimination.hpp"

namespace arthron {

using std::size_t;

namespace {

/// Rows, blocks, and what eliminating each changes.
void lay_out_blocks(const ClosureGroups& groups, const std::vector<int>& rows, ClosureNode& node) {
  int row = 0, closure = 0;
  const auto add = [&](const std::vector<int>& counts) {
    ClosureNode::Block block{{closure, closure + static_cast<int>(counts.size())}, row, 0, 0, 0, 0, {}, {}};
    for (const int count : counts) node.row.push_back(row + block.rows), node.count.push_back(count), block.rows += count;
    block.width = registers(block.rows);
    row += padded(block.rows), closure = block.closures.last;
    node.blocks.push_back(block);
  };
  for (const std::vector<int>& members : groups.members) {
    std::vector<int> counts;
    for (const int i : members) counts.push_back(rows[i]);
    add(counts);
  }
  add({rows.begin() + node.eliminated, rows.end()});

  for (size_t b = 0; b < node.blocks.size(); ++b) {
    ClosureNode::Block& block = node.blocks[b];
    block.gamma = node.gamma_size, block.stride = padded(block.rows);
    block.links = {static_cast<int>(node.links.size()), static_cast<int>(node.links.size())};
    if (b < groups.later.size())
      for (const int k : groups.later[b]) {
        const ClosureNode::Block& later = node.blocks[k];
        if (later.rows == 0) continue;  // of joints that hold nothing
        node.links.push_back({later.row, later.width, block.stride});
        block.stride += padded(later.rows), ++block.links.last;
      }
    node.gamma_size += block.rows * block.stride;
  }
  node.rows = row;
}

const ClosureNode::Block& block_at(const ClosureNode& node, int row) {
  return *std::prev(std::upper_bound(node.blocks.begin(), node.blocks.end(), row,
                                     [](int value, const ClosureNode::Block& block) { return value < block.row; }));
}

}  // namespace

int rows_of(const Plan& plan, int closure) { return closure < std::ssize(plan.closures) ? plan.closures[closure].rows : 6; }

int place_in_gamma(const ClosureNode& node, int row, int column) {
  const ClosureNode::Block &own = block_at(node, row), &other = block_at(node, column);
  const int first = own.gamma + (row - own.row) * own.stride;
  if (&own == &other) return first + column - own.row;
  for (const ClosureNode::Link& link : node.links_of(own))
    if (link.row == other.row) return first + link.at + column - link.row;
  return -1;
}

namespace {

/// What the elimination of each block changes; what lies behind one another on both sides together.
void find_fill(ClosureNode& node) {
  for (ClosureNode::Block& block : node.blocks) {
    block.fills.first = static_cast<int>(node.fills.size());
    const auto links = node.links_of(block);
    for (size_t k = 0; k < links.size(); ++k)
      for (size_t l = k; l < links.size(); ++l) {
        const int to = place_in_gamma(node, links[k].row, links[l].row);
        const ClosureNode::Block& changed = block_at(node, links[k].row);
        if (l > k && node.fills.back().to + 4 * node.fills.back().width == to)
          node.fills.back().width += links[l].width;
        else
          node.fills.push_back({links[k].at, links[l].at, to, changed.rows, links[l].width, changed.stride});
      }
    block.fills.last = static_cast<int>(node.fills.size());
  }
}

/// Sides of cut joints on a node's body.
void find_sides(const Plan& plan, ClosureNode& node) {
  if (node.closes_branch_loops && !node.compound) return;
  const int count = node.compound ? node.eliminated : static_cast<int>(node.closures.size()),
            outputs = static_cast<int>(plan.closures.size());
  for (int i = 0; i < count; ++i) {
    if (const int output = node.closures[i] - outputs; output >= 0) {
      if (plan.modules.outputs[output] == node.body) node.sides.push_back({-1, node.row[i], 6, false});
      continue;
    }
    const PlanClosure& closure = plan.closures[node.closures[i]];
    if (closure.child == node.body) node.sides.push_back({node.closures[i], node.row[i], closure.rows, true});
    if (closure.parent == node.body) node.sides.push_back({node.closures[i], node.row[i], closure.rows, false});
  }
}

/// Couplings of the inboard joint of a node's body.
void place_terms(const Plan& plan, ClosureNode& node) {
  if (node.closes_branch_loops) return;
  for (size_t i = 0; i < node.closures.size(); ++i) {
    const int coupling = node.closures[i] < std::ssize(plan.closures) ? plan.closures[node.closures[i]].coupling : -1;
    if (coupling < 0) continue;
    for (const Coupling::Term& term : plan.model->couplings[coupling].terms)
      if (plan.joints[term.joint.value].body == node.body)
        node.terms.push_back({term.freedom, node.row[i] - node.first_open_row(), term.coefficient});
  }
}

}  // namespace

void order_node(const Plan& plan, const std::vector<int>& complete, const std::vector<int>& open, ClosureNode& node, bool joined) {
  std::vector<int> all = complete;
  all.insert(all.end(), open.begin(), open.end());
  std::map<int, int> place;
  for (size_t i = 0; i < all.size(); ++i) place[all[i]] = static_cast<int>(i);
  std::vector<std::pair<int, int>> couplings;
  const auto couple = [&](const std::vector<int>& group) {
    for (const int a : group)
      for (const int b : group) couplings.emplace_back(place.at(a), place.at(b));
  };
  for (const int child : joined ? std::vector<int>() : node.children) {
    const ClosureNode& from = plan.closure_nodes[child];
    couple({from.closures.begin() + from.eliminated, from.closures.end()});
  }
  couple(joined ? all : open);
  const EliminationOrder order = minimum_degree(static_cast<int>(all.size()), static_cast<int>(complete.size()), couplings);
  node.eliminated = static_cast<int>(complete.size());
  std::vector<int> rows;  // by place in the order
  for (const int i : order.order) rows.push_back(rows_of(plan, all[i]));
  const ClosureGroups groups = group_closures(order, rows, node.eliminated);
  const auto closure_at = [&](int i) { return all[order.order[i]]; };
  for (const std::vector<int>& members : groups.members)
    for (const int i : members) node.closures.push_back(closure_at(i));
  for (int i = node.eliminated; i < static_cast<int>(all.size()); ++i) node.closures.push_back(closure_at(i));
  lay_out_blocks(groups, rows, node);
  find_fill(node);
}

namespace {

/// Open closures in the order in which they are eliminated at last: what lies behind one another then does so everywhere.
void order_open_closures(Plan& plan) {
  std::vector<int> turn(plan.closures.size() + plan.modules.outputs.size());
  std::iota(turn.begin() + std::ssize(plan.closures), turn.end(), std::ssize(plan.closures));
  int next = 0;
  for (const ClosureNode& node : plan.closure_nodes)
    for (int i = 0; i < node.eliminated; ++i) turn[node.closures[i]] = next++;  // of modules, where they are closed there
  for (ClosureNode& node : plan.closure_nodes) {
    std::sort(node.closures.begin() + node.eliminated, node.closures.end(), [&](int a, int b) { return turn[a] < turn[b]; });
    int row = node.first_open_row();
    for (size_t i = node.eliminated; i < node.closures.size(); ++i) {
      node.row[i] = row, node.count[i] = rows_of(plan, node.closures[i]);
      row += node.count[i];
    }
  }
}

/// Where the open rows of a node, and their Gamma, go in the node they are passed to.
void pass_upward(const ClosureNode& to, ClosureNode& node) {
  std::vector<int> row_there;  // per open row
  for (size_t i = node.eliminated; i < node.closures.size(); ++i) {
    const size_t place = std::find(to.closures.begin(), to.closures.end(), node.closures[i]) - to.closures.begin();
    for (int r = 0; r < node.count[i]; ++r) row_there.push_back(place < to.closures.size() ? to.row[place] + r : -1);
  }
  const auto add = [](int from, int row, std::vector<ClosureNode::Run>& runs) {
    const int lane = row % 4;
    if (!runs.empty() && runs.back().from == from - lane && runs.back().to == row - lane)
      runs.back().lanes |= 1u << lane;
    else
      runs.push_back({from - lane, row - lane, 1u << lane});
  };
  for (int r = 0; r < static_cast<int>(row_there.size()); ++r) {
    if (row_there[r] < 0) continue;  // an output that is joined there
    add(r, row_there[r], node.upward);
    add(row_there[r], r, node.downward);
  }
  if (to.join >= 0) return;  // joined, not passed on
  const int stride = node.open().stride;
  for (int first = 0, next = 0; first < static_cast<int>(row_there.size()); first = next) {
    const auto there = [&](int r) { return row_there[r]; };
    const ClosureNode::Block& block = block_at(to, there(first));
    while (next < static_cast<int>(row_there.size()) && there(next) - there(first) == next - first && &block_at(to, there(next)) == &block)
      ++next;
    for (const ClosureNode::Run& run : node.upward)
      if (block_at(to, run.to).row >= block.row)
        node.upward_gamma.push_back({node.open().gamma + first * stride + run.from, place_in_gamma(to, there(first), run.to), run.lanes,
                                     next - first, block.stride});
  }
}

}  // namespace

void lay_out_nodes(Plan& plan) {
  order_open_closures(plan);
  ClosureNode::Place place{4, 0, 4};  // four open rows may begin before the first
  for (size_t n = 0; n < plan.closure_nodes.size(); ++n) {
    ClosureNode& node = plan.closure_nodes[n];
    node.place = place;
    // Four numbers are read and written at a time, some of which may lie before the first row or behind the last: never in another node.
    place = {place.row + node.rows + 4, place.open + 4 * node.open().width, place.gamma + node.gamma_size + 4};
    find_sides(plan, node);
    place_terms(plan, node);
    for (const int child : node.children) {
      ClosureNode& below = plan.closure_nodes[child];
      below.parent = static_cast<int>(n);
      pass_upward(node, below);
    }
  }
}

}  // namespace arthron
