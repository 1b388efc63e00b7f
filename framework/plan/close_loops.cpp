#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "arthron/plan/closure_nodes.hpp"
#include "arthron/plan/passes.hpp"

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
    for (int lane = 0; lane < group.branches; ++lane) {
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
  const bool modular = plan.elimination == Elimination::modular;
  if (!modular) find_groups(plan);
  batch_closures(plan);
  if (plan.closures.empty()) return modular ? join_modules(plan) : void();

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
  plan.folding_nodes = static_cast<int>(plan.closure_nodes.size());
  if (modular) return join_modules(plan);
  lay_out_nodes(plan);
  find_passed_rows(plan);
}

}  // namespace arthron
