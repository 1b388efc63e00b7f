#include <cmath>

#include "arthron/dynamics/chains.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/compound.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/dynamics/modules.hpp"
#include "arthron/dynamics/stages.hpp"

/// Folding (section 2): what hangs on a body merges with it, its joint is released, and the compound goes to the body it hangs on.
namespace arthron {

namespace {

using std::size_t;

/// Bodies that loops run over together: with one column that is a rotation or a translation and nothing else; with such a column and loops
/// through their joint; or any.
enum class Kind { plain, with_rows, any };

template <Kind kind, Level level>
inline bool is(const PlanBody& body, const Workspace& work) {
  const auto held = [&] { return level == Level::velocity && work.held[body.u]; };
  if (kind == Kind::plain) return body.plain && !held();
  const bool single = body.single_column && !body.on_chain && !held();
  return kind == Kind::with_rows ? single && !body.plain : !single;
}

/// What the columns take up: p, or tau.
template <Level level>
inline const std::vector<double>& efforts(const Workspace& work) {
  return level == Level::velocity ? work.p : work.tau;
}
template <Level level>
inline std::vector<double>& rates(Workspace& work) {
  return level == Level::velocity ? work.u : work.udot;
}
template <Level level>
inline const std::vector<double>& driven_rates(const Workspace& work) {
  return level == Level::velocity ? work.u : work.drive_acceleration;
}
template <Level level>
inline Wide6& motion(Workspace& work, int body) {
  return level == Level::velocity ? work.body[body].V : work.A[body];
}

/// What is known of the motion relative to the parent: of a driven joint all velocity; of every joint what velocities and drives leave of
/// the acceleration.
template <Level level>
inline Wide6 known_motion(const PlanBody& body, int number, const Workspace& work) {
  if (level == Level::acceleration) return work.gamma[number];
  Wide6 V = Wide6::zero();
  for (int c = body.u; c < body.u + body.columns; ++c) V += work.u[c] * work.column[c].H;
  return V;
}

/// Whether loops come together on a body, or run through its joint, and are to be closed.
inline bool has_loops(const PlanBody& body, const Workspace& work) {
  return body.node >= 0 && work.request.loops == Request::Loops::closed;
}

/// The rows that stay open through a body's inboard joint: loops that run through it, or the tip of its part.
inline OpenRows open_rows(const Plan& plan, const PlanBody& body, int part, Workspace& work) {
  if (!has_loops(body, work)) return body.on_chain ? tip_rows(body, part, work) : OpenRows();
  const ClosureNode& node = plan.closure_nodes[body.node];
  const ClosureNode::Block& open = node.open();
  const ClosureWork::Node& here = work.closures->nodes[body.node];
  double* const g = here.g + open.row;
  return {here.X + open.row, node.rows, open.rows, open.width, here.gamma + open.gamma, g, g, here.sigma + open.row, here.y, node.terms};
}

/// A node, after those beside it, which SIMD groups have closed: eliminates what is complete there.
template <Level level>
inline void close(const Plan& plan, int n, bool grouped, Compound& compound, Workspace& work) {
  if (!grouped)
    for (const int child : plan.closure_nodes[n].children)
      if (plan.closure_nodes[child].closes_branch_loops) close_node(plan, child, level, compound, work);
  close_node(plan, n, level, compound, work);
}

/// Multipliers of a node and of those beside it.
inline void open_nodes(const Plan& plan, int n, bool grouped, const Wide6& V, Workspace& work) {
  open_node(plan, n, work, V);
  for (const int child : plan.closure_nodes[n].children) {
    if (!plan.closure_nodes[child].closes_branch_loops) continue;
    take_open_multipliers(plan, child, work);
    if (!grouped) open_node(plan, child, work, V);
  }
}

/// Releases the columns of a joint, the last one first: several are a sequence of single ones, which is the LDL^T factorisation of the
/// joint's block. False where one has no inertia.
template <Level level>
inline bool release_columns(const Plan& plan, const PlanBody& body, Compound& compound, const OpenRows& rows, Workspace& work) {
  bool ok = true;
  for (int c = body.u + body.columns - 1; c >= body.u; --c) {
    ColumnWork& column = work.column[c];
    if (level == Level::velocity && work.held[c])
      hold(work.u[c], plan.shapes[c], column, compound);
    else
      ok = release(efforts<level>(work)[c], plan.shapes[c], body.light, column, compound) && ok;
    release(column, c - body.u, rows);
  }
  return ok;
}

/// What a part has folded so far.
struct Folding {
  int part;
  const std::vector<PlanBody>& bodies;  // of the Plan, or of its modules
  Wide6 along = Wide6::zero();          // bias that comes along the chain
  int singular = -1;                    // a joint that has lost a column
};

/// Folds bodies of one kind from `number` inward, up to the first that is of another, or to `last`; returns that one.
template <Kind kind, Level level>
[[gnu::noinline]] int fold_bodies(const Plan& plan, int number, int last, Folding& folding, Workspace& work) {
  const PlanPart& part = arthron::part(plan, folding.part);
  PartWork& own = work.part[folding.part];
  const int first = part.bodies.first;
  const bool grounded = part.carrier < 0, grouped = own.grouped;
  const double* const given = efforts<level>(work).data();
  const PlanBody* body = folding.bodies.data() + number;
  BodyWork *const bodies = work.body.data(), *here = bodies + number;
  for (; number >= last && is<kind, level>(*body, work); --number, --body, --here) {
    Compound compound{rigid_body(*body, *here), level == Level::velocity ? Wide6::zero() : work.bias[number]};
    if (!body->leaf) compound.M += here->M_children, compound.b += here->bias_children;
    OpenRows rows;
    bool on_chain = false;
    if constexpr (kind != Kind::plain) {
      if (has_loops(*body, work)) close<level>(plan, body->node, grouped, compound, work);
      rows = open_rows(plan, *body, folding.part, work);
      on_chain = kind == Kind::any && body->on_chain;
      if (on_chain && number == part.tip) begin_tip(rows);
    }
    if (level == Level::acceleration || (kind == Kind::any && body->driven)) {
      const Wide6 known = known_motion<level>(*body, number, work);
      move(known, compound);
      if constexpr (kind != Kind::plain) move(known, rows);
      if (kind == Kind::any && body->driven) move_couplings(driven_rates<level>(work).data() + body->u, rows);
    }
    if (on_chain) work.chains->off_chain[number] = compound.b, compound.b += folding.along;
    bool ok = true;
    if constexpr (kind == Kind::any) {
      if (!body->driven) ok = release_columns<level>(plan, *body, compound, rows, work);
      shift(here->arm, compound);
    } else {
      ColumnWork& column = work.column[body->u];
      const double p = given[body->u];
      ok = body->slides ? release_and_shift<ColumnShape::translation>(p, here->arm, column, compound)
                        : release_and_shift<ColumnShape::rotation>(p, here->arm, column, compound);
      if constexpr (kind == Kind::with_rows) release(column, 0, rows);
    }
    if (!ok) folding.singular = body->joint;
    if (on_chain) {
      shift(here->arm, rows);
      folding.along = compound.b, compound.b = Wide6::zero();
    }
    const bool leaves = body->parent < first;
    if (leaves && grounded) continue;
    BodyWork& parent = bodies[body->parent];
    const bool writes = body->folds_first && !(grouped && plan.bodies[body->parent].carries_group);
    merge(writes, compound.M, leaves ? own.M : parent.M_children);
    merge(writes, compound.b, leaves ? own.bias : parent.bias_children);
  }
  return number;
}

/// Bodies of a part, leaf to root: P_k = M V_parent + b seen through each joint.
template <Level level>
void fold_slice(const Plan& plan, Slice bodies, Folding& folding, Workspace& work) {
  for (int b = bodies.last - 1; b >= bodies.first;) {
    b = fold_bodies<Kind::plain, level>(plan, b, bodies.first, folding, work);
    if (b >= bodies.first) b = fold_bodies<Kind::with_rows, level>(plan, b, bodies.first, folding, work);
    if (b >= bodies.first) b = fold_bodies<Kind::any, level>(plan, b, bodies.first, folding, work);
  }
}

/// What parts that hang on this one have folded into its bodies; joined ones come later.
void take_carried(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int number : part.carried) {
    BodyWork& on = work.body[arthron::part(plan, number).on];
    on.M_children = WideInertia::zero(), on.bias_children = Wide6::zero();
  }
  for (const int number : part.carried) {
    const PlanPart& carried = arthron::part(plan, number);
    if (carried.joined) continue;
    work.body[carried.on].M_children += work.part[number].M;
    work.body[carried.on].bias_children += work.part[number].bias;
  }
}

template <Level level>
void close_on_ground(const Plan& plan, int node, Workspace& work) {
  if (work.request.loops == Request::Loops::open) return;
  Compound nothing{WideInertia::zero(), Wide6::zero()};
  close_node(plan, node, level, nothing, work);
}

}  // namespace

