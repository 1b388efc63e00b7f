#include <cmath>

#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/fold_steps.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/dynamics/open_closures.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

/// What an elimination is for: velocities from momenta, or accelerations from forces. The inertias are the same.
enum class Level { velocity, acceleration };

Wide6 relative_velocity(const PlanBody& body, const Workspace& work) {
  Wide6 V = Wide6::zero();
  for (int c = body.u; c < body.u + body.columns; ++c) V += work.u[c] * work.column[c].H;
  return V;
}

/// Eliminates the columns of one joint from the pair (M, bias), and from the node's open closures where there are any, last column first
/// (section 2, one-handle folding; several columns are a sequence of single ones, which is the LDL^T factorisation of the joint's block).
/// A column without inertia is reported; its velocity is then not defined.
template <bool with_tip, Level level>
inline bool eliminate_columns(const PlanBody& body, const Plan& plan, WideInertia& M, Wide6& bias, int node, OutputRows* rows,
                              Workspace& work) {
  bool ok = true;
  const double* const along = level == Level::velocity ? work.p.data() : work.tau.data();
  for (int c = body.u + body.columns - 1; c >= body.u; --c) {
    const size_t i = c;
    const ColumnShape shape = plan.shapes[i];
    ColumnWork& column = work.column[i];
    const Wide6 U = inertia_times(M, column.H, shape);
    const double d = column_dot(column.H, U, shape);
    ok = ok && d > (body.light ? lost_inertia(M, column.H) : 0);
    const bool held = level == Level::velocity && work.held[i];
    const double d_inverse = held ? 0 : 1 / d;
    const double u = held ? work.u[i] : d_inverse * (along[i] - column_dot(column.H, bias, shape));
    column.U = U;
    column.d_inverse = d_inverse;
    column.u_at_rest = u;
    release_column(M, U, d_inverse);
    bias += u * U;
    if (node >= 0) release_closures(plan.closure_nodes[node], work.closures->nodes[node], c - body.u, column);
    if constexpr (with_tip) {
      if (!body.on_chain) continue;
      double* const y = work.chains->y.data() + 6 * i;
      release_rows(column, shape, y, *rows);
      move_rows(u, y, *rows);
    }
  }
  return ok;
}

/// A node, after those beside it: eliminates what is complete there. SIMD groups have closed the latter.
inline void close_node(const Plan& plan, size_t n, bool grouped, Workspace& work, WideInertia& M, Wide6& bias) {
  if (!grouped)
    for (const int child : plan.closure_nodes[n].children)
      if (plan.closure_nodes[child].closes_branch_loops) close_inertia(plan, child, work, M), close_bias(plan, child, work, bias);
  close_inertia(plan, n, work, M);
  close_bias(plan, n, work, bias);
}

}  // namespace

/// Eliminates the one column of a plain body from (M, bias) and passes on what is left, at the parent's O. Shifting comes first, so that it
/// does not wait for the division:   S (M - U U^T / d) S^T = S M S^T - U' U'^T / d,   U' = S U.
/// All lanes hold the same scalars, so that none waits for being spread.
template <ColumnShape shape>
static inline bool eliminate_plain(double along, Wide3 arm, ColumnWork& column, WideInertia& M, Wide6& bias) {
  const Wide3 h = shape == ColumnShape::rotation ? column.H.angular : column.H.linear;
  const Wide6 U = shape == ColumnShape::rotation ? Wide6{M.B * h, M.C * h} : Wide6{M.A * h, transposed_times(M.B, h)};
  const auto along_h = [&](const Wide6& P) { return sum_everywhere(h.v * (shape == ColumnShape::rotation ? P.angular.v : P.linear.v)); };
  const Lanes4 d = along_h(U), d_inverse = 1 / d, u = d_inverse * (along - along_h(bias));
  M = inertia_from(M, arm);
  bias = wrench_from(bias, arm);
  const Wide6 U_parent = wrench_from(U, arm);
  const Wide6 K{Wide3(d_inverse * U_parent.linear.v), Wide3(d_inverse * U_parent.angular.v)};
  take_dyad(M, K, U_parent);
  bias += Wide6{Wide3(u * U_parent.linear.v), Wide3(u * U_parent.angular.v)};
  column.U = U;
  column.K = K;
  column.d_inverse = d_inverse[0];
  column.u_at_rest = u[0];
  return d[0] > 0;
}

