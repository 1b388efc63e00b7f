#include "arthron/dynamics/programs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "arthron/dynamics/chains.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/modules.hpp"
#include "arthron/dynamics/stages.hpp"
#include "arthron/dynamics/uneven_loops.hpp"

namespace arthron {

namespace {

using std::size_t;
using Stage = void (*)(const Plan& plan, int index, Workspace& work);

template <Stage stage>
void call(void* context, int index) {
  Workspace& work = *static_cast<Workspace*>(context);
  stage(*work.plan, index, work);
}

template <Stage stage>
Piece piece(std::string_view name, int index, double cost = 0) {
  return {call<stage>, index, name, cost};
}

/// How the expected cost of a part divides among the stages that matter.
namespace share {
constexpr double place = 0.25, fold = 0.4, refold = 0.06, unfold = 0.15, momenta = 0.2;
}
/// Expected costs of what has no part [ns].
namespace cost {
constexpr double join = 1500, repeat_join = 300, part = 400, closure_on_ground = 400;
}

void oppose_openings(const Plan& plan, int number, Workspace& work) {
  const Slice cuts = part(plan, number).cuts;
  ClosureWork& closures = *work.closures;
  const auto oppose = [&](int c) { closures.cuts[c].known = -1.0 * Wide6(closures.error[c]); };
  for (int c = cuts.first; c < cuts.last; ++c) oppose(c);
  for (const int c : part(plan, number).couplings) oppose(c);
}

void coordinate_rates(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  if (!work.request.qdot) return;
  if (!plan.plain_coordinates)
    for (const BatchSlice& slice : part.joints)
      plan.joint_batches[slice.batch]->coordinate_rate(slice.items, work.q.data(), work.u.data(), work.qdot.data());
  const std::vector<double>& rates = plan.plain_coordinates ? work.u : work.qdot;
  std::copy(rates.begin() + part.q.first, rates.begin() + part.q.last, work.request.qdot + part.q.first);
}

template <Level level>
void refold(const Plan& plan, int part, Workspace& work) {
  refold_chain(plan, part, level == Level::velocity ? work.p : work.tau, work);
}
void open_at_rest(const Plan& plan, int chain, Workspace& work) { open_chain(plan, chain, Wide6::zero(), work); }
template <Level level>
void open_chain(const Plan& plan, int chain, Workspace& work) {
  const int on = plan.chains[chain].on;
  arthron::open_chain(plan, chain, level == Level::velocity ? work.body[on].V : work.A[on], work);
}

void acceleration_rates(const Plan& plan, int number, Workspace& work) {
  const Slice u = part(plan, number).u;
  PartWork& own = work.part[number];
  double sum = 0;
  for (int c = u.first; c < u.last; ++c) sum += work.udot[c];
  if (own.status.ok() && !std::isfinite(sum)) own.status = {Status::Code::not_finite};
  if (double* const udot = work.request.pdot) std::copy(work.udot.begin() + u.first, work.udot.begin() + u.last, udot + u.first);
  coordinate_rates(plan, number, work);
}

bool closes_loops(const Workspace& work) { return work.request.loops == Request::Loops::closed; }
void independent_rows(const Plan& plan, int, Workspace& work) {
  if (closes_loops(work)) find_independent_rows(plan, work);
}
template <Level level>
void keep_solution(const Plan& plan, int, Workspace& work) {
  if (closes_loops(work)) begin_refinement<level>(plan, work);
}
template <Level level>
void refine_solution(const Plan& plan, int, Workspace& work) {
  if (closes_loops(work)) end_refinement<level>(plan, work);
}

template <Level level>
void fold_open_tree(const Plan& plan, int, Workspace& work) {
  if (!closes_loops(work)) fold_modules<level>(plan, 0, work);
}

void begin_motion(const Plan& plan, int number, Workspace& work) {
  work.part[number].status = {};
  move_bodies(plan, number, work);
}

/// Adds stage after stage; knows per part which task wrote last.
class Builder {
 public:
  explicit Builder(const Plan& plan)
      : plan_(plan),
        parts_(shared_part(plan)),
        uneven_(has_uneven_loops(plan)),
        last_(parts_, -1),
        head_of_(parts_, -1),
        known_(parts_ + plan.joins.size(), -1) {
    for (size_t s = 0; s < plan.chains.size(); ++s) {
      const std::vector<int>& parts = plan.chains[s].parts;
      head_of_[parts.front()] = static_cast<int>(s);
    }
  }