template <Level level>
void fold_part(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  PartWork& own = work.part[number];
  own.status = {};
  Folding folding{number, plan.bodies};
  if (own.grouped) clear_carriers(plan, part, work);
  take_carried(plan, part, work);
  if (own.grouped && !fold_groups(plan, part, work, folding.singular)) {
    own.grouped = false, folding.singular = -1;
    ungroup(plan, part, work);
    if (work.closures) closure_kinematics(plan, number, work);
  }
  if (own.grouped)
    for (auto bodies = part.ungrouped.rbegin(); bodies != part.ungrouped.rend(); ++bodies) fold_slice<level>(plan, *bodies, folding, work);
  else
    fold_slice<level>(plan, part.bodies, folding, work);
  if (part.tip >= 0) end_chain(part, number, folding.along, work);
  if (folding.singular >= 0) own.status = {Status::Code::singular_joint, folding.singular};
  if (part.ground_node >= 0) close_on_ground<level>(plan, part.ground_node, work);
}

template <Level level>
void close_ground(const Plan& plan, int, Workspace& work) {
  const int ground = plan.ground_node();
  close_on_ground<level>(plan, ground, work);
  if (work.request.loops == Request::Loops::closed) open_node(plan, ground, work, Wide6::zero());
}

namespace {

/// A part, and the motion of what it hangs on, where that is not where its body has it.
struct Unfolding {
  int part;
  const std::vector<PlanBody>& bodies;
  const Wide6* base = nullptr;
};

/// Unfolds bodies of one kind from `number` outward, up to the first that is of another, or to `last`; returns that one. Adds the joint
/// rates to `sum`.
template <Kind kind, Level level>
[[gnu::noinline]] int unfold_bodies(const Plan& plan, const Unfolding& of, int number, int last, double& sum, Workspace& work) {
  const int part_number = of.part;
  const PlanPart& part = arthron::part(plan, part_number);
  const int first = part.bodies.first;
  const bool grouped = work.part[part_number].grouped;
  const Wide6* const base = of.base;
  double* const found = rates<level>(work).data();
  double total = sum;
  const PlanBody* body = of.bodies.data() + number;
  const BodyWork* here = work.body.data() + number;
  for (; number < last && is<kind, level>(*body, work); ++number, ++body, ++here) {
    OpenRows rows;
    if constexpr (kind != Kind::plain) {
      if (has_loops(*body, work)) take_open_multipliers(plan, body->node, work);
      rows = open_rows(plan, *body, part_number, work);
    }
    const Wide6& V_parent = base && body->parent < first ? *base : motion<level>(work, body->parent);
    Wide6 V = velocity_at(V_parent, here->arm);
    if constexpr (kind == Kind::any) {
      for (int c = body->u; c < body->u + body->columns; ++c) {
        found[c] = body->driven ? driven_rates<level>(work)[c] : back_substitute(work.column[c], c - body->u, V, rows);
        total += found[c];
        // Drives are in the known part of accelerations.
        if (level == Level::velocity || !body->driven) add_column(V, found[c], work.column[c].H, plan.shapes[c]);
      }
    } else {
      const ColumnWork& column = work.column[body->u];
      Lanes4 rate = column.u_at_rest - sum_everywhere(column.K.linear.v * V_parent.linear.v + column.K.angular.v * V_parent.angular.v);
      if constexpr (kind == Kind::with_rows) rate -= column.d_inverse * taken_by(rows, 0);
      found[body->u] = rate[0];
      total += rate[0];
      if (body->slides)
        V.linear.v += rate * column.H.linear.v;
      else
        V.angular.v += rate * column.H.angular.v;
    }
    if constexpr (level == Level::acceleration) V += work.gamma[number];
    motion<level>(work, number) = V;
    if constexpr (kind != Kind::plain)
      if (has_loops(*body, work)) open_nodes(plan, body->node, grouped, V, work);
  }
  sum = total;
  return number;
}

/// Bodies of a part, root to leaf: joint rates, then the bodies' motion, then the closures that come together there.
template <Level level>
void unfold_slice(const Plan& plan, const Unfolding& of, Slice bodies, double& sum, Workspace& work) {
  for (int b = bodies.first; b < bodies.last;) {
    b = unfold_bodies<Kind::plain, level>(plan, of, b, bodies.last, sum, work);
    if (b < bodies.last) b = unfold_bodies<Kind::with_rows, level>(plan, of, b, bodies.last, sum, work);
    if (b < bodies.last) b = unfold_bodies<Kind::any, level>(plan, of, b, bodies.last, sum, work);
  }
}

}  // namespace

