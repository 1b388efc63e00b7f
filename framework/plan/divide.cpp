#include <algorithm>
#include <map>
#include <numeric>

#include "arthron/plan/passes.hpp"

namespace arthron {

namespace {

using std::size_t;

/// What an evaluation costs, nearly [ns]: it decides how large parts are, and must not depend on the machine.
namespace cost {
constexpr double body = 80, column = 70, cut = 800, handle = 60;
}

/// Loops keep bodies in one part unless that grows to this many times the grain.
constexpr double most_in_loops = 8;

/// Per body of the Plan (as numbered so far): cost, and whether a loop that comes together on a body runs through its inboard joint.
struct Burden {
  std::vector<double> cost;
  std::vector<bool> in_loop;
};

Burden burden(const Plan& plan, const std::vector<int>& cuts) {
  const Model& model = *plan.model;
  Burden result{body_costs(plan, cuts), std::vector<bool>(plan.bodies.size(), false)};
  const auto number = [&](BodyIndex body) { return plan.body_of[body.value]; };
  const auto close = [&](const std::vector<int>& from, const std::vector<int>& sides) {
    const int meeting = meeting_body(plan, sides);
    if (meeting < 0) return;
    for (int b : from)
      for (; b >= plan.grounds && b != meeting; b = plan.bodies[b].parent) result.in_loop[b] = true;
  };
  for (const int j : cuts) {
    const Joint& joint = model.joints[j];
    const int parent = number(joint.parent), child = number(joint.child);
    close({parent, child}, {parent, child});
  }
  for (const Coupling& coupling : model.couplings) {
    std::vector<int> from, sides;
    for (const Coupling::Term& term : coupling.terms) {
      from.push_back(plan.joints[term.joint.value].body);
      sides.push_back(plan.bodies[from.back()].parent);
    }
    close(from, sides);
  }
  return result;
}

/// Collects subtrees, from the leaves inward, until together they are worth a part.
class Divider {
 public:
  Divider(const Plan& plan, const Burden& burden, double grain)
      : plan_(plan), burden_(burden), grain_(grain), rest_(burden.cost), children_(plan.bodies.size()), part_(plan.bodies.size(), -1) {
    for (size_t b = plan.grounds; b < plan.bodies.size(); ++b)
      children_[std::max(plan.bodies[b].parent, plan.grounds - 1)].push_back(static_cast<int>(b));
    // What hangs on any ground is collected together, at the last of them.
    for (int b = static_cast<int>(plan.bodies.size()); b-- > plan.grounds - 1;) collect(b);
    const std::vector<int>& last = leftover_;
    if (!last.empty()) close(last);
  }

  /// Per body, its part; parts are numbered from the leaves inward.
  [[nodiscard]] const std::vector<int>& parts() const { return part_; }
  [[nodiscard]] int count() const { return count_; }

 private:
  void collect(int b) {
    std::vector<int> group;
    double sum = 0;
    bool loop = false;
    for (const int child : children_[b]) {
      if (rest_[child] == 0) continue;
      group.push_back(child), sum += rest_[child], loop = loop || burden_.in_loop[child];
      if (sum < (loop ? most_in_loops : 1) * grain_) continue;
      close(group);
      group.clear(), sum = 0, loop = false;
    }
    if (b < plan_.grounds)
      leftover_ = group;
    else
      rest_[b] += sum;
  }

  void close(const std::vector<int>& roots) {
    std::vector<int> stack = roots;
    while (!stack.empty()) {
      const size_t b = stack.back();
      stack.pop_back();
      if (part_[b] >= 0) continue;
      part_[b] = count_;
      stack.insert(stack.end(), children_[b].begin(), children_[b].end());
    }
    for (const int root : roots) rest_[root] = 0;
    ++count_;
  }

  const Plan& plan_;
  const Burden& burden_;
  const double grain_;
  std::vector<double> rest_;  // per body: cost of what hangs on it, itself included, and is in no part yet
  std::vector<std::vector<int>> children_;
  std::vector<int> part_;
  std::vector<int> leftover_;
  int count_ = 0;
};

/// Bodies between a part's inboard end and one of its bodies, that one first.
std::vector<int> way_out(const Plan& plan, const PlanPart& part, int from) {
  std::vector<int> bodies;
  for (int b = from; part.bodies.holds(b); b = plan.bodies[b].parent) bodies.push_back(b);
  return bodies;
}

/// Joins compounds [first, last) of a chain's parts, in halves of equal number; returns the compound that holds them all.
int join(Plan& plan, const std::vector<int>& parts, size_t first, size_t last) {
  if (last - first == 1) return parts[first];
  const size_t middle = first + (last - first) / 2;
  const int near = join(plan, parts, first, middle);
  const int far = join(plan, parts, middle, last);
  plan.joins.push_back({near, far});
  return shared_part(plan) + static_cast<int>(plan.joins.size()) - 1;
}

/// Orders the links of a tree part by part, those with the largest number first: inward numbering of the parts, turned round, puts carriers
/// first. Returns the bodies of each.
std::vector<Slice> order_by_part(const std::vector<int>& part, const Plan& plan, SpanningTree& tree) {
  std::vector<int> order(tree.links.size());
  std::iota(order.begin(), order.end(), 0);
  const auto part_of = [&](int link) { return part[plan.grounds + link]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return part_of(a) > part_of(b); });
  std::vector<Slice> parts;
  std::vector<SpanningTree::Link> links;
  for (const int link : order) {
    const int place = plan.grounds + static_cast<int>(links.size());
    if (links.empty() || part_of(link) != part_of(order[links.size() - 1])) parts.push_back({place, place});
    parts.back().last = place + 1;
    links.push_back(tree.links[link]);
  }
  tree.links = std::move(links);
  return parts;
}

}  // namespace

