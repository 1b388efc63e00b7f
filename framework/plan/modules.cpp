#include "arthron/plan/modules.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "arthron/model/hierarchy.hpp"
#include "arthron/plan/closure_nodes.hpp"
#include "arthron/plan/compound_tree.hpp"
#include "arthron/plan/passes.hpp"

namespace arthron {

namespace {

using std::size_t;

bool contains(const std::vector<int>& list, int item) { return std::find(list.begin(), list.end(), item) != list.end(); }

class Joiner {
 public:
  explicit Joiner(Plan& plan) : plan_(plan), modules_(plan.modules), parts_(shared_part(plan)) {
    modules_.bodies = plan.bodies;
    for (PlanBody& body : modules_.bodies) body.node = -1;
    find_outputs();
    for (int c = 0; c < std::ssize(plan.closures); ++c)
      bodies_.push_back(bodies_of_closure(plan, c)), lowest_.push_back(lowest_subsystem(plan, c));
    closed_.assign(plan.closures.size(), false), mount_.assign(plan.closures.size(), -1);
    find_touching();
    const std::vector<int> home = subsystem_of_bodies(plan);
    std::vector<std::vector<int>> items(plan.model->subsystems.size());
    whole_.resize(parts_);
    std::iota(whole_.begin(), whole_.end(), 0);
    for (int p = 0; p < parts_; ++p) {
      const PlanPart& part = plan.parts[p];
      const int subsystem = part.bodies.size() > 0 ? home[part.bodies.first] : 0;
      members_.push_back({p}), bases_.push_back(1);
      modules_.on.push_back(part.carrier < 0 ? -1 : part.on);
      find_complete(p, subsystem, of_part_[p]);
      items[subsystem].push_back(p);
    }
    modules_.of_subsystem.resize(items.size());
    for (int s = static_cast<int>(items.size()); s-- > 0;) put_together(s, items);
    open_.resize(members_.size()), modules_.node.assign(members_.size(), -1);
    for (int p = parts_; p-- > 0;) assemble(p);
    for (size_t j = 0; j < modules_.joins.size(); ++j) add_node(static_cast<int>(j));
  }

 private:
  [[nodiscard]] int output_closure(int output) const { return static_cast<int>(plan_.closures.size()) + output; }

  void find_outputs() {
    modules_.outputs_of.resize(parts_);
    output_of_.assign(plan_.bodies.size(), -1);
    for (const PlanPart& part : plan_.parts) {
      if (part.carrier < 0) continue;
      int& output = output_of_[part.on];
      if (output < 0) {
        output = static_cast<int>(modules_.outputs.size());
        modules_.outputs.push_back(part.on), left_.push_back(0);
        modules_.outputs_of[part.carrier].push_back(output);
      }
      ++left_[output];
    }
    modules_.joins_at.resize(modules_.outputs.size());
  }

  /// Whether a compound has all that a closure acts on, or hangs on it, and a subsystem is one that holds its loop.
  [[nodiscard]] bool completes(int c, int compound, int subsystem) const {
    return lies_within(*plan_.model, lowest_[c], subsystem) && std::all_of(bodies_[c].begin(), bodies_[c].end(), [&](int b) {
             if (b < plan_.grounds) return modules_.on[compound] < 0;
             const bool hangs_on = plan_.closures[c].coupling < 0 && b == modules_.on[compound];
             return hangs_on || whole_[plan_.part_of_body[b]] == compound;
           });
  }

  /// Closures that act on bodies of each part; behind them, on grounds.
  void find_touching() {
    of_part_.resize(static_cast<size_t>(parts_) + 1);
    for (int c = 0; c < std::ssize(bodies_); ++c)
      for (const int b : bodies_[c]) {
        std::vector<int>& of = of_part_[b < plan_.grounds ? parts_ : plan_.part_of_body[b]];
        if (of.empty() || of.back() != c) of.push_back(c);
      }
  }

