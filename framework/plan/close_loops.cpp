#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "arthron/plan/closure_groups.hpp"
#include "arthron/plan/passes.hpp"
#include "arthron/topology/elimination.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Paths of all that may have the channels that measurements end at, however many signal outputs pass them on.
std::unordered_set<std::string> measured_elements(const Model& model) {
  std::map<std::string, std::string> channel_of;
  for (const Port& port : model.ports)
    if (port.kind == Port::Kind::signal_output) channel_of.emplace(port.path, port.channel);
  std::unordered_set<std::string> elements;
  for (const SignalSource& signal : model.signals) {
    if (signal.input) continue;
    std::string channel = signal.path;
    for (size_t i = 0; i < channel_of.size() && channel_of.contains(channel); ++i) channel = channel_of[channel];
    for (size_t dot = channel.find('.'); dot != std::string::npos; dot = channel.find('.', dot + 1))
      elements.insert(channel.substr(0, dot));
  }
  return elements;
}

void place_closures(const std::vector<Pose<double>>& X_WB, const std::vector<int>& cuts, Plan& plan) {
  const Model& model = *plan.model;
  const std::unordered_set<std::string> measured = measured_elements(model);
  for (const int j : cuts) {
    const Joint& given = model.joints[j];
    const JointType& type = given.definition->type();
    PlanClosure closure;
    closure.joint = j;
    closure.parent = plan.body_of[given.parent.value];
    closure.child = plan.body_of[given.child.value];
    closure.X_PF = inverse(X_WB[closure.parent]) * given.frame;
    closure.X_CM = inverse(X_WB[closure.child]) * given.child_frame();
    closure.q = plan.nq_all, closure.u = plan.nu_all, closure.columns = type.nu();
    closure.driven = !given.motion.empty();
    closure.rows = closure.driven ? 6 : 6 - type.nu();
    plan.joints[j] = {-1, closure.q, type.nq(), closure.u, type.nu(), false, closure.driven, static_cast<int>(plan.closures.size())};
    for (int c = 0; c < type.nu(); ++c) plan.shapes.push_back(type.shape(c));
    plan.nq_all += type.nq(), plan.nu_all += type.nu();
    const std::unique_ptr<JointBatch> batch = type.make_batch();
    closure.varies = batch->varies();
    closure.gives_complement = batch->gives_complement() && !closure.driven;
    closure.tracked = closure.driven || given.loaded() || measured.contains(given.path) || (closure.varies && !closure.gives_complement);
    plan.closures.push_back(closure);
  }
  plan.cuts = static_cast<int>(plan.closures.size());
}

/// ClosureGroups cut joints by type, those of groups apart.
void batch_closures(Plan& plan) {
  using Kind = std::tuple<bool, bool, std::string_view>;  // not tracked, in a SIMD group, type
  std::map<Kind, std::unique_ptr<JointBatch>> batches;
  std::vector<std::pair<Kind, int>> items;  // per closure
  for (int c = 0; c < plan.cuts; ++c) {
    const PlanClosure& closure = plan.closures[c];
    const Joint& given = plan.model->joints[closure.joint];
    const JointType& type = given.definition->type();
    const auto place = batches.try_emplace({!closure.tracked, closure.grouped, type.name()}, nullptr).first;
    if (!place->second) place->second = type.make_batch();
    items.emplace_back(place->first, place->second->size());
    place->second->add(*given.definition, {closure.joint, closure.q, closure.u, false, given.mirrored, closure.gives_complement ? c : -1});
  }
  std::map<Kind, int> number;
  for (auto& [kind, batch] : batches) {
    number[kind] = static_cast<int>(plan.closure_batches.size());
    plan.closure_batches.push_back(std::move(batch));
    if (!std::get<0>(kind)) ++plan.tracked_batches;
  }
  for (PlanPart& part : plan.parts)
    for (int c = part.cuts.first; c < part.cuts.last; ++c)
      add_item(plan.closures[c].grouped ? part.group_cuts : part.cut_joints, number[items[c].first], items[c].second);
}

/// Bodies from b to the ground, ground excluded.
std::vector<int> path(const Plan& plan, int b) {
  std::vector<int> bodies;
  for (; b >= plan.grounds; b = plan.bodies[b].parent) bodies.push_back(b);
  return bodies;
}

/// The bodies a closure acts on: it is open on the way from each of them to the body where all come together.
struct Reach {
  std::vector<int> from;   // bodies at which it is open first
  std::vector<int> sides;  // bodies whose common ancestor completes it
};