  template <Stage stage>
  void each(std::string_view name) {
    for (int p = 0; p < parts_; ++p) last(p) = add(piece<stage>(name, p), {last(p)}, p);
  }

  /// One task after all parts and before all that follows.
  void together(std::vector<Piece> pieces) {
    const int task = add(pieces.front(), last_, parts_);
    graph_.tasks.back().pieces = std::move(pieces);
    std::fill(last_.begin(), last_.end(), task);
  }

  void kinematics() {
    std::vector<int> chain_of(parts_, -1), afloat(parts_, -1), chain_task(plan_.chains.size(), -1);
    for (size_t s = 0; s < plan_.chains.size(); ++s)
      for (const int p : plan_.chains[s].parts) chain_of[p] = static_cast<int>(s);
    for (int p = 0; p < parts_; ++p)
      if (joined(p)) afloat[p] = add(piece<place_bodies>("place bodies", p, share::place * part(plan_, p).cost), {last(p)}, p);
    for (int p = 0; p < parts_; ++p) {
      if (!joined(p)) {
        const int carrier = part(plan_, p).carrier;
        last(p) =
            add(piece<place_bodies>("place bodies", p, share::place * part(plan_, p).cost), {last(p), carrier < 0 ? -1 : last(carrier)}, p);
        continue;
      }
      const size_t s = chain_of[p];
      if (chain_task[s] < 0) {
        const std::vector<int>& row = plan_.chains[s].parts;
        std::vector<int> after{last(row.front())};
        for (size_t i = 1; i < row.size(); ++i) after.push_back(afloat[row[i]]);
        chain_task[s] = add(piece<place_chain>("place chain", static_cast<int>(s)), after, row.front());
      }
      last(p) = add(piece<place_joined>("place joined", p), {chain_task[s]}, p);
    }
  }

  void closure_directions() {
    if (plan_.closures.empty()) return;
    each<closure_kinematics>("cut joints");
    if (shares_cuts()) together({piece<closure_kinematics>("shared cut joints", parts_)});
  }

  /// Every part by itself, then all joined, twice; at last the parts' bodies.
  template <Level level>
  void solve_modules() {
    const std::vector<ModuleJoin>& joins = plan_.modules.joins;
    add_modules<level, Pass::first>();
    if (std::any_of(joins.begin(), joins.end(), [](const ModuleJoin& join) { return join.near >= 0; })) add_modules<level, Pass::second>();
    // What follows reads the motion of the bodies that a part hangs on, too.
    for (int p = 0; p < parts_; ++p) {
      const int carrier = part(plan_, p).carrier;
      last(p) =
          add(piece<solve_module<level>>("solve", p, share::unfold * part(plan_, p).cost), {last(p), carrier < 0 ? -1 : last(carrier)}, p);
    }
  }
  template <Level level, Pass pass>
  void add_modules() {
    const std::vector<ModuleJoin>& joins = plan_.modules.joins;
    const int count = static_cast<int>(joins.size());
    const auto each_of = [&](const ModuleJoin& join, const auto& action) {
      for (const int far : join.far) action(far);
      if (join.near >= 0) action(join.near);
    };
    std::vector<int> found(static_cast<size_t>(parts_) + joins.size(), -1);
    for (int p = parts_; p-- > 0;)
      last(p) = found[p] = add(piece<assemble_module<level, pass>>("assemble", p, share::fold * part(plan_, p).cost), {last(p)}, p);
    for (int j = 0; j < count; ++j) {
      std::vector<int> after = j + 1 == count ? last_ : std::vector<int>();
      each_of(joins[j], [&](int compound) { after.push_back(found[compound]); });
      found[parts_ + j] = add(piece<join_modules<level, pass>>("join", j, cost::join), after, first_module(j));
    }
    if (pass == Pass::first) graph_.tasks.back().pieces.push_back(piece<fold_open_tree<level>>("fold open tree", 0));
    for (int j = count; j-- > 0;) {
      found[parts_ + j] = add(piece<open_modules>("part", j, cost::part), {found[parts_ + j]}, first_module(j));
      each_of(joins[j], [&](int compound) { found[compound] = found[parts_ + j]; });
    }
    for (int p = 0; p < parts_; ++p) last(p) = found[p];
  }