template <Level level>
void unfold_part(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  PartWork& own = work.part[number];
  if (part.ground_node >= 0 && work.request.loops == Request::Loops::closed) {
    take_open_multipliers(plan, part.ground_node, work);
    open_node(plan, part.ground_node, work, Wide6::zero());
  }
  const Unfolding of{number, plan.bodies, part.joined ? &work.chains->part[number].V : nullptr};
  double sum = 0;
  if (own.grouped) {
    for (const Slice& bodies : part.ungrouped) unfold_slice<level>(plan, of, bodies, sum, work);
    sum += unfold_groups(plan, part, work);
  } else {
    unfold_slice<level>(plan, of, part.bodies, sum, work);
  }
  if (own.status.ok() && !std::isfinite(sum)) own.status = {Status::Code::not_finite};
}

template <Level level, Pass pass>
void assemble_module(const Plan& plan, int number, Workspace& work) {
  if (work.request.loops == Request::Loops::open) return;
  const PlanPart& part = arthron::part(plan, number);
  PartWork& own = work.part[number];
  own.status = {};
  Folding folding{number, plan.modules.bodies};
  for (const int output : plan.modules.outputs_of[number]) {
    BodyWork& at = work.body[plan.modules.outputs[output]];
    at.M_children = WideInertia::zero(), at.bias_children = Wide6::zero();
    if (pass == Pass::second)
      for (const int join : plan.modules.joins_at[output]) at.bias_children += Wide6(spatial(work.modules->join[join].assumed));
  }
  fold_slice<level>(plan, part.bodies, folding, work);
  if (folding.singular >= 0) own.status = {Status::Code::singular_joint, folding.singular};
  Compound compound{WideInertia::zero(), Wide6::zero()};
  if (part.carrier >= 0) compound.M = own.M, compound.b = own.bias;
  close_node(plan, plan.modules.node[number], level, compound, work);
  work.modules->compound[number].M = compound.M, work.modules->compound[number].b = compound.b;
}