  /// Closures that a new compound completes, of those that act on its bodies.
  void find_complete(int compound, int subsystem, const std::vector<int>& touching) {
    std::vector<int>&left = touching_.emplace_back(), &list = complete_.emplace_back();
    for (const int c : touching) {
      if (closed_[c]) continue;
      if (!completes(c, compound, subsystem)) {
        left.push_back(c);
        continue;
      }
      closed_[c] = true;
      mount_[c] = plan_.closures[c].coupling < 0 ? modules_.on[compound] : -1;
      list.push_back(c);
    }
  }

  /// Nodes of the bodies of a part, and its own.
  void assemble(int p) {
    const PlanPart& part = plan_.parts[p];
    std::map<int, std::vector<int>, std::greater<>> complete, open, children;
    std::vector<int> at_base, passed;
    const auto pass = [&](int c, int from, int meeting) {
      for (int b = from; part.bodies.holds(b) && b != meeting; b = plan_.bodies[b].parent)
        if (std::vector<int>& here = open[b]; here.empty() || here.back() != c) here.push_back(c);
    };
    for (const int c : of_part_[p]) {
      // Where a closure is complete, its side on what all hangs on is added.
      const auto acts_here = [&](int b) { return part.bodies.holds(b) && b != mount_[c]; };
      if (std::none_of(bodies_[c].begin(), bodies_[c].end(), acts_here)) continue;
      const bool own = contains(complete_[p], c);
      const int meeting = own ? meeting_of(c) : -1;
      const bool within = own && part.bodies.holds(meeting);
      if (within) complete[meeting].push_back(c);
      if (own && !within) at_base.push_back(c);
      if (!own) passed.push_back(c);
      for (const int b : bodies_[c])
        if (acts_here(b)) pass(c, b, within ? meeting : -1);
    }
    for (const int output : modules_.outputs_of[p]) {
      passed.push_back(output_closure(output));
      pass(output_closure(output), modules_.outputs[output], -1);
    }
    std::vector<int> below;
    for (int b = part.bodies.last - 1; b >= part.bodies.first; --b) {
      if (!complete.contains(b) && !open.contains(b)) continue;
      ClosureNode node;
      node.body = b, node.children = children[b];
      order_node(plan_, complete[b], open[b], node);
      const int number = add(std::move(node));
      modules_.bodies[b].node = number;
      const int parent = plan_.bodies[b].parent;
      if (!open[b].empty()) (part.bodies.holds(parent) ? children[parent] : below).push_back(number);
    }
    ClosureNode base;
    base.body = modules_.on[p], base.closes_branch_loops = base.compound = true, base.children = below;
    order_node(plan_, at_base, passed, base);
    open_[p] = passed;
    modules_.node[p] = add(std::move(base));
  }

  /// First body common to the paths of what a closure acts on.
  [[nodiscard]] int meeting_of(int c) const {
    const PlanClosure& closure = plan_.closures[c];
    if (closure.coupling < 0) return meeting_body(plan_, {closure.parent, closure.child});
    std::vector<int> sides;
    for (const int b : bodies_[c]) sides.push_back(plan_.bodies[b].parent);
    return meeting_body(plan_, sides);
  }

  int add(ClosureNode node) {
    plan_.closure_nodes.push_back(std::move(node));
    return static_cast<int>(plan_.closure_nodes.size()) - 1;
  }

  /// Joins what lies within a subsystem, the outermost first, and leaves what hangs outside it to the one around.
  void put_together(int subsystem, std::vector<std::vector<int>>& items) {
    std::map<int, std::vector<int>, std::greater<>> hanging;  // by the body they hang on
    for (const int item : items[subsystem]) hanging[modules_.on[item]].push_back(item);
    std::set<int> here(items[subsystem].begin(), items[subsystem].end());
    std::map<int, std::vector<int>, std::greater<>> outside;
    while (!hanging.empty()) {
      const int on = hanging.begin()->first;
      std::vector<int> far;
      // A compound that something was joined to since has another number.
      for (const int item : hanging.begin()->second)
        if (const int now = whole_[members_of_item(item)]; !contains(far, now)) far.push_back(now);
      hanging.erase(hanging.begin());
      const int near = on < 0 ? -1 : whole_[plan_.part_of_body[on]];
      if (near >= 0 && here.contains(near)) {
        for (const int item : far) here.erase(item);
        here.erase(near);
        here.insert(join(subsystem, near, far));
      } else {
        outside[on] = far;
      }
    }
    for (auto& [on, list] : outside) {
      const bool last = subsystem == 0;
      const bool alone = list.size() == 1 && !last && !closes_something(list.front(), subsystem);
      const int both = alone ? list.front() : join(subsystem, -1, list);
      modules_.of_subsystem[subsystem].push_back(both);
      if (!last) items[plan_.model->subsystems[subsystem].parent].push_back(both);
    }
    if (subsystem == 0 && outside.empty()) join(0, -1, {});
  }

