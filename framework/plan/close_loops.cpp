#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

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
  using Kind = std::pair<bool, std::string_view>;  // not tracked, type
  std::map<Kind, std::unique_ptr<JointBatch>> batches;
  std::vector<std::pair<Kind, int>> items;  // per closure
  for (const int j : cuts) {
    const Joint& given = model.joints[static_cast<size_t>(j)];
    const JointType& type = given.definition->type();
    PlanClosure closure;
    closure.joint = j;
    closure.parent = plan.body_of[static_cast<size_t>(given.parent.value)];
    closure.child = plan.body_of[static_cast<size_t>(given.child.value)];
    closure.X_PF = inverse(X_WB[static_cast<size_t>(closure.parent)]) * given.frame;
    closure.X_CM = inverse(X_WB[static_cast<size_t>(closure.child)]) * given.child_frame();
    closure.q = plan.nq_all, closure.u = plan.nu_all, closure.columns = type.nu();
    closure.driven = !given.motion.empty();
    closure.rows = closure.driven ? 6 : 6 - type.nu();
    plan.joints[static_cast<size_t>(j)] = {-1,        closure.q, type.nq(),      closure.u,
                                           type.nu(), false,     closure.driven, static_cast<int>(plan.closures.size())};
    for (int c = 0; c < type.nu(); ++c) plan.shapes.push_back(type.shape(c));
    plan.nq_all += type.nq(), plan.nu_all += type.nu();
    std::unique_ptr<JointBatch> batch = type.make_batch();
    closure.varies = batch->varies();
    closure.gives_complement = batch->gives_complement() && !closure.driven;
    closure.tracked = closure.driven || given.loaded() || measured.contains(given.path) || (closure.varies && !closure.gives_complement);
    const auto place = batches.try_emplace({!closure.tracked, type.name()}, std::move(batch)).first;
    const int number = static_cast<int>(plan.closures.size());
    items.emplace_back(place->first, place->second->size());
    place->second->add(*given.definition, {j, closure.q, closure.u, false, given.mirrored, closure.gives_complement ? number : -1});
    plan.closures.push_back(closure);
  }
  std::map<Kind, int> number;
  for (auto& [kind, batch] : batches) {
    number[kind] = static_cast<int>(plan.closure_batches.size());
    plan.closure_batches.push_back(std::move(batch));
    if (!kind.first) ++plan.tracked_batches;
  }
  for (PlanPart& part : plan.parts)
    for (int c = part.cuts.first; c < part.cuts.last; ++c)
      add_item(part.cut_joints, number[items[static_cast<size_t>(c)].first], items[static_cast<size_t>(c)].second);
}

