#include "arthron/plan/compound_tree.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "arthron/model/hierarchy.hpp"
#include "arthron/plan/passes.hpp"
#include "arthron/topology/graph.hpp"

namespace arthron {

namespace {

using std::size_t;

class Grower {
 public:
  explicit Grower(const Plan& plan) : plan_(plan), home_(subsystem_of_bodies(plan)) {
    tree_.of_body.assign(plan.bodies.size(), -1);
    node_of(0, -1, -1);
    // Carriers have smaller numbers, as bodies do.
    for (int b = plan.grounds; b < std::ssize(plan.bodies); ++b) {
      const int parent = plan.bodies[b].parent, part = plan.part_of_body[b];
      int node = tree_.of_body[parent];
      if (node >= 0 && tree_.nodes[node].subsystem == home_[b]) {
        if (const int inboard = node; tree_.nodes[inboard].part != part) {
          node = node_of(home_[b], parent, part);
          tree_.nodes[inboard].whole = tree_.nodes[node].whole = false;
        }
      } else {
        node = node_of(home_[b], parent < plan.grounds ? -1 : parent, part);
      }
      tree_.nodes[node].bodies.push_back(b);
      tree_.of_body[b] = node;
    }
    find_costs();
  }

  CompoundTree take() { return std::move(tree_); }

  void place_closures() {
    for (int c = 0; c < std::ssize(plan_.closures); ++c) {
      const std::vector<int> from = bodies_of_closure(plan_, c);
      const int lowest = lowest_subsystem(plan_, c), rows = plan_.closures[c].rows;
      int home = 0;  // at first the outermost: every node comes after its carrier
      for (const int b : from) home = std::max(home, tree_.of_body[b]);
      while (home > 0 && !holds(home, from, lowest)) home = tree_.nodes[home].carrier;
      tree_.nodes[home].closes.push_back(c), tree_.nodes[home].rows_closed += rows;
      for (const int b : from)
        for (int n = tree_.of_body[b]; n > home; n = tree_.nodes[n].carrier) {
          std::vector<int>& list = tree_.nodes[n].passes_on;
          if (!list.empty() && list.back() == c) break;
          list.push_back(c), tree_.nodes[n].rows_passed += rows;
        }
    }
  }

 private:
  /// Whether all bodies lie in a node or are what it hangs on, and its subsystem is `lowest` or around it.
  [[nodiscard]] bool holds(int n, const std::vector<int>& bodies, int lowest) const {
    const CompoundNode& node = tree_.nodes[n];
    return lies_within(*plan_.model, lowest, node.subsystem) && std::all_of(bodies.begin(), bodies.end(), [&](int b) {
             if (b < plan_.grounds) return node.on < 0;
             return b == node.on || tree_.within(tree_.of_body[b], n);
           });
  }

  /// Of what a subsystem has on a body, -1: grounds, in a part, -1: of whatever part.
  int node_of(int subsystem, int on, int part) {
    const auto first = on_.lower_bound({subsystem, on, -1});
    const bool any = first != on_.end() && std::get<0>(first->first) == subsystem && std::get<1>(first->first) == on;
    if (any && part < 0) return first->second;
    if (const auto known = on_.find({subsystem, on, part}); known != on_.end()) return known->second;
    if (any && std::get<2>(first->first) < 0) {  // the first part of a node that had no bodies
      const int node = first->second;
      on_.erase(first);
      tree_.nodes[node].part = part;
      if (tree_.nodes[node].edge == CompoundNode::Edge::carried) tree_.nodes[node].edge = edge_of(part);
      on_.emplace(std::tuple{subsystem, on, part}, node);
      return node;
    }
    const int around = plan_.model->subsystems[subsystem].parent;
    int carrier = -1;
    CompoundNode::Edge edge = edge_of(part);
    if (any && on < 0 && subsystem == 0)
      carrier = 0;
    else if (on >= 0 && (subsystem == 0 || lies_within(*plan_.model, home_[on], around)))
      carrier = tree_.of_body[on];
    else if (subsystem > 0)
      carrier = node_of(around, on, -1), edge = CompoundNode::Edge::merged;
    const int node = add(subsystem, on, part, carrier, edge);
    if (any) tree_.nodes[first->second].whole = tree_.nodes[node].whole = false;
    on_.emplace(std::tuple{subsystem, on, part}, node);
    return node;
  }

  int add(int subsystem, int on, int part, int carrier, CompoundNode::Edge edge) {
    const int number = static_cast<int>(tree_.nodes.size());
    CompoundNode& node = tree_.nodes.emplace_back();
    node.subsystem = subsystem, node.on = on, node.part = part, node.carrier = carrier, node.edge = edge;
    if (carrier >= 0) tree_.nodes[carrier].carried.push_back(number);
    return number;
  }

  [[nodiscard]] CompoundNode::Edge edge_of(int number) const {
    return number >= 0 && (plan_.elimination == Elimination::modular || part(plan_, number).joined) ? CompoundNode::Edge::joined
                                                                                                    : CompoundNode::Edge::carried;
  }

  void find_costs() {
    std::vector<int> cuts;
    for (const PlanClosure& closure : plan_.closures)
      if (closure.coupling < 0) cuts.push_back(closure.joint);
    const std::vector<double> cost = body_costs(plan_, cuts);
    for (CompoundNode& node : tree_.nodes)
      for (const int b : node.bodies) node.cost += cost[b];
  }

  const Plan& plan_;
  const std::vector<int> home_;
  std::map<std::tuple<int, int, int>, int> on_;  // subsystem, body it hangs on, part -> node
  CompoundTree tree_;
};

}  // namespace

std::vector<int> subsystem_of_bodies(const Plan& plan) {
  std::vector<int> home(plan.bodies.size(), 0);
  const std::vector<Body>& bodies = plan.model->bodies;
  for (size_t m = 0; m < bodies.size(); ++m)
    if (!bodies[m].ground) home[plan.body_of[m]] = bodies[m].subsystem;
  return home;
}

std::vector<int> bodies_of_closure(const Plan& plan, int number) {
  const PlanClosure& closure = plan.closures[number];
  if (closure.coupling < 0) return {closure.parent, closure.child};
  std::vector<int> bodies;
  for (const Coupling::Term& term : plan.model->couplings[closure.coupling].terms) bodies.push_back(plan.joints[term.joint.value].body);
  return bodies;
}

int lowest_subsystem(const Plan& plan, int number) {
  const Model& model = *plan.model;
  const PlanClosure& closure = plan.closures[number];
  int lowest = -1;
  const auto see = [&](int subsystem) { lowest = lowest < 0 ? subsystem : model.graph().lowest_common(lowest, subsystem); };
  if (closure.coupling >= 0) see(model.couplings[closure.coupling].subsystem);
  if (closure.coupling < 0)
    for (const int j : loop_joints(plan, closure)) see(model.joints[j].subsystem);
  else
    for (const Coupling::Term& term : model.couplings[closure.coupling].terms) see(model.joints[term.joint.value].subsystem);
  return lowest;
}

CompoundTree compound_tree(const Plan& plan) {
  Grower grower(plan);
  grower.place_closures();
  return grower.take();
}

}  // namespace arthron