  [[nodiscard]] int members_of_item(int item) const { return members_[item].front(); }

  [[nodiscard]] bool closes_something(int compound, int subsystem) const {
    const std::vector<int>& touching = touching_[compound];
    return std::any_of(touching.begin(), touching.end(), [&](int c) { return !closed_[c] && completes(c, compound, subsystem); });
  }

  int join(int subsystem, int near, const std::vector<int>& far) {
    const int number = parts_ + static_cast<int>(modules_.joins.size());
    ModuleJoin join;
    join.subsystem = subsystem, join.near = near, join.far = far;
    join.on = near >= 0 ? modules_.on[near] : far.empty() ? -1 : modules_.on[far.front()];
    std::vector<int> members;
    int bases = near >= 0 ? bases_[near] : 0, hung = 0;
    std::vector<int> all = far;
    if (near >= 0) all.push_back(near);
    for (const int item : all) members.insert(members.end(), members_[item].begin(), members_[item].end());
    for (const int item : far) hung += bases_[item];
    if (near < 0) bases = hung;
    for (const int p : members) whole_[p] = number;
    members_.push_back(std::move(members)), bases_.push_back(bases), modules_.on.push_back(join.on);
    if (near >= 0) {
      join.output = output_of_[modules_.on[far.front()]];
      left_[join.output] -= hung;
      last_at_.push_back(left_[join.output] == 0);
      modules_.joins_at[join.output].push_back(static_cast<int>(modules_.joins.size()));
    } else {
      last_at_.push_back(false);
    }
    std::set<int> touching;
    for (const int item : all) touching.insert(touching_[item].begin(), touching_[item].end());
    if (subsystem == 0 && join.on < 0) touching.insert(of_part_[parts_].begin(), of_part_[parts_].end());
    find_complete(number, subsystem, {touching.begin(), touching.end()});
    modules_.joins.push_back(std::move(join));
    return number;
  }

  /// Of a join: rows of its compounds, without those of the output if nothing else hangs there.
  void add_node(int number) {
    ModuleJoin& join = modules_.joins[number];
    const int compound = parts_ + number;
    std::vector<int> all = join.far;
    if (join.near >= 0) all.push_back(join.near);
    const std::vector<int>& complete = complete_[compound];
    std::set<int> open;
    for (const int item : all)
      for (const int c : open_[item])
        if (!contains(complete, c)) open.insert(c);
    if (last_at_[number]) open.erase(output_closure(join.output));
    open_[compound].assign(open.begin(), open.end());
    ClosureNode node;
    node.body = join.on, node.closes_branch_loops = node.compound = true;
    for (const int item : all) node.children.push_back(modules_.node[item]);
    if (join.near >= 0) node.join = number;
    order_node(plan_, complete, open_[compound], node, join.near >= 0);
    join.node = modules_.node[compound] = add(std::move(node));
  }