  template <Level level>
  void solve_tree() {
    if (!plan_.modules.empty()) return solve_modules<level>();
    // Inward; per compound, the task that found its equations.
    std::vector<int> found(static_cast<size_t>(parts_) + plan_.joins.size(), -1);
    for (int p = parts_ - 1; p >= 0; --p) {
      std::vector<int> after{last(p)};
      for (const int carried : part(plan_, p).carried)
        if (!joined(carried)) after.push_back(last(carried));
      last(p) = found[p] = add(piece<fold_part<level>>("fold", p, share::fold * part(plan_, p).cost), after, p);
      const int s = head_of_[p];
      if (s < 0) continue;
      const SegmentChain& chain = plan_.chains[s];
      join_all<join_compounds>("join", cost::join, chain, found);
      const int at_rest = add(piece<open_at_rest>("open chain at rest", s), {found[whole(chain)]}, p);
      const std::vector<int>& opened = part_all(chain, at_rest);
      for (const int member : chain.parts)
        if (part(plan_, member).tip >= 0)
          found[member] = add(piece<refold<level>>("refold", member, share::refold * part(plan_, member).cost), {opened[member]}, member);
      join_all<join_biases>("join again", cost::repeat_join, chain, found);
      last(p) = found[whole(chain)];
      if (part(plan_, p).carrier >= 0) graph_.tasks.back().pieces.push_back(piece<close_chain>("close chain", s));
    }
    if (!plan_.closures.empty() && !plan_.closure_nodes[plan_.ground_node()].closures.empty()) {
      const double closures = static_cast<double>(plan_.closure_nodes[plan_.ground_node()].closures.size());
      together({piece<close_ground<level>>("close ground", 0, cost::closure_on_ground * closures)});
    }
    // Outward.
    for (int p = 0; p < parts_; ++p) {
      const int carrier = part(plan_, p).carrier;
      std::vector<int> after{last(p)};
      if (carrier >= 0 && !joined(p)) after.push_back(last(carrier));
      if (const int s = head_of_[p]; s >= 0) {
        const SegmentChain& chain = plan_.chains[s];
        const std::vector<int>& opened = part_all(chain, add(piece<open_chain<level>>("open chain", s), after, p));
        for (const int member : chain.parts) last(member) = opened[member];
        after = {last(p)};
      }
      last(p) = add(piece<unfold_part<level>>("unfold", p, share::unfold * part(plan_, p).cost), after, p);
    }
  }

  void independent_rows() {
    if (uneven_) together({piece<arthron::independent_rows>("independent rows", 0)});
  }
  void velocities() {
    independent_rows();
    solve_and_refine<Level::velocity>();
  }
  void accelerations() { solve_and_refine<Level::acceleration>(); }
  template <Level level>
  void solve_and_refine() {
    solve_tree<level>();
    if (!uneven_) return;
    together({piece<keep_solution<level>>("keep solution", 0)});
    solve_tree<level>();
    together({piece<refine_solution<level>>("refine solution", 0)});
  }
  void acceleration_rates() { each<arthron::acceleration_rates>("rates"); }

  void motion() {
    for (int p = 0; p < parts_; ++p) {
      const int carrier = part(plan_, p).carrier;
      last(p) = add(piece<begin_motion>("move bodies", p), {last(p), carrier < 0 ? -1 : last(carrier)}, p);
    }
  }

  void openings() {
    each<find_openings>("openings");
    if (shares_cuts()) together({piece<find_openings>("shared openings", parts_)});
  }

  void loads() { loads_and_impulses(true); }
  void loads_alone() { loads_and_impulses(false); }