Reach reach(const Plan& plan, const PlanClosure& closure) {
  if (closure.coupling < 0) return {{closure.parent, closure.child}, {closure.parent, closure.child}};
  Reach result;
  for (const Coupling::Term& term : plan.model->couplings[closure.coupling].terms) {
    const int body = plan.joints[term.joint.value].body;
    result.from.push_back(body);
    result.sides.push_back(plan.bodies[body].parent);
  }
  return result;
}

}  // namespace

int meeting_body(const Plan& plan, const std::vector<int>& sides) {
  std::vector<int> common = path(plan, sides.front());
  for (const int side : sides) {
    const std::vector<int> other = path(plan, side);
    size_t shared = 0;
    while (shared < std::min(common.size(), other.size()) && common[common.size() - 1 - shared] == other[other.size() - 1 - shared])
      ++shared;
    common.erase(common.begin(), common.end() - static_cast<std::ptrdiff_t>(shared));
  }
  return common.empty() ? -1 : common.front();
}

namespace {

void add_couplings(Plan& plan) {
  for (size_t c = 0; c < plan.model->couplings.size(); ++c) {
    PlanClosure closure;
    closure.coupling = static_cast<int>(c);
    closure.rows = 1;
    plan.closures.push_back(closure);
  }
}

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

/// Where the entry of Gamma of two rows is, the second in the same block or a later one.
int entry(const ClosureNode& node, int row, int column) {
  const ClosureNode::Block &own = block_at(node, row), &other = block_at(node, column);
  const int first = own.gamma + (row - own.row) * own.stride;
  if (&own == &other) return first + column - own.row;
  for (const ClosureNode::Link& link : node.links_of(own))
    if (link.row == other.row) return first + link.at + column - link.row;
  return -1;
}

/// What the elimination of each block changes; what lies behind one another on both sides together.
void find_fill(ClosureNode& node) {
  for (ClosureNode::Block& block : node.blocks) {
    block.fills.first = static_cast<int>(node.fills.size());
    const auto links = node.links_of(block);
    for (size_t k = 0; k < links.size(); ++k)
      for (size_t l = k; l < links.size(); ++l) {
        const int to = entry(node, links[k].row, links[l].row);
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
  if (node.closes_branch_loops) return;
  for (size_t i = 0; i < node.closures.size(); ++i) {
    const PlanClosure& closure = plan.closures[node.closures[i]];
    if (closure.child == node.body) node.sides.push_back({node.closures[i], node.row[i], closure.rows, true});
    if (closure.parent == node.body) node.sides.push_back({node.closures[i], node.row[i], closure.rows, false});
  }
}

/// Couplings of the inboard joint of a node's body.
void place_terms(const Plan& plan, ClosureNode& node) {
  if (node.closes_branch_loops) return;
  for (size_t i = 0; i < node.closures.size(); ++i) {
    const int coupling = plan.closures[node.closures[i]].coupling;
    if (coupling < 0) continue;
    for (const Coupling::Term& term : plan.model->couplings[coupling].terms)
      if (plan.joints[term.joint.value].body == node.body)
        node.terms.push_back({term.freedom, node.row[i] - node.first_open_row(), term.coefficient});
  }
}

/// Orders the closures of a node and finds their couplings: closures that come out of the same child, or pass on together.
void order_node(const Plan& plan, const std::vector<int>& complete, const std::vector<int>& open, ClosureNode& node) {
  std::vector<int> all = complete;
  all.insert(all.end(), open.begin(), open.end());
  std::map<int, int> place;
  for (size_t i = 0; i < all.size(); ++i) place[all[i]] = static_cast<int>(i);
  std::vector<std::pair<int, int>> couplings;
  const auto couple = [&](const std::vector<int>& group) {
    for (const int a : group)
      for (const int b : group) couplings.emplace_back(place.at(a), place.at(b));
  };
  for (const int child : node.children) {
    const ClosureNode& from = plan.closure_nodes[child];
    couple({from.closures.begin() + from.eliminated, from.closures.end()});
  }
  couple(open);
  const EliminationOrder order = minimum_degree(static_cast<int>(all.size()), static_cast<int>(complete.size()), couplings);
  node.eliminated = static_cast<int>(complete.size());
  std::vector<int> rows;  // by place in the order
  for (const int i : order.order) rows.push_back(plan.closures[all[i]].rows);
  const ClosureGroups groups = group_closures(order, rows, node.eliminated);
  const auto closure_at = [&](int i) { return all[order.order[i]]; };
  for (const std::vector<int>& members : groups.members)
    for (const int i : members) node.closures.push_back(closure_at(i));
  for (int i = node.eliminated; i < static_cast<int>(all.size()); ++i) node.closures.push_back(closure_at(i));
  lay_out_blocks(groups, rows, node);
  find_fill(node);
}

/// Open closures in the order in which they are eliminated at last: what lies behind one another then does so everywhere.
void order_open_closures(Plan& plan) {
  std::vector<int> turn(plan.closures.size());
  int next = 0;
  for (const ClosureNode& node : plan.closure_nodes)
    for (int i = 0; i < node.eliminated; ++i) turn[node.closures[i]] = next++;
  for (ClosureNode& node : plan.closure_nodes) {
    std::sort(node.closures.begin() + node.eliminated, node.closures.end(), [&](int a, int b) { return turn[a] < turn[b]; });
    int row = node.first_open_row();
    for (size_t i = node.eliminated; i < node.closures.size(); ++i) {
      node.row[i] = row, node.count[i] = plan.closures[node.closures[i]].rows;
      row += node.count[i];
    }
  }
}

/// Where the open rows of a node, and their Gamma, go in the node they are passed to.
void pass_upward(const ClosureNode& to, ClosureNode& node) {
  std::vector<int> row_there;  // per open row
  for (size_t i = node.eliminated; i < node.closures.size(); ++i) {
    const size_t place = std::find(to.closures.begin(), to.closures.end(), node.closures[i]) - to.closures.begin();
    for (int r = 0; r < node.count[i]; ++r) row_there.push_back(to.row[place] + r);
  }
  const auto add = [](int from, int row, std::vector<ClosureNode::Run>& runs) {
    const int lane = row % 4;
    if (!runs.empty() && runs.back().from == from - lane && runs.back().to == row - lane)
      runs.back().lanes |= 1u << lane;
    else
      runs.push_back({from - lane, row - lane, 1u << lane});
  };
  for (int r = 0; r < static_cast<int>(row_there.size()); ++r) {
    add(r, row_there[r], node.upward);
    add(row_there[r], r, node.downward);
  }
  const int stride = node.open().stride;
  for (int first = 0, next = 0; first < static_cast<int>(row_there.size()); first = next) {
    const auto there = [&](int r) { return row_there[r]; };
    const ClosureNode::Block& block = block_at(to, there(first));
    while (next < static_cast<int>(row_there.size()) && there(next) - there(first) == next - first && &block_at(to, there(next)) == &block)
      ++next;
    for (const ClosureNode::Run& run : node.upward)
      if (block_at(to, run.to).row >= block.row)
        node.upward_gamma.push_back(
            {node.open().gamma + first * stride + run.from, entry(to, there(first), run.to), run.lanes, next - first, block.stride});
  }
}

/// Places of the nodes in the arrays of the workspace, and what each passes on to the next.
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

/// Of the closures that come together on the ground, those within one part are eliminated in a node of their own; the others pass through
/// it. Both lists lose what is no longer left to the ground's node.
void close_within_parts(std::vector<int>& complete, std::vector<int>& children, Plan& plan) {
  std::vector<int> left, nodes;
  std::map<int, std::vector<int>> complete_in, children_of;
  for (const int child : children) children_of[plan.part_of_body[plan.closure_nodes[child].body]].push_back(child);
  for (const int c : complete) {
    int home = -1;
    bool within = true;
    for (const int side : reach(plan, plan.closures[c]).from) {
      const int part = plan.part_of_body[side];
      within = within && (part < 0 || home < 0 || part == home);
      home = std::max(home, part);
    }
    (within && home >= 0 && children_of.contains(home) ? complete_in[home] : left).push_back(c);
  }
  for (const auto& [part, below] : children_of) {
    if (!complete_in.contains(part)) {
      nodes.insert(nodes.end(), below.begin(), below.end());
      continue;
    }
    ClosureNode node;
    node.children = below;
    std::vector<int> open;
    for (const int child : below) {
      const ClosureNode& from = plan.closure_nodes[child];
      for (size_t k = from.eliminated; k < from.closures.size(); ++k)
        if (std::find(complete_in[part].begin(), complete_in[part].end(), from.closures[k]) == complete_in[part].end() &&
            std::find(open.begin(), open.end(), from.closures[k]) == open.end())
          open.push_back(from.closures[k]);
    }
    std::sort(open.begin(), open.end());
    order_node(plan, complete_in[part], open, node);
    const int number = static_cast<int>(plan.closure_nodes.size());
    plan.parts[part].ground_node = number;
    if (!open.empty()) nodes.push_back(number);
    plan.closure_nodes.push_back(std::move(node));
  }
  complete = std::move(left), children = std::move(nodes);
}

/// Puts a node between a body and each branch of its groups, where the branch's cut joints among themselves are eliminated and the others
/// pass through. Takes the former from `complete`, and the nodes of the branches' bodies from `children`.
void close_within_groups(int body, std::vector<int>& complete, std::vector<int>& children, Plan& plan) {
  for (SimdGroup& group : plan.groups) {
    if (group.carrier != body || group.top().rows == 0) continue;
    for (size_t lane = 0; lane < static_cast<size_t>(group.branches); ++lane) {
      ClosureNode node;
      node.body = body, node.closes_branch_loops = true;
      const auto of_branch = [&](int child) {
        return std::any_of(group.bodies.begin(), group.bodies.end(),
                           [&](const GroupBody& root) { return root.on < 0 && root.body[lane] == plan.closure_nodes[child].body; });
      };
      std::copy_if(children.begin(), children.end(), std::back_inserter(node.children), of_branch);
      std::erase_if(children, of_branch);
      std::vector<int> within, open;
      const auto cut_at = [&](int row) { return group.cuts[group.top().cut_of_row[row]].closure[lane]; };
      for (int r = 0; r < group.top().rows; ++r) {
        std::vector<int>& list = r < group.top().closing ? within : open;
        if (list.empty() || list.back() != cut_at(r)) list.push_back(cut_at(r));
      }
      std::erase_if(complete, [&](int c) { return std::find(within.begin(), within.end(), c) != within.end(); });
      order_node(plan, within, open, node);
      group.passes[lane] = static_cast<int>(plan.closure_nodes.size());
      children.push_back(group.passes[lane]);
      plan.closure_nodes.push_back(std::move(node));
    }
  }
}

/// Which rows of these nodes the open rows of the groups are.
void find_passed_rows(Plan& plan) {
  for (SimdGroup& group : plan.groups)
    for (int r = group.top().closing; r < group.top().rows; ++r) {
      const GroupCut& cut = group.cuts[group.top().cut_of_row[r]];
      PerBranch rows{};
      for (size_t lane = 0; lane < rows.size(); ++lane) {
        const ClosureNode& node = plan.closure_nodes[group.passes[lane < static_cast<size_t>(group.branches) ? lane : 0]];
        const auto place = std::find(node.closures.begin(), node.closures.end(), cut.closure[lane]) - node.closures.begin();
        rows[lane] = node.row[place] + r - cut.row;
      }
      group.passed_rows.push_back(rows);
    }
}

}  // namespace

void close_loops(const std::vector<Pose<double>>& X_WB, const std::vector<int>& cuts, Plan& plan) {
  place_closures(X_WB, cuts, plan);
  add_couplings(plan);
  find_groups(plan);
  batch_closures(plan);
  if (plan.closures.empty()) return;

  // Which closures are complete at a body, and which pass through it; -1 - grounds are the ground.
  std::map<int, std::vector<int>> complete, open;
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const Reach sides = reach(plan, plan.closures[c]);
    const int meeting = meeting_body(plan, sides.sides);
    complete[meeting].push_back(static_cast<int>(c));
    for (const int from : sides.from)
      for (const int b : path(plan, from)) {
        if (b == meeting) break;
        std::vector<int>& here = open[b];
        if (here.empty() || here.back() != static_cast<int>(c)) here.push_back(static_cast<int>(c));
      }
  }
  std::map<int, std::vector<int>> children;  // body (or -1) -> nodes
  for (int b = static_cast<int>(plan.bodies.size()) - 1; b >= plan.grounds; --b) {
    if (!complete.contains(b) && !open.contains(b)) continue;
    if (plan.bodies[b].carries_group) close_within_groups(b, complete[b], children[b], plan);
    ClosureNode node;
    node.body = b;
    node.children = children[b];
    order_node(plan, complete[b], open[b], node);
    const int number = static_cast<int>(plan.closure_nodes.size());
    plan.bodies[b].node = number;
    const int parent = plan.bodies[b].parent;
    if (!open[b].empty()) children[parent >= plan.grounds ? parent : -1].push_back(number);
    plan.closure_nodes.push_back(std::move(node));
  }
  if (plan.parts.size() > 2) close_within_parts(complete[-1], children[-1], plan);
  ClosureNode ground;
  ground.children = children[-1];
  order_node(plan, complete[-1], {}, ground);
  plan.closure_nodes.push_back(std::move(ground));
  lay_out_nodes(plan);
  find_passed_rows(plan);
}

}  // namespace arthron