  Plan& plan_;
  ModulePlan& modules_;
  const int parts_;
  std::vector<int> output_of_;              // per body, -1: nothing of another part hangs there
  std::vector<int> left_;                   // per output, parts that hang there and are not joined yet
  std::vector<std::vector<int>> bodies_;    // per closure
  std::vector<int> lowest_;                 // per closure
  std::vector<bool> closed_;                // per closure
  std::vector<int> mount_;                  // per closure, the body that all hangs on where it is complete
  std::vector<int> whole_;                  // per part, the compound that it is in by now
  std::vector<std::vector<int>> members_;   // per compound, its parts
  std::vector<int> bases_;                  // per compound, its parts that hang on what it hangs on
  std::vector<bool> last_at_;               // per join, whether nothing else hangs on its output
  std::vector<std::vector<int>> touching_;  // per compound, closures that act on its bodies and are not closed in it
  std::vector<std::vector<int>> complete_;  // per compound, closures that it completes
  std::vector<std::vector<int>> open_;      // per compound, what its node passes on
  std::vector<std::vector<int>> of_part_;   // closures that act on bodies of each part; behind them, on grounds
};

/// Where the numbers of joined compounds are found, and where they go; rows are laid out by now.
void lay_out_joins(Plan& plan) {
  ModulePlan& modules = plan.modules;
  for (ModuleJoin& join : modules.joins) {
    if (join.near < 0) continue;
    const ClosureNode& node = plan.closure_nodes[join.node];
    const auto take_rows = [&](int compound) {
      const ClosureNode& from = plan.closure_nodes[modules.node[compound]];
      for (size_t i = from.eliminated; i < from.closures.size(); ++i) {
        const int first = from.row[i] - from.first_open_row();
        const auto place = std::find(node.closures.begin(), node.closures.end(), from.closures[i]);
        if (compound == join.near && from.closures[i] == static_cast<int>(plan.closures.size()) + join.output) join.output_row = first;
        if (place == node.closures.end()) continue;
        for (int r = 0; r < from.count[i]; ++r)
          join.from.push_back(first + r), join.to.push_back(node.row[place - node.closures.begin()] + r);
      }
    };
    take_rows(join.near);
    join.near_rows = static_cast<int>(join.to.size());
    for (const int far : join.far) join.first.push_back(static_cast<int>(join.to.size())), take_rows(far);
    join.first.push_back(static_cast<int>(join.to.size()));
    for (const int row : join.to)
      for (const int column : join.to) join.to_gamma.push_back(place_in_gamma(node, row, column));
  }
}

}  // namespace

std::vector<int> find_modules(const Plan& plan, const std::vector<int>& cuts, double grain) {
  const std::vector<int> home = subsystem_of_bodies(plan);
  const std::vector<double> cost = body_costs(plan, cuts);
  const std::vector<bool> light = light_bodies(*plan.model);
  std::vector<bool> rests_on_light(plan.bodies.size(), false);  // on the way to the end of its part
  for (size_t m = 0; m < light.size(); ++m) rests_on_light[plan.body_of[m]] = light[m];
  std::vector<int> module(plan.bodies.size(), -1);
  std::vector<double> way(plan.bodies.size(), 0);
  std::map<std::tuple<int, int, bool>, int> known;  // subsystem, what it hangs on, whether within it
  for (int b = plan.grounds; b < std::ssize(plan.bodies); ++b) {
    const int parent = plan.bodies[b].parent;
    const bool grounded = parent < plan.grounds, same = !grounded && home[parent] == home[b];
    // A light body with nothing taken up at its output would move far too fast; so it carries what hangs there.
    if (!grounded && (rests_on_light[parent] || (same && way[parent] < grain))) {
      module[b] = module[parent], way[b] = way[parent] + cost[b];
      rests_on_light[b] = rests_on_light[b] || rests_on_light[parent];
      continue;
    }
    way[b] = cost[b];
    const auto [place, fresh] = known.try_emplace({home[b], grounded ? -1 : parent, same}, static_cast<int>(known.size()));
    module[b] = place->second;
  }
  return module;
}

void finish_modules(Plan& plan) {
  std::vector<PlanBody> bodies = plan.bodies;
  for (size_t b = 0; b < bodies.size(); ++b) {
    bodies[b].node = plan.modules.bodies[b].node;
    bodies[b].plain = bodies[b].single_column && bodies[b].node < 0;
  }
  plan.modules.bodies = std::move(bodies);
}

void join_modules(Plan& plan) {
  const Joiner joined(plan);
  lay_out_nodes(plan);
  lay_out_joins(plan);
}

}  // namespace arthron