std::vector<double> body_costs(const Plan& plan, const std::vector<int>& cuts) {
  const Model& model = *plan.model;
  std::vector<double> list(plan.bodies.size(), 0);
  const auto number = [&](BodyIndex body) { return plan.body_of[body.value]; };
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b)
    list[b] = cost::body + cost::column * model.joints[plan.bodies[b].joint].definition->type().nu();
  for (const Force& force : model.forces)
    for (const Handle& handle : force.handles) list[number(handle.body)] += cost::handle;
  for (const int j : cuts)
    for (const BodyIndex side : {model.joints[j].parent, model.joints[j].child}) list[number(side)] += cost::cut / 2;
  return list;
}

std::vector<Slice> divide(const std::vector<int>& cuts, const Grain& grain, const Plan& plan, SpanningTree& tree) {
  const int bodies = static_cast<int>(plan.bodies.size()) - plan.grounds;
  if (bodies > 0 && plan.elimination == Elimination::modular) {
    std::vector<int> modules = find_modules(plan, cuts, grain.part);
    for (int& module : modules) module = -module;
    return order_by_part(modules, plan, tree);
  }
  const Burden load = burden(plan, cuts);
  if (std::accumulate(load.cost.begin(), load.cost.end(), 0.0) < 2 * grain.part) return {{plan.grounds, plan.grounds + bodies}};
  const Divider divider(plan, load, grain.part);
  return order_by_part(divider.parts(), plan, tree);
}

void make_parts(const std::vector<Slice>& bodies, Plan& plan) {
  std::vector<int> part_of(plan.bodies.size(), -1);
  for (const Slice& slice : bodies) {
    PlanPart part;
    part.bodies = slice;
    std::fill(part_of.begin() + slice.first, part_of.begin() + slice.last, static_cast<int>(plan.parts.size()));
    // A model without bodies has one part without any.
    if (slice.size() > 0) {
      part.on = plan.bodies[slice.first].parent;
      part.carrier = part_of[part.on];
    }
    if (part.carrier >= 0) plan.parts[part.carrier].carried.push_back(static_cast<int>(plan.parts.size()));
    plan.parts.push_back(part);
  }
  plan.parts.emplace_back();
  plan.part_of_body = std::move(part_of);
  // The highest-numbered body folds first, because elimination runs from the last body to the first; but what other parts fold into a body
  // is there before.
  std::vector<bool> written(plan.bodies.size(), false);
  for (const PlanPart& part : plan.parts)
    if (part.carrier >= 0) written[part.on] = true, plan.bodies[part.on].leaf = false;
  for (const PlanPart& part : plan.parts) {
    bool left = false;
    for (int b = part.bodies.last - 1; b >= part.bodies.first; --b) {
      PlanBody& body = plan.bodies[b];
      const size_t parent = body.parent;
      if (!part.bodies.holds(body.parent)) {
        body.folds_first = !left;
        left = true;
        continue;
      }
      body.folds_first = !written[parent];
      written[parent] = true;
      plan.bodies[parent].leaf = false;
    }
  }
}

void join_chains(const std::vector<int>& cuts, const Grain& grain, Plan& plan) {
  const Burden load = burden(plan, cuts);
  const std::string& elimination = plan.model->simulation.elimination;
  const bool joins = plan.formulation->follows_elimination() && elimination != "fold" && elimination != "modular";
  const size_t parts = plan.parts.size() - 1;
  std::vector<double> span(parts, 0);
  double total = 0;
  for (size_t p = parts; p-- > 0;) {
    PlanPart& part = plan.parts[p];
    part.cost = std::accumulate(load.cost.begin() + part.bodies.first, load.cost.begin() + part.bodies.last, 0.0);
    total += part.cost;
    double longest = 0;
    for (const int carried : part.carried) longest = std::max(longest, span[carried]);
    span[p] = part.cost + longest;
  }
  const auto heaviest = [&](const PlanPart& part) {
    return *std::max_element(part.carried.begin(), part.carried.end(), [&](int a, int b) { return span[a] < span[b]; });
  };
  for (size_t p = 0; p < parts; ++p) {
    const PlanPart& head = plan.parts[p];
    if (head.carrier >= 0 && heaviest(part(plan, head.carrier)) == static_cast<int>(p)) continue;
    if (!joins || span[p] < grain.chain || span[p] < grain.share * total) continue;
    std::vector<int> row{static_cast<int>(p)};
    const auto end_row = [&](int next) {
      if (row.size() > 1) {
        const int first = static_cast<int>(plan.joins.size());
        join(plan, row, 0, row.size());
        const std::vector<int> way = way_out(plan, part(plan, row.front()), part(plan, row.front()).tip);
        plan.chains.push_back({row, {first, static_cast<int>(plan.joins.size())}, plan.bodies[way.back()].parent});
      }
      row = {next};
    };
    for (const PlanPart* carrier = &head; !carrier->carried.empty(); carrier = &part(plan, row.back())) {
      const int next = heaviest(*carrier);
      const std::vector<int> way = way_out(plan, *carrier, part(plan, next).on);
      // Open closures would have to be carried along.
      if (std::any_of(way.begin(), way.end(), [&](int b) { return plan.bodies[b].node >= 0; })) {
        end_row(next);
        continue;
      }
      for (const int b : way) plan.bodies[b].on_chain = true;
      plan.parts[row.back()].tip = part(plan, next).on;
      plan.parts[next].joined = true;
      row.push_back(next);
    }
    end_row(-1);
  }
}

}  // namespace arthron
