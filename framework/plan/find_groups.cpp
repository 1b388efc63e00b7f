#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "arthron/component/lane_force.hpp"
#include "arthron/plan/passes.hpp"

namespace arthron {

namespace {

using std::size_t;
using Word = std::vector<int>;  // describes a structure: what has equal words is alike

/// Larger branches are not compared with one another.
constexpr int most_bodies = 64;
/// Cut joints with more rows are likely to be redundant.
constexpr int most_rows = 3;

/// A number for each name.
class Names {
 public:
  int operator()(std::string_view name) { return numbers_.try_emplace(name, static_cast<int>(numbers_.size())).first->second; }

 private:
  std::map<std::string_view, int> numbers_;
};

/// Branches on one carrier that cut joints tie together: what a lane computes.
struct Bundle {
  std::vector<int> roots, bodies;  // every body after its parent
  std::vector<int> cuts;           // closures
};

class Finder {
 public:
  explicit Finder(Plan& plan)
      : plan_(plan),
        children_(plan.bodies.size()),
        cuts_(plan.bodies.size()),
        fit_(plan.bodies.size(), true),
        size_(plan.bodies.size(), 1) {
    for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) children_[plan.bodies[b].parent].push_back(static_cast<int>(b));
    for (int c = 0; c < plan.cuts; ++c) {
      const PlanClosure& closure = plan.closures[c];
      cuts_[closure.parent].push_back(c), cuts_[closure.child].push_back(c);
    }
    find_fit_branches();
    for (int b = 0; b < std::ssize(plan.bodies); ++b)
      if (b < plan.grounds || !plan.bodies[b].grouped) look_at(b);
  }

 private:
  [[nodiscard]] const PlanBody& body(int b) const { return plan_.bodies[b]; }
  [[nodiscard]] const PlanClosure& closure(int c) const { return plan_.closures[c]; }
  [[nodiscard]] int part_of(int b) const { return plan_.part_of_body[b]; }
  int type_of(int joint) { return names_(plan_.model->joints[joint].definition->type().name()); }

  /// Bodies whose branch lies in one part and has neither driven joints, next to massless bodies nor couplings, nor cut joints whose
  /// coordinates matter, or whose rows are likely to depend on one another: those are searched for pivots, each in its own order.
  void find_fit_branches() {
    for (size_t b = plan_.grounds; b < plan_.bodies.size(); ++b) fit_[b] = !plan_.bodies[b].driven && !plan_.bodies[b].light;
    for (const PlanClosure& closure : plan_.closures) {
      if (closure.coupling >= 0) {
        for (const Coupling::Term& term : plan_.model->couplings[closure.coupling].terms) fit_[plan_.joints[term.joint.value].body] = false;
      } else if (closure.tracked || closure.rows < 1 || closure.rows > most_rows || crosses_parts(closure)) {
        fit_[closure.parent] = fit_[closure.child] = false;
      }
    }
    for (int b = static_cast<int>(plan_.bodies.size()) - 1; b >= plan_.grounds; --b)
      if (const int parent = body(b).parent; parent >= plan_.grounds && (!fit_[b] || part_of(b) != part_of(parent))) fit_[parent] = false;
    for (int b = static_cast<int>(plan_.bodies.size()) - 1; b >= plan_.grounds; --b) size_[body(b).parent] += size_[b];
  }

  [[nodiscard]] bool crosses_parts(const PlanClosure& closure) const {
    const int a = part_of(closure.parent), b = part_of(closure.child);
    return a >= 0 && b >= 0 && a != b;
  }

  void add_branch(int root, std::vector<int>& bodies) const {
    bodies.push_back(root);
    for (const int child : children_[root]) add_branch(child, bodies);
  }

  /// Bodies and inboard joints.
  Word word_of(const std::vector<int>& bodies) {
    Word word;
    for (const int b : bodies) {
      const auto parent = std::find(bodies.begin(), bodies.end(), body(b).parent);
      word.insert(word.end(), {type_of(body(b).joint), plan_.joints[body(b).joint].reversed,
                               parent == bodies.end() ? -1 : static_cast<int>(parent - bodies.begin())});
    }
    return word;
  }

  static int place_in(const std::vector<int>& bodies, int b) {
    const auto place = std::find(bodies.begin(), bodies.end(), b);
    return place == bodies.end() ? -1 : static_cast<int>(place - bodies.begin());
  }

  Word cut_word(const Bundle& bundle, int c) {
    return {place_in(bundle.bodies, closure(c).child), place_in(bundle.bodies, closure(c).parent), type_of(closure(c).joint)};
  }

  Word word_of(const Bundle& bundle) {
    Word word = word_of(bundle.bodies);
    for (const int c : bundle.cuts)
      for (const int number : cut_word(bundle, c)) word.push_back(number);
    return word;
  }

