#include <algorithm>
#include <map>

#include "arthron/plan/passes.hpp"
#include "arthron/topology/elimination.hpp"

namespace arthron {

namespace {

using std::size_t;

void place_closures(const std::vector<Pose<double>>& X_WB, const std::vector<int>& cuts, Plan& plan) {
  const Model& model = *plan.model;
  std::map<std::string_view, size_t> batch_of;
  for (const int j : cuts) {
    const Joint& given = model.joints[static_cast<size_t>(j)];
    const JointType& type = given.definition->type();
    PlanClosure closure;
    closure.joint = j;
    closure.parent = plan.body_of[static_cast<size_t>(given.parent.value)];
    closure.child = plan.body_of[static_cast<size_t>(given.child.value)];
    closure.X_PF = inverse(X_WB[static_cast<size_t>(closure.parent)]) * given.frame;
    closure.X_CM = inverse(X_WB[static_cast<size_t>(closure.child)]) * given.frame;
    closure.q = plan.nq_all, closure.u = plan.nu_all, closure.columns = type.nu();
    closure.driven = !given.motion.empty();
    closure.rows = closure.driven ? 6 : 6 - type.nu();
    plan.joints[static_cast<size_t>(j)] = {-1,        closure.q, type.nq(),      closure.u,
                                           type.nu(), false,     closure.driven, static_cast<int>(plan.closures.size())};
    for (int c = 0; c < type.nu(); ++c) plan.shapes.push_back(type.shape(c));
    plan.nq_all += type.nq(), plan.nu_all += type.nu();
    const auto [place, fresh] = batch_of.try_emplace(type.name(), plan.closure_batches.size());
    if (fresh) plan.closure_batches.push_back(type.make_batch());
    plan.closure_batches[place->second]->add(*given.definition, {j, closure.q, closure.u, false, given.mirrored});
    plan.closures.push_back(closure);
  }
}

/// Bodies from b to the ground, ground excluded.
std::vector<int> path(const Plan& plan, int b) {
  std::vector<int> bodies;
  for (; b >= plan.grounds; b = plan.bodies[static_cast<size_t>(b)].parent) bodies.push_back(b);
  return bodies;
}

/// First body common to both paths, or -1 for the ground.
int meeting_body(const Plan& plan, const PlanClosure& closure) {
  const std::vector<int> a = path(plan, closure.parent), b = path(plan, closure.child);
  int common = -1;
  for (size_t i = 1; i <= std::min(a.size(), b.size()) && a[a.size() - i] == b[b.size() - i]; ++i) common = a[a.size() - i];
  return common;
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
  node.later = order.later;
  int row = 0;
  for (const int i : order.order) {
    node.closures.push_back(all[static_cast<size_t>(i)]);
    node.row.push_back(row);
    row += plan.closures[static_cast<size_t>(all[static_cast<size_t>(i)])].rows;
  }
  node.row.push_back(row);
}

}  // namespace

void close_loops(const std::vector<Pose<double>>& X_WB, const std::vector<int>& cuts, Plan& plan) {
  place_closures(X_WB, cuts, plan);
  plan.node_of_body.assign(plan.bodies.size(), -1);
  if (plan.closures.empty()) return;

  // Which closures are complete at a body, and which pass through it; -1 - grounds are the ground.
  std::map<int, std::vector<int>> complete, open;
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const int meeting = meeting_body(plan, plan.closures[c]);
    complete[meeting].push_back(static_cast<int>(c));
    for (const int side : {plan.closures[c].parent, plan.closures[c].child})
      for (const int b : path(plan, side)) {
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
    plan.node_of_body[static_cast<size_t>(b)] = number;
    const int parent = plan.bodies[static_cast<size_t>(b)].parent;
    if (!open[b].empty()) children[parent >= plan.grounds ? parent : -1].push_back(number);
    plan.closure_nodes.push_back(std::move(node));
  }
  ClosureNode ground;
  ground.children = children[-1];
  order_node(plan, complete[-1], {}, ground);
  plan.closure_nodes.push_back(std::move(ground));
  for (const ClosureNode& node : plan.closure_nodes)
    for (const int child : node.children) {
      ClosureNode& below = plan.closure_nodes[static_cast<size_t>(child)];
      for (size_t k = static_cast<size_t>(below.eliminated); k < below.closures.size(); ++k)
        below.upward.push_back(
            static_cast<int>(std::find(node.closures.begin(), node.closures.end(), below.closures[k]) - node.closures.begin()));
    }
}

}  // namespace arthron