  void loads_and_impulses(bool impulses) {
    const bool closures = !plan_.closures.empty();
    const PlanPart& shared = part(plan_, parts_);
    each<column_rates>("column rates");
    if (closures) each<closure_rates>("cut joint rates");
    each<move_handles>("move handles");
    unfolded_ = last_;
    if (!plan_.sensors.empty() || !shared.forces.empty() || !shared.marker_handles.empty() || shared.loaded_joints.size() > 0 ||
        shares_cuts()) {
      std::vector<Piece> pieces;
      if (closures) pieces.push_back(piece<closure_rates>("shared cut joint rates", parts_));
      pieces.push_back(piece<find_shared_loads>("shared loads", parts_));
      if (closures && impulses) pieces.push_back(piece<find_closure_loads>("shared cut loads", parts_));
      together(std::move(pieces));
    }
    each<load_part>("loads");
    if (!closures || !impulses) return;
    each<find_closure_loads>("cut loads");
    each<closure_loads>("cut loads on bodies");
  }

  void acceleration_terms() {
    each<arthron::acceleration_terms>("acceleration terms");
    if (plan_.closures.empty()) return;
    if (plan_.baumgarte > 0) openings();
    each<closure_acceleration_terms>("cut acceleration terms");
    if (shares_cuts()) together({piece<closure_acceleration_terms>("shared cut acceleration terms", parts_)});
  }

  void momenta() {
    for (int p = parts_ - 1; p >= 0; --p) {
      std::vector<int> after{last(p)};
      for (const int carried : part(plan_, p).carried) after.push_back(last(carried));
      // A joined part does not wait for its carrier's velocities before, but needs them here.
      if (joined(p) && !unfolded_.empty()) after.push_back(unfolded_[part(plan_, p).carrier]);
      last(p) = add(piece<momentum_part>("momenta", p, share::momenta * part(plan_, p).cost), after, p);
    }
  }

  void rates() {
    momenta();
    each<coordinate_rates>("coordinate rates");
  }

  [[nodiscard]] bool shares_cuts() const { return part(plan_, parts_).cuts.size() > 0 || !part(plan_, parts_).couplings.empty(); }

  /// The graph, tasks merged where one does nothing but wait for one other.
  [[nodiscard]] TaskGraph graph() const {
    std::vector<int> waiting(graph_.tasks.size(), 0), number(graph_.tasks.size());
    for (const TaskGraph::Task& task : graph_.tasks)
      for (const int before : task.after) ++waiting[before];
    TaskGraph merged;
    merged.compounds = plan_.part_names;
    for (size_t t = 0; t < graph_.tasks.size(); ++t) {
      const TaskGraph::Task& task = graph_.tasks[t];
      if (task.after.size() == 1 && waiting[task.after.front()] == 1) {
        number[t] = number[task.after.front()];
        std::vector<Piece>& pieces = merged.tasks[number[t]].pieces;
        pieces.insert(pieces.end(), task.pieces.begin(), task.pieces.end());
        continue;
      }
      number[t] = static_cast<int>(merged.tasks.size());
      merged.tasks.push_back({task.pieces, {}, task.compound});
      for (const int before : task.after) merged.tasks.back().after.push_back(number[before]);
    }
    return merged;
  }

 private:
  int& last(int p) { return last_[p]; }
  [[nodiscard]] bool joined(int p) const { return part(plan_, p).joined; }

  /// The compound that holds a whole chain.
  [[nodiscard]] size_t whole(const SegmentChain& chain) const { return static_cast<size_t>(parts_ + chain.joins.last - 1); }

  template <Stage join>
  void join_all(std::string_view name, double cost, const SegmentChain& chain, std::vector<int>& found) {
    for (int j = chain.joins.first; j < chain.joins.last; ++j) {
      const SegmentJoin& halves = plan_.joins[j];
      found[parts_ + j] = add(piece<join>(name, j, cost), {found[halves.near], found[halves.far]}, first_part(halves.near));
    }
  }