  /// Branches of a body that occur more than once, with open rows together where cut joints lead from one to another.
  std::vector<Bundle> bundles_on(int carrier) {
    if (children_[carrier].size() < 2) return {};
    std::map<Word, std::vector<int>> alike;
    for (const int root : children_[carrier]) {
      if (!fit_[root] || size_[root] > most_bodies || (carrier >= plan_.grounds && part_of(root) != part_of(carrier))) continue;
      std::vector<int> bodies;
      add_branch(root, bodies);
      alike[word_of(bodies)].push_back(root);
    }
    std::vector<int> roots, group;
    for (const auto& [word, same] : alike)
      if (same.size() > 1) roots.insert(roots.end(), same.begin(), same.end());
    std::sort(roots.begin(), roots.end());
    std::map<int, size_t> branch_of;  // body -> place in roots
    std::vector<std::vector<int>> bodies(roots.size());
    for (size_t r = 0; r < roots.size(); ++r) {
      add_branch(roots[r], bodies[r]);
      for (const int b : bodies[r]) branch_of[b] = r;
    }
    std::vector<size_t> bundle(roots.size());
    std::iota(bundle.begin(), bundle.end(), size_t{0});
    for (const auto& [b, branch] : branch_of)
      for (const int c : cuts_[b]) {
        const auto other = branch_of.find(closure(c).parent == b ? closure(c).child : closure(c).parent);
        if (other == branch_of.end()) continue;
        const size_t from = bundle[std::max(branch, other->second)], to = bundle[std::min(branch, other->second)];
        std::replace(bundle.begin(), bundle.end(), from, to);
      }
    std::map<std::pair<size_t, int>, Bundle> bundles;  // of one part each
    for (size_t r = 0; r < roots.size(); ++r) {
      Bundle& own = bundles[{bundle[r], part_of(roots[r])}];
      own.roots.push_back(roots[r]);
      own.bodies.insert(own.bodies.end(), bodies[r].begin(), bodies[r].end());
    }
    std::vector<Bundle> result;
    for (auto& [key, own] : bundles) {
      for (const int b : own.bodies)
        for (const int c : cuts_[b])
          if (std::find(own.cuts.begin(), own.cuts.end(), c) == own.cuts.end()) own.cuts.push_back(c);
      std::sort(own.cuts.begin(), own.cuts.end());
      std::stable_sort(own.cuts.begin(), own.cuts.end(), [&](int a, int b) { return cut_word(own, a) < cut_word(own, b); });
      result.push_back(std::move(own));
    }
    return result;
  }

  /// Whether some cut joint of a bundle leaves its branches: on the ground it would have to be closed with all others there.
  [[nodiscard]] bool reaches_carrier(const Bundle& bundle) const {
    return std::any_of(bundle.cuts.begin(), bundle.cuts.end(), [&](int c) {
      const int meeting = meeting_body(plan_, {closure(c).parent, closure(c).child});
      return place_in(bundle.bodies, meeting) < 0;
    });
  }

  /// Hinges and slides without loops have shorter loops of their own (PlanBody::plain).
  [[nodiscard]] bool goes_faster_alone(const Bundle& bundle) const {
    const auto single = std::count_if(bundle.bodies.begin(), bundle.bodies.end(), [&](int b) { return body(b).columns == 1; });
    return bundle.cuts.empty() && 2 * single >= std::ssize(bundle.bodies);
  }

  void look_at(int carrier) {
    std::map<std::pair<Word, int>, std::vector<Bundle>> alike;  // by part too
    for (Bundle& bundle : bundles_on(carrier)) {
      if (carrier < plan_.grounds && reaches_carrier(bundle)) continue;
      alike[{word_of(bundle), part_of(bundle.roots.front())}].push_back(std::move(bundle));
    }
    for (const auto& [word, same] : alike) {
      if (goes_faster_alone(same.front())) continue;
      const size_t least = same.front().cuts.empty() ? 3 : 2;
      for (size_t first = 0; same.size() - first >= least; first += lane_count) {
        add_group(carrier, std::span(same).subspan(first, std::min<size_t>(same.size() - first, lane_count)));
        if (same.size() - first <= static_cast<size_t>(lane_count)) break;
      }
    }
  }

  void add_group(int carrier, std::span<const Bundle> bundles) {
    SimdGroup group;
    group.branches = static_cast<int>(bundles.size());
    group.carrier = carrier, group.grounded = carrier < plan_.grounds;
    group.passes.fill(-1);
    const auto of = [&](size_t lane) -> const Bundle& { return bundles[lane < bundles.size() ? lane : 0]; };
    const Bundle& first = bundles.front();
    for (size_t i = 0; i < first.bodies.size(); ++i) group.bodies.push_back(make_body(of, i, group.columns));
    order_folding(group);
    for (size_t i = 0; i < first.cuts.size(); ++i) group.cuts.push_back(make_cut(of, i));
    find_group_nodes(group);
    const size_t number = plan_.groups.size();
    for (const Bundle& bundle : bundles) {
      for (const int b : bundle.bodies) plan_.bodies[b].grouped = true;
      for (const int c : bundle.cuts) plan_.closures[c].grouped = true;
    }
    if (carrier >= plan_.grounds) plan_.bodies[carrier].carries_group = true;
    plan_.parts[part_of(first.roots.front())].groups.push_back(static_cast<int>(number));
    plan_.groups.push_back(std::move(group));
  }