/// Folds plain bodies from `number` inward, up to the first that is not; returns that one.
template <Level level>
[[gnu::noinline]] static int fold_plain_bodies(const Plan& plan, const PlanPart& part, int number, int last, int& singular, PartWork& own,
                                               Workspace& work) {
  const int first = part.bodies.first;
  const bool grounded = part.carrier < 0, grouped = own.grouped;
  const double* const given = level == Level::velocity ? work.p.data() : work.tau.data();
  const PlanBody* body = plan.bodies.data() + number;
  BodyWork *const bodies = work.body.data(), *here = bodies + number;
  for (; number >= last; --number, --body, --here) {
    if (!body->plain || (level == Level::velocity && work.held[body->u])) break;
    const size_t b = number;
    WideInertia M = rigid_inertia(body->mass, here->first_moment, here->second_moment);
    Wide6 bias = level == Level::velocity ? Wide6::zero() : work.bias[b];
    if (!body->leaf) M += here->M_children, bias += here->bias_children;
    if constexpr (level == Level::acceleration) bias += M * work.gamma[b];
    ColumnWork& column = work.column[body->u];
    const double along = given[body->u];
    const bool ok = body->slides ? eliminate_plain<ColumnShape::translation>(along, here->arm, column, M, bias)
                                 : eliminate_plain<ColumnShape::rotation>(along, here->arm, column, M, bias);
    if (!ok) singular = body->joint;
    const bool leaves = body->parent < first;
    if (leaves && grounded) continue;
    BodyWork& parent = bodies[body->parent];
    const bool writes = folds_first(plan, *body, grouped);
    fold_into(writes, M, leaves ? own.M : parent.M_children);
    fold_into(writes, bias, leaves ? own.bias : parent.bias_children);
  }
  return number;
}

/// Like a plain body, but for closures in its subtree.
static inline bool has_open_rows(const PlanBody& body) { return body.single_column && body.node >= 0 && !body.on_chain; }

/// The same for bodies that are with open rows.
template <Level level>
[[gnu::noinline]] static int fold_bodies_with_rows(const Plan& plan, const PlanPart& part, int number, int last, int& singular,
                                                   PartWork& own, Workspace& work) {
  const int first = part.bodies.first;
  const bool grouped = own.grouped;
  const double* const given = level == Level::velocity ? work.p.data() : work.tau.data();
  for (; number >= last; --number) {
    const size_t b = number;
    const PlanBody& body = plan.bodies[b];
    if (!has_open_rows(body) || (level == Level::velocity && work.held[body.u])) break;
    BodyWork& here = work.body[b];
    const size_t n = body.node;
    const ClosureNode& node = plan.closure_nodes[n];
    const ClosureWork::Node& rows = work.closures->nodes[n];
    WideInertia M = articulated_inertia(body, here);
    Wide6 bias = body.leaf ? Wide6::zero() : here.bias_children;
    close_node(plan, n, grouped, work, M, bias);
    if constexpr (level == Level::acceleration) {
      bias += work.bias[b] + M * work.gamma[b];
      move_bias(node, rows, work.gamma[b]);
    }
    ColumnWork& column = work.column[body.u];
    const double along = given[body.u];
    const bool ok = body.slides ? eliminate_plain<ColumnShape::translation>(along, here.arm, column, M, bias)
                                : eliminate_plain<ColumnShape::rotation>(along, here.arm, column, M, bias);
    if (!ok) singular = body.joint;
    release_closures(node, rows, 0, column);
    release_bias(body, node, rows, work);
    const bool leaves = body.parent < first;
    if (leaves && part.carrier < 0) continue;
    BodyWork& parent = work.body[body.parent];
    const bool writes = folds_first(plan, body, grouped);
    fold_into(writes, M, leaves ? own.M : parent.M_children);
    fold_into(writes, bias, leaves ? own.bias : parent.bias_children);
  }
  return number;
}