template <Level level>
void solve_module(const Plan& plan, int number, Workspace& work) {
  if (work.request.loops == Request::Loops::open) return;
  const PlanPart& part = arthron::part(plan, number);
  PartWork& own = work.part[number];
  const Wide6& V = work.modules->compound[number].V;
  open_node(plan, plan.modules.node[number], work, V);
  double sum = 0;
  unfold_slice<level>(plan, {number, plan.modules.bodies, part.carrier >= 0 ? &V : nullptr}, part.bodies, sum, work);
  if (own.status.ok() && !std::isfinite(sum)) own.status = {Status::Code::not_finite};
}

template void fold_part<Level::velocity>(const Plan&, int, Workspace&);
template void fold_part<Level::acceleration>(const Plan&, int, Workspace&);
template void close_ground<Level::velocity>(const Plan&, int, Workspace&);
template void close_ground<Level::acceleration>(const Plan&, int, Workspace&);
template void unfold_part<Level::velocity>(const Plan&, int, Workspace&);
template void unfold_part<Level::acceleration>(const Plan&, int, Workspace&);
template void assemble_module<Level::velocity, Pass::first>(const Plan&, int, Workspace&);
template void assemble_module<Level::velocity, Pass::second>(const Plan&, int, Workspace&);
template void assemble_module<Level::acceleration, Pass::first>(const Plan&, int, Workspace&);
template void assemble_module<Level::acceleration, Pass::second>(const Plan&, int, Workspace&);
template void solve_module<Level::velocity>(const Plan&, int, Workspace&);
template void solve_module<Level::acceleration>(const Plan&, int, Workspace&);

}  // namespace arthron