  template <class Of>
  GroupBody make_body(const Of& of, size_t i, int& columns) const {
    GroupBody made;
    for (size_t lane = 0; lane < made.body.size(); ++lane) {
      const int b = of(lane).bodies[i];
      const PlanBody& own = body(b);
      const PlanJoint& joint = plan_.joints[own.joint];
      made.body[lane] = b, made.parent[lane] = own.parent, made.joint[lane] = own.joint, made.q[lane] = own.q, made.u[lane] = own.u;
      const LoneMove move = lone_move(plan_.model->joints[own.joint], joint.reversed);
      made.turns = move.turns, made.slides = move.slides, made.axis[lane] = move.axis;
      made.aligned = made.aligned && own.aligned;
      made.columns = own.columns, made.moves_handle = own.slides;
    }
    made.on = place_in(of(0).bodies, made.parent[0]);
    made.column = columns;
    columns += made.columns;
    return made;
  }

  template <class Of>
  GroupCut make_cut(const Of& of, size_t i) const {
    GroupCut made;
    for (size_t lane = 0; lane < made.closure.size(); ++lane) {
      const int c = of(lane).cuts[i];
      const PlanClosure& own = closure(c);
      made.closure[lane] = c, made.parent[lane] = own.parent, made.child[lane] = own.child;
      made.rows = own.rows, made.varies = own.varies;
      made.end[lane] = link_end(plan_, own);
    }
    made.holds = held_by(plan_, closure(of(0).cuts[i]));
    made.child_on = place_in(of(0).bodies, made.child[0]), made.parent_on = place_in(of(0).bodies, made.parent[0]);
    return made;
  }

  Plan& plan_;
  Names names_;
  std::vector<std::vector<int>> children_, cuts_;
  std::vector<bool> fit_;
  std::vector<int> size_;  // bodies of a branch
};

}  // namespace

void find_groups(Plan& plan) { Finder{plan}; }

namespace {

/// Where a body is in the groups.
struct Member {
  int group = -1, lane = 0, place = 0;
};

std::vector<Member> members(const Plan& plan) {
  std::vector<Member> list(plan.bodies.size());
  for (size_t t = 0; t < plan.groups.size(); ++t)
    for (size_t i = 0; i < plan.groups[t].bodies.size(); ++i)
      for (int lane = 0; lane < plan.groups[t].branches; ++lane)
        list[plan.groups[t].bodies[i].body[lane]] = {static_cast<int>(t), lane, static_cast<int>(i)};
  return list;
}

/// Whether the same force of every branch can be computed on lanes.
bool runs_on_lanes(const Model& model, const PerBranch& forces) {
  const auto force = [&](size_t lane) -> const Force& { return model.forces[forces[lane]]; };
  const ForceType& type = force(0).definition->type();
  if (!type.states().empty()) return false;
  const auto batch = type.make_lane_batch();
  LaneTimeFunctions functions;
  batch->add(per_lane<const ForceDefinition*>([&](size_t lane) { return force(lane).definition.get(); }), {},
             per_lane<const Placement*>([&](size_t lane) { return &force(lane).placement; }), functions);
  return batch->on_lanes();
}

}  // namespace

std::vector<bool> find_group_forces(Plan& plan) {
  const Model& model = *plan.model;
  std::vector<bool> found(model.forces.size(), false);
  if (plan.groups.empty()) return found;
  const std::vector<Member> member = members(plan);
  // Per group, type and bodies: the forces of each branch.
  std::map<Word, std::array<std::vector<int>, static_cast<size_t>(lane_count)>> alike;
  Names names;
  for (size_t f = 0; f < model.forces.size(); ++f) {
    if (model.forces[f].handles.empty()) continue;
    int group = -1, lane = -1;
    bool one = true;
    Word word{0, names(model.forces[f].definition->type().name())};
    const int home = plan.part_of_body[plan.body_of[model.forces[f].handles.front().body.value]];
    for (const Handle& handle : model.forces[f].handles) {
      const int body = plan.body_of[handle.body.value];
      const Member& own = member[body];
      const int part = plan.part_of_body[body];
      one = one && (own.group < 0 || group < 0 || (own.group == group && own.lane == lane)) && (part < 0 || home < 0 || part == home);
      if (own.group >= 0) group = own.group, lane = own.lane;
      word.push_back(own.group < 0 ? -1 : own.place);
    }
    word[0] = group;
    if (group >= 0 && one) alike[word][lane].push_back(static_cast<int>(f));
  }
  for (const auto& [word, forces] : alike) {
    SimdGroup& group = plan.groups[word[0]];
    const auto used = std::span(forces).first(group.branches);
    const size_t count =
        std::min_element(used.begin(), used.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); })->size();
    for (size_t k = 0; k < count; ++k) {
      GroupForce force;
      for (size_t lane = 0; lane < force.force.size(); ++lane) force.force[lane] = forces[lane < used.size() ? lane : 0][k];
      if (!runs_on_lanes(model, force.force)) continue;
      force.on.assign(word.begin() + 2, word.end());
      for (const auto& own : used) found[own[k]] = true;
      group.forces.push_back(std::move(force));
    }
  }
  return found;
}

}  // namespace arthron