  /// Per compound, the task after which its handles are known.
  const std::vector<int>& part_all(const SegmentChain& chain, int opened) {
    std::vector<int>& known = known_;
    known[whole(chain)] = opened;
    for (int j = chain.joins.last - 1; j >= chain.joins.first; --j) {
      const SegmentJoin& halves = plan_.joins[j];
      known[halves.near] = known[halves.far] =
          add(piece<part_compounds>("part", j, cost::part), {known[parts_ + j]}, first_part(halves.near));
    }
    return known;
  }

  /// The part that a join begins with.
  [[nodiscard]] int first_module(int join) const {
    const ModuleJoin& both = plan_.modules.joins[join];
    const int first = both.near >= 0 ? both.near : both.far.empty() ? 0 : both.far.front();
    return first < parts_ ? first : first_module(first - parts_);
  }

  /// The part that a compound begins with.
  [[nodiscard]] int first_part(int compound) const {
    while (compound >= parts_) compound = plan_.joins[compound - parts_].near;
    return compound;
  }

  int add(const Piece& piece, std::vector<int> after, int part) {
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    if (!after.empty() && after.front() < 0) after.erase(after.begin());
    graph_.tasks.push_back({{piece}, std::move(after), part});
    return static_cast<int>(graph_.tasks.size()) - 1;
  }

  const Plan& plan_;
  const int parts_;
  const bool uneven_;
  std::vector<int> last_;      // task, -1: none yet
  std::vector<int> head_of_;   // chain that a part is the first of, -1: none
  std::vector<int> known_;     // per compound of the last chain whose handles were found, the task after which they are known
  std::vector<int> unfolded_;  // per part, the task after which its velocities are known
  TaskGraph graph_;
};

template <class... Steps>
TaskGraph build(const Plan& plan, Steps... steps) {
  Builder builder(plan);
  ((builder.*steps)(), ...);
  return builder.graph();
}

TaskGraph build_openings(const Plan& plan) {
  if (plan.closures.empty()) return {};
  Builder builder(plan);
  builder.kinematics();
  builder.openings();
  return builder.graph();
}

TaskGraph build_correction(const Plan& plan) {
  if (plan.closures.empty()) return {};
  Builder builder(plan);
  builder.closure_directions();
  builder.each<oppose_openings>("oppose openings");
  if (builder.shares_cuts()) builder.together({piece<oppose_openings>("oppose shared openings", shared_part(plan))});
  builder.velocities();
  return builder.graph();
}

}  // namespace

Programs::Programs(const Plan& plan)
    : kinematics(build(plan, &Builder::kinematics)),
      openings(build_openings(plan)),
      correction(build_correction(plan)),
      velocities(build(plan, &Builder::velocities)),
      loads(build(plan, &Builder::loads)),
      solve(build(plan, &Builder::kinematics, &Builder::closure_directions, &Builder::velocities, &Builder::loads)),
      solve_motion(build(plan, &Builder::kinematics, &Builder::closure_directions, &Builder::velocities)),
      solve_in_place(build(plan, &Builder::closure_directions, &Builder::velocities, &Builder::loads)),
      rates(build(plan, &Builder::rates)),
      momenta(build(plan, &Builder::momenta)),
      evaluate(build(plan, &Builder::kinematics, &Builder::closure_directions, &Builder::velocities, &Builder::loads, &Builder::rates)),
      accelerations(build(plan, &Builder::accelerations)),
      forces(build(plan, &Builder::kinematics, &Builder::closure_directions, &Builder::motion, &Builder::loads_alone,
                   &Builder::acceleration_terms)),
      accelerate(build(plan, &Builder::kinematics, &Builder::closure_directions, &Builder::motion, &Builder::loads_alone,
                       &Builder::acceleration_terms, &Builder::independent_rows, &Builder::accelerations, &Builder::acceleration_rates)),
      acceleration_rates(build(plan, &Builder::acceleration_rates)) {}

void run(const TaskGraph& program, Workspace& work, const Request& request) {
  Serial serial;
  work.request = request;
  (work.parallel ? *work.parallel : static_cast<Parallel&>(serial)).run(program, &work);
}

Status outcome(const Workspace& work) {
  for (const PartWork& part : work.part)
    if (!part.status.ok()) return part.status;
  return {};
}

}  // namespace arthron