/// Bodies [first, last) of a part, leaf to root: P_k = M V_parent + bias seen through each joint. Bias that comes along the chain is in
/// `along`. Most parts have no tip: theirs are the shorter loops.
template <bool with_tip, Level level>
static void fold_some(const Plan& plan, int number, Slice bodies, Wide6& along, int& singular, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  PartWork& own = work.part[number];
  const bool grouped = own.grouped;
  OutputRows* const rows = with_tip ? &work.chains->part[number].rows : nullptr;
  for (int body_number = bodies.last - 1; body_number >= bodies.first; --body_number) {
    // Plain and with open rows bodies take turns.
    for (int before = body_number + 1; body_number < before && body_number >= bodies.first;) {
      before = body_number;
      body_number = fold_plain_bodies<level>(plan, part, body_number, bodies.first, singular, own, work);
      if (work.closures && body_number >= bodies.first)
        body_number = fold_bodies_with_rows<level>(plan, part, body_number, bodies.first, singular, own, work);
    }
    if (body_number < bodies.first) break;
    const size_t b = body_number;
    const PlanBody& body = plan.bodies[b];
    WideInertia M = articulated_inertia(body, work.body[b]);
    Wide6 bias = body.leaf ? Wide6::zero() : work.body[b].bias_children;
    if constexpr (level == Level::acceleration) bias += work.bias[b];
    const int node = body.node;
    if (node >= 0) close_node(plan, node, grouped, work, M, bias);
    if (with_tip && body_number == part.tip) begin_rows(*rows);
    // What is known of the motion relative to the parent: of a driven joint all velocity; of every joint what velocities and drives leave
    // of the acceleration.
    if (level == Level::acceleration || body.driven) {
      const Wide6 known = level == Level::acceleration ? work.gamma[b] : relative_velocity(body, work);
      bias += M * known;
      if (node >= 0) {
        const size_t n = node;
        move_bias(plan.closure_nodes[n], work.closures->nodes[n], known);
        if (body.driven)
          move_couplings(body, plan.closure_nodes[n], work.closures->nodes[n],
                         level == Level::acceleration ? work.drive_acceleration : work.u);
      }
      if (with_tip && body.on_chain) move_rows(known, *rows);
    }
    if (with_tip && body.on_chain) work.chains->off_chain[b] = bias, bias += along;
    if (!body.driven && !eliminate_columns<with_tip, level>(body, plan, M, bias, node, rows, work)) singular = body.joint;
    if (node >= 0 && !body.driven) release_bias(body, plan.closure_nodes[node], work.closures->nodes[node], work);
    Wide6 passed = wrench_from(bias, work.body[b].arm);
    if (with_tip && body.on_chain) pass_rows(work.body[b].arm, *rows), along = passed, passed = Wide6::zero();

    const bool leaves = !part.bodies.holds(body.parent);
    if (leaves && part.carrier < 0) continue;
    BodyWork& parent = work.body[body.parent];
    const bool writes = folds_first(plan, body, grouped);
    fold_into(writes, inertia_from(M, work.body[b].arm), leaves ? own.M : parent.M_children);
    fold_into(writes, passed, leaves ? own.bias : parent.bias_children);
  }
}

template <bool with_tip, Level level>
static void fold_bodies(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  PartWork& own = work.part[number];
  own.status = {};
  Wide6 along = Wide6::zero();
  int singular = -1;
  if (own.grouped) clear_carriers(plan, part, work);
  take_carried(plan, part, true, work);
  if (own.grouped && !fold_groups(plan, part, work, singular)) {
    own.grouped = false, singular = -1;
    ungroup(plan, part, work);
    if (work.closures) closure_kinematics(plan, number, work);
  }
  if (own.grouped)
    for (auto bodies = part.ungrouped.rbegin(); bodies != part.ungrouped.rend(); ++bodies)
      fold_some<with_tip, level>(plan, number, *bodies, along, singular, work);
  else
    fold_some<with_tip, level>(plan, number, part.bodies, along, singular, work);
  if (with_tip) end_chain(part, number, along, work);
  if (singular >= 0) own.status = {Status::Code::singular_joint, singular};
  if (part.ground_node < 0) return;
  WideInertia nothing = WideInertia::zero();
  Wide6 none = Wide6::zero();
  close_inertia(plan, part.ground_node, work, nothing);
  close_bias(plan, part.ground_node, work, none);
}

void fold_part(const Plan& plan, int number, Workspace& work) {
  if (part(plan, number).tip >= 0)
    fold_bodies<true, Level::velocity>(plan, number, work);
  else
    fold_bodies<false, Level::velocity>(plan, number, work);
}

void fold_part_forces(const Plan& plan, int number, Workspace& work) {
  if (part(plan, number).tip >= 0)
    fold_bodies<true, Level::acceleration>(plan, number, work);
  else
    fold_bodies<false, Level::acceleration>(plan, number, work);
}

void close_ground(const Plan& plan, int, Workspace& work) {
  WideInertia nothing = WideInertia::zero();
  close_inertia(plan, plan.closure_nodes.size() - 1, work, nothing);
  close_ground_again(plan, 0, work);
}

void close_ground_again(const Plan& plan, int, Workspace& work) {
  const size_t ground = plan.closure_nodes.size() - 1;
  Wide6 none = Wide6::zero();
  close_bias(plan, ground, work, none);
  open_node(plan, ground, work, none);
}