/// Bodies from b to the ground, ground excluded.
std::vector<int> path(const Plan& plan, int b) {
  std::vector<int> bodies;
  for (; b >= plan.grounds; b = plan.bodies[static_cast<size_t>(b)].parent) bodies.push_back(b);
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
  for (const Coupling::Term& term : plan.model->couplings[static_cast<size_t>(closure.coupling)].terms) {
    const int body = plan.joints[static_cast<size_t>(term.joint.value)].body;
    result.from.push_back(body);
    result.sides.push_back(plan.bodies[static_cast<size_t>(body)].parent);
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

/// Where the block of closures a < b of a node is.
int block_of(const ClosureNode& node, int a, int b) {
  const auto links = node.links_of(static_cast<size_t>(a));
  return std::lower_bound(links.begin(), links.end(), b, [](const ClosureNode::Link& link, int closure) { return link.closure < closure; })
      ->block;
}

int rows_of(const ClosureNode& node, int closure) { return node.count[static_cast<size_t>(closure)]; }

/// Places of the blocks of Gamma, `later` being the pattern of its upper half.
void lay_out_gamma(const std::vector<std::vector<int>>& later, ClosureNode& node) {
  for (int i = 0; i < static_cast<int>(node.closures.size()); ++i) {
    node.diagonal.push_back(node.gamma_size);
    node.first_link.push_back(static_cast<int>(node.links.size()));
    int end = node.gamma_size + padded(rows_of(node, i));
    for (const int k : later[static_cast<size_t>(i)]) {
      node.links.push_back({k, node.row[static_cast<size_t>(k)], rows_of(node, k), registers(rows_of(node, k)), end});
      end += padded(rows_of(node, k));
    }
    node.stride.push_back(end - node.gamma_size);
    node.gamma_size += rows_of(node, i) * node.stride.back();
  }
  node.first_link.push_back(static_cast<int>(node.links.size()));
}

/// Where the block of closures a <= b of a node is.
int place_of_block(const ClosureNode& node, int a, int b) { return a == b ? node.diagonal[static_cast<size_t>(a)] : block_of(node, a, b); }

/// Which blocks each elimination changes; those that lie behind one another on both sides together.
void find_fill(ClosureNode& node) {
  for (int i = 0; i < node.eliminated; ++i) {
    node.first_fill.push_back(static_cast<int>(node.fills.size()));
    const auto links = node.links_of(static_cast<size_t>(i));
    for (size_t k = 0; k < links.size(); ++k)
      for (size_t l = k; l < links.size(); ++l) {
        const int to = place_of_block(node, links[k].closure, links[l].closure);
        if (l > k && node.fills.back().to + 4 * node.fills.back().width == to)
          node.fills.back().width += links[l].width;
        else
          node.fills.push_back(
              {links[k].block, links[l].block, to, links[k].columns, links[l].width, node.stride[static_cast<size_t>(links[k].closure)]});
      }
  }
  node.first_fill.push_back(static_cast<int>(node.fills.size()));
}

/// Rows of the open closures: each is coupled with all later ones.
void find_open_rows(ClosureNode& node) {
  const int first = node.first_open_row();
  for (size_t k = static_cast<size_t>(node.eliminated); k < node.closures.size(); ++k) {
    const int row = node.row[k] - first, rows = node.count[k];
    node.open.push_back({row, row + rows});
    node.open_gamma.push_back({row, rows, node.stride[k] / 4, node.diagonal[k]});
  }
}

/// What of a child's Gamma goes where in its parent node's; `upward` tells the places of its open closures there, `written` the blocks that
/// something went to before.
std::vector<ClosureNode::Gather> gather_from(const ClosureNode& below, const std::vector<int>& upward, const ClosureNode& node,
                                             std::set<int>& written) {
  std::vector<ClosureNode::Gather> gather;
  const auto place = [&](int k) { return upward[static_cast<size_t>(k - below.eliminated)]; };
  for (int k = below.eliminated; k < static_cast<int>(below.closures.size()); ++k) {
    const int a = place(k), rows = rows_of(below, k);
    const auto add = [&](int closure, int from) {
      const int b = place(closure), columns = rows_of(below, closure);
      // Closures without rows, of joints that hold nothing, have places but no blocks.
      if (rows * columns == 0) return;
      const bool transposed = a > b;
      const int to = transposed ? place_of_block(node, b, a) : place_of_block(node, a, b);
      const ClosureNode::Gather block{from,
                                      to,
                                      rows,
                                      columns,
                                      registers(columns),
                                      below.stride[static_cast<size_t>(k)],
                                      node.stride[static_cast<size_t>(std::min(a, b))],
                                      transposed,
                                      written.insert(to).second};
      ClosureNode::Gather* const last = gather.empty() || closure == k ? nullptr : &gather.back();
      const bool follows = last && !transposed && !last->transposed && last->fresh == block.fresh && last->from + 4 * last->width == from &&
                           last->to + 4 * last->width == to;
      if (follows)
        last->width += block.width;
      else
        gather.push_back(block);
    };
    add(k, below.diagonal[static_cast<size_t>(k)]);
    for (const ClosureNode::Link& link : below.links_of(static_cast<size_t>(k))) add(link.closure, link.block);
  }
  return gather;
}

/// Sides of cut joints on a node's body.
void find_sides(const Plan& plan, ClosureNode& node) {
  for (size_t i = 0; i < node.closures.size(); ++i) {
    const PlanClosure& closure = plan.closures[static_cast<size_t>(node.closures[i])];
    const bool child = closure.child == node.body, parent = closure.parent == node.body;
    if (child) node.sides.push_back({node.closures[i], node.row[i], closure.rows, true, true});
    if (parent) node.sides.push_back({node.closures[i], node.row[i], closure.rows, false, !child});
  }
}

/// Couplings of the inboard joint of a node's body.
void place_terms(const Plan& plan, ClosureNode& node) {
  for (size_t i = 0; i < node.closures.size(); ++i) {
    const int coupling = plan.closures[static_cast<size_t>(node.closures[i])].coupling;
    if (coupling < 0) continue;
    for (const Coupling::Term& term : plan.model->couplings[static_cast<size_t>(coupling)].terms)
      if (plan.joints[static_cast<size_t>(term.joint.value)].body == node.body)
        node.terms.push_back({term.freedom, node.row[i], term.coefficient});
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
    const ClosureNode& from = plan.closure_nodes[static_cast<size_t>(child)];
    couple({from.closures.begin() + from.eliminated, from.closures.end()});
  }
  couple(open);
  const EliminationOrder order = minimum_degree(static_cast<int>(all.size()), static_cast<int>(complete.size()), couplings);
  node.eliminated = static_cast<int>(complete.size());
  int row = 0;
  for (const int i : order.order) {
    node.closures.push_back(all[static_cast<size_t>(i)]);
    node.row.push_back(row);
    node.count.push_back(plan.closures[static_cast<size_t>(all[static_cast<size_t>(i)])].rows);
    row += padded(node.count.back());
  }
  node.row.push_back(row);
  lay_out_gamma(order.later, node);
  find_fill(node);
  find_open_rows(node);
  find_sides(plan, node);
  place_terms(plan, node);
}

/// What of a node nobody writes before it is computed with.
void find_blanks(const std::vector<bool>& written, const std::set<int>& blocks, ClosureNode& node) {
  for (int i = 0; i < static_cast<int>(node.closures.size()); ++i) {
    if (!written[static_cast<size_t>(i)]) node.blank.push_back(i);
    const int rows = rows_of(node, i), stride = node.stride[static_cast<size_t>(i)];
    const auto look = [&](int block, int width) {
      if (rows * width > 0 && !blocks.contains(block)) node.blank_gamma.push_back({block, rows, width, stride});
    };
    look(node.diagonal[static_cast<size_t>(i)], registers(rows));
    for (const ClosureNode::Link& link : node.links_of(static_cast<size_t>(i))) look(link.block, link.width);
  }
}

/// Places of the nodes in the arrays of the workspace, and what each passes on to the next.
void lay_out_nodes(Plan& plan) {
  ClosureNode::Place place;
  for (ClosureNode& node : plan.closure_nodes) {
    node.place = place;
    place = {place.row + node.rows(), place.open + node.open_rows(), place.closure + static_cast<int>(node.closures.size()),
             place.gamma + node.gamma_size};
    std::vector<bool> written(node.closures.size(), false);
    for (const ClosureNode::Side& side : node.sides)
      written[static_cast<size_t>(std::find(node.closures.begin(), node.closures.end(), side.closure) - node.closures.begin())] = true;
    std::set<int> blocks;
    for (const int child : node.children) {
      ClosureNode& below = plan.closure_nodes[static_cast<size_t>(child)];
      std::vector<int> upward;
      for (size_t k = static_cast<size_t>(below.eliminated); k < below.closures.size(); ++k) {
        const size_t to =
            static_cast<size_t>(std::find(node.closures.begin(), node.closures.end(), below.closures[k]) - node.closures.begin());
        upward.push_back(static_cast<int>(to));
        below.upward.push_back({node.row[to], !written[to]});
        written[to] = true;
      }
      node.gather.push_back(gather_from(below, upward, node, blocks));
    }
    find_blanks(written, blocks, node);
  }
}

/// Of the closures that come together on the ground, those within one part are eliminated in a node of their own; the others pass through
/// it. Both lists lose what is no longer left to the ground's node.
void close_within_parts(std::vector<int>& complete, std::vector<int>& children, Plan& plan) {
  std::vector<int> left, nodes;
  std::map<int, std::vector<int>> complete_in, children_of;
  for (const int child : children)
    children_of[plan.part_of_body[static_cast<size_t>(plan.closure_nodes[static_cast<size_t>(child)].body)]].push_back(child);
  for (const int c : complete) {
    int home = -1;
    bool within = true;
    for (const int side : reach(plan, plan.closures[static_cast<size_t>(c)]).from) {
      const int part = plan.part_of_body[static_cast<size_t>(side)];
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
      const ClosureNode& from = plan.closure_nodes[static_cast<size_t>(child)];
      for (size_t k = static_cast<size_t>(from.eliminated); k < from.closures.size(); ++k)
        if (std::find(complete_in[part].begin(), complete_in[part].end(), from.closures[k]) == complete_in[part].end() &&
            std::find(open.begin(), open.end(), from.closures[k]) == open.end())
          open.push_back(from.closures[k]);
    }
    std::sort(open.begin(), open.end());
    order_node(plan, complete_in[part], open, node);
    const int number = static_cast<int>(plan.closure_nodes.size());
    plan.parts[static_cast<size_t>(part)].ground_node = number;
    if (!open.empty()) nodes.push_back(number);
    plan.closure_nodes.push_back(std::move(node));
  }
  complete = std::move(left), children = std::move(nodes);
}

}  // namespace

void close_loops(const std::vector<Pose<double>>& X_WB, const std::vector<int>& cuts, Plan& plan) {
  place_closures(X_WB, cuts, plan);
  plan.cuts = static_cast<int>(plan.closures.size());
  add_couplings(plan);
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
    ClosureNode node;
    node.body = b;
    node.children = children[b];
    order_node(plan, complete[b], open[b], node);
    const int number = static_cast<int>(plan.closure_nodes.size());
    plan.bodies[static_cast<size_t>(b)].node = number;
    const int parent = plan.bodies[static_cast<size_t>(b)].parent;
    if (!open[b].empty()) children[parent >= plan.grounds ? parent : -1].push_back(number);
    plan.closure_nodes.push_back(std::move(node));
  }
  if (plan.parts.size() > 2) close_within_parts(complete[-1], children[-1], plan);
  ClosureNode ground;
  ground.children = children[-1];
  order_node(plan, complete[-1], {}, ground);
  plan.closure_nodes.push_back(std::move(ground));
  lay_out_nodes(plan);
}

}  // namespace arthron