/// Unfolds plain bodies from `number` outward, up to the first that is not; returns that one.
[[gnu::noinline]] static int unfold_plain_bodies(const Plan& plan, const PlanPart& part, int part_number, int number, int last, double& sum,
                                                 Workspace& work) {
  const int first = part.bodies.first;
  const PlanBody* body = plan.bodies.data() + number;
  BodyWork *const bodies = work.body.data(), *here = bodies + number;
  const Wide6* const base = part.joined ? &work.chains->part[part_number].V : nullptr;
  double* const u = work.u.data();
  double total = sum;
  for (; number < last && body->plain && !work.held[body->u]; ++number, ++body, ++here) {
    const Wide6& V_parent = base && body->parent < first ? *base : bodies[body->parent].V;
    Wide6 V = velocity_at(V_parent, here->arm);
    const ColumnWork& column = work.column[body->u];
    const Lanes4 rate = column.u_at_rest - sum_everywhere(column.K.linear.v * V_parent.linear.v + column.K.angular.v * V_parent.angular.v);
    u[body->u] = rate[0];
    total += rate[0];
    if (body->slides)
      V.linear.v += rate * column.H.linear.v;
    else
      V.angular.v += rate * column.H.angular.v;
    here->V = V;
  }
  sum = total;
  return number;
}

/// The same for bodies that are with open rows.
[[gnu::noinline]] static int unfold_bodies_with_rows(const Plan& plan, const PlanPart& part, int part_number, int number, int last,
                                                     double& sum, Workspace& work) {
  const int first = part.bodies.first;
  const bool grouped = work.part[part_number].grouped;
  const Wide6* const base = part.joined ? &work.chains->part[part_number].V : nullptr;
  for (; number < last; ++number) {
    const PlanBody& body = plan.bodies[number];
    if (!has_open_rows(body) || work.held[body.u]) break;
    const size_t n = body.node;
    BodyWork& here = work.body[number];
    take_open_multipliers(plan, n, work);
    const Wide6& V_parent = base && body.parent < first ? *base : work.body[body.parent].V;
    Wide6 V = velocity_at(V_parent, here.arm);
    const ColumnWork& column = work.column[body.u];
    const double rate = column.u_at_rest - dot(column.K, V_parent) - closure_part(plan, work, body.node, 0, column.d_inverse);
    work.u[body.u] = rate;
    sum += rate;
    if (body.slides)
      V.linear += rate * column.H.linear;
    else
      V.angular += rate * column.H.angular;
    here.V = V;
    open_nodes(plan, n, grouped, work, V);
  }
  return number;
}

/// Bodies [first, last) of a part, root to leaf: joint velocities, then body velocities, then the closures that come together there.
static void unfold_some(const Plan& plan, int number, Slice bodies, double& sum, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  const size_t n = number;
  for (int body_number = bodies.first; body_number < bodies.last; ++body_number) {
    for (int before = body_number - 1; body_number > before && body_number < bodies.last;) {
      before = body_number;
      body_number = unfold_plain_bodies(plan, part, number, body_number, bodies.last, sum, work);
      if (work.closures && body_number < bodies.last)
        body_number = unfold_bodies_with_rows(plan, part, number, body_number, bodies.last, sum, work);
    }
    if (body_number == bodies.last) break;
    const size_t b = body_number;
    const PlanBody& body = plan.bodies[b];
    const int node = body.node;
    if (node >= 0) take_open_multipliers(plan, node, work);
    Wide6 V = velocity_at(parent_motion(part, n, body.parent, work.body[body.parent].V, work), work.body[b].arm);
    for (int c = body.u; c < body.u + body.columns; ++c) {
      if (!body.driven) {
        work.u[c] = work.column[c].u_at_rest - work.column[c].d_inverse * dot(work.column[c].U, V);
        if (node >= 0) work.u[c] -= closure_part(plan, work, node, static_cast<int>(c) - body.u, work.column[c].d_inverse);
        if (body.on_chain) work.u[c] -= chain_part(work, n, c);
      }
      sum += work.u[c];
      add_column(V, work.u[c], work.column[c].H, plan.shapes[c]);
    }
    work.body[b].V = V;
    if (node >= 0) open_nodes(plan, node, work.part[n].grouped, work, V);
  }
}

void unfold_part(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  PartWork& own = work.part[number];
  if (part.ground_node >= 0) open_ground(plan, part.ground_node, work);
  double sum = 0;
  if (own.grouped) {
    for (const Slice& bodies : part.ungrouped) unfold_some(plan, number, bodies, sum, work);
    sum += unfold_groups(plan, part, work);
  } else {
    unfold_some(plan, number, part.bodies, sum, work);
  }
  if (own.status.ok() && !std::isfinite(sum)) own.status = {Status::Code::not_finite};
}

}  // namespace arthron
