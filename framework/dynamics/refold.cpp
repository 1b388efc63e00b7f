#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/fold_steps.hpp"
#include "arthron/dynamics/open_closures.hpp"
#include "arthron/dynamics/stages.hpp"
#include "arthron/dynamics/team_work.hpp"

/// Other right-hand sides with the factors that phase one has left.
namespace arthron {

namespace {

using std::size_t;

/// Forces in the place of momenta, tau in that of p, with all that velocities and drives leave of the acceleration; or changes of p alone,
/// with everything that is prescribed at rest.
enum class Given { forces, changes };

/// Bias of a node, after those beside it. Teams that are abreast have closed the latter.
template <Given given>
inline void close_node_again(const Plan& plan, const PlanBody& body, size_t b, bool abreast, Workspace& work, Wide6& bias) {
  const size_t n = static_cast<size_t>(body.node);
  const auto close = [&](size_t node) {
    if constexpr (given == Given::changes) return close_change(plan, node, work, bias);
    close_bias(plan, node, work, bias);
    bias += closed_inertia_times(plan, node, work, work.gamma[b]);
  };
  if (!abreast)
    for (const int child : plan.closure_nodes[n].children)
      if (plan.closure_nodes[static_cast<size_t>(child)].beside) close(static_cast<size_t>(child));
  close(n);
  if constexpr (given == Given::changes) return;
  move_released_bias(body, plan.closure_nodes[n], work.closures->nodes[n], work, work.gamma[b]);
  if (body.driven) move_couplings(body, plan.closure_nodes[n], work.closures->nodes[n], work.drive_acceleration);
}

/// The columns of one joint give way to other right-hand sides.
template <Given given>
inline void release_columns_again(const PlanBody& body, const Plan& plan, Wide6& bias, SpineRows* rows, Workspace& work) {
  const double* const along = given == Given::forces ? work.tau.data() : work.dp.data();
  for (int c = body.u + body.columns - 1; c >= body.u; --c) {
    const size_t i = static_cast<size_t>(c);
    ColumnWork& column = work.column[i];
    column.u_at_rest = column.d_inverse * (along[i] - column_dot(column.H, bias, plan.shapes[i]));
    bias += column.u_at_rest * column.U;
    if (!body.on_spine) continue;
    const double* y = work.spines->y.data() + 6 * i;
    move_rows(column.u_at_rest, y, *rows);
    if constexpr (given == Given::forces) release_known_rows(column, y, *rows);
  }
}

/// Folds changes into plain bodies from `number` inward, up to the first that is not; returns that one. What a column passes on, u0 U at
/// the parent's O, is (dp - h.b) K: it need not wait for being shifted.
int fold_plain_changes(const Plan& plan, const PlanPart& part, int number, int last, PartWork& own, Workspace& work) {
  const int first = part.bodies.first;
  const bool grounded = part.carrier < 0, abreast = own.abreast;
  const double* const dp = work.dp.data();
  const PlanBody* body = plan.bodies.data() + number;
  BodyWork *const bodies = work.body.data(), *here = bodies + number;
  for (; number >= last && body->plain; --number, --body, --here) {
    ColumnWork& column = work.column[static_cast<size_t>(body->u)];
    const Wide6 bias = body->leaf ? Wide6::zero() : here->bias_children;
    const Lanes4 taken = body->slides ? column.H.linear.v * bias.linear.v : column.H.angular.v * bias.angular.v;
    const Lanes4 given = dp[body->u] - sum_everywhere(taken);
    column.u_at_rest = column.d_inverse * given[0];
    const bool leaves = body->parent < first;
    if (leaves && grounded) continue;
    Wide6 passed = wrench_from(bias, here->arm);
    passed.linear.v += given * column.K.linear.v, passed.angular.v += given * column.K.angular.v;
    fold_into(folds_first(plan, *body, abreast), passed, leaves ? own.bias : bodies[body->parent].bias_children);
  }
  return number;
}

template <Given given>
void fold_some_again(const Plan& plan, int number, Slice bodies, Wide6& along, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  PartWork& own = work.part[static_cast<size_t>(number)];
  SpineRows* const rows = part.tip >= 0 ? &work.spines->part[static_cast<size_t>(number)].rows : nullptr;
  for (int body_number = bodies.last - 1; body_number >= bodies.first; --body_number) {
    if constexpr (given == Given::changes) {
      body_number = fold_plain_changes(plan, part, body_number, bodies.first, own, work);
      if (body_number < bodies.first) break;
    }
    const size_t b = static_cast<size_t>(body_number);
    const PlanBody& body = plan.bodies[b];
    Wide6 bias = Wide6::zero();
    if constexpr (given == Given::forces) bias = work.bias[b] + articulated_inertia(body, work.body[b]) * work.gamma[b];
    if (!body.leaf) bias += work.body[b].bias_children;
    if (body.node >= 0) close_node_again<given>(plan, body, b, own.abreast, work, bias);
    if (body_number == part.tip) begin_rows(*rows);
    if (body.on_spine) {
      if constexpr (given == Given::forces) move_rows(work.gamma[b], *rows);
      work.spines->beside[b] = bias, bias += along;
    }
    if (!body.driven) release_columns_again<given>(body, plan, bias, rows, work);
    if (body.node >= 0 && !body.driven)
      release_bias(body, plan.closure_nodes[static_cast<size_t>(body.node)], work.closures->nodes[static_cast<size_t>(body.node)], work);
    Wide6 passed = wrench_from(bias, work.body[b].arm);
    if (body.on_spine) {
      if constexpr (given == Given::forces) pass_rows(work.body[b].arm, *rows);
      along = passed, passed = Wide6::zero();
    }
    const bool leaves = !part.bodies.holds(body.parent);
    if (leaves && part.carrier < 0) continue;
    fold_into(folds_first(plan, body, own.abreast), passed, leaves ? own.bias : work.body[static_cast<size_t>(body.parent)].bias_children);
  }
}

/// The joint and body motions that are looked for.
template <Given given>
struct Motion {
  std::vector<double>& u;
  std::vector<Wide6>& V;
  explicit Motion(Workspace& work) : u(given == Given::forces ? work.udot : work.du), V(given == Given::forces ? work.A : work.dV) {}
};

/// Changes of plain bodies from `number` outward, up to the first that is not; returns that one.
int unfold_plain_changes(const Plan& plan, const PlanPart& part, int part_number, int number, int last, Workspace& work) {
  const int first = part.bodies.first;
  const PlanBody* body = plan.bodies.data() + number;
  const BodyWork* here = work.body.data() + number;
  const Wide6* const base = part.joined ? &work.spines->part[static_cast<size_t>(part_number)].V : nullptr;
  Wide6* const changes = work.dV.data();
  double* const du = work.du.data();
  for (; number < last && body->plain; ++number, ++body, ++here) {
    const Wide6& V_parent = base && body->parent < first ? *base : changes[body->parent];
    const ColumnWork& column = work.column[static_cast<size_t>(body->u)];
    const Lanes4 u = column.u_at_rest - sum_everywhere(column.K.linear.v * V_parent.linear.v + column.K.angular.v * V_parent.angular.v);
    du[body->u] = u[0];
    if (body->leaf) continue;
    Wide6 V = velocity_at(V_parent, here->arm);
    if (body->slides)
      V.linear.v += u * column.H.linear.v;
    else
      V.angular.v += u * column.H.angular.v;
    changes[number] = V;
  }
  return number;
}

template <Given given>
void unfold_some_again(const Plan& plan, int number, Slice bodies, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  const size_t n = static_cast<size_t>(number);
  const Motion<given> found(work);
  for (int body_number = bodies.first; body_number < bodies.last; ++body_number) {
    if constexpr (given == Given::changes) {
      body_number = unfold_plain_changes(plan, part, number, body_number, bodies.last, work);
      if (body_number == bodies.last) break;
    }
    const size_t b = static_cast<size_t>(body_number);
    const PlanBody& body = plan.bodies[b];
    const int node = body.node;
    if (node >= 0) take_open_multipliers(plan, static_cast<size_t>(node), work);
    Wide6 V = velocity_at(parent_motion(part, n, body.parent, found.V[static_cast<size_t>(body.parent)], work), work.body[b].arm);
    for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) {
      if (body.driven) {
        found.u[c] = given == Given::forces ? work.drive_acceleration[c] : 0;
        continue;
      }
      const ColumnWork& column = work.column[c];
      double u = column.u_at_rest - column.d_inverse * dot(column.U, V);
      if (node >= 0) u -= closure_part(plan, work, node, static_cast<int>(c) - body.u, column.d_inverse);
      if (body.on_spine) u -= spine_part(work, n, c);
      found.u[c] = u;
      add_column(V, u, column.H, plan.shapes[c]);
    }
    if constexpr (given == Given::forces) V += work.gamma[b];
    found.V[b] = V;
    if (node >= 0) open_nodes(plan, static_cast<size_t>(node), work.part[n].abreast, work, V);
  }
}

template <Given given>
void fold_again(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  const bool abreast = work.part[static_cast<size_t>(number)].abreast;
  Wide6 along = Wide6::zero(), none = Wide6::zero();
  if (abreast) clear_carriers(plan, part, false, work);
  take_carried(plan, part, false, work);
  if (abreast) {
    fold_team_changes(plan, part, work);
    for (auto bodies = part.alone.rbegin(); bodies != part.alone.rend(); ++bodies)
      fold_some_again<given>(plan, number, *bodies, along, work);
  } else {
    fold_some_again<given>(plan, number, part.bodies, along, work);
  }
  if (part.tip >= 0) end_spine(part, static_cast<size_t>(number), along, work);
  if (part.ground_node < 0) return;
  if constexpr (given == Given::forces)
    close_bias(plan, static_cast<size_t>(part.ground_node), work, none);
  else
    close_change(plan, static_cast<size_t>(part.ground_node), work, none);
}

template <Given given>
void unfold_again(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  if (part.ground_node >= 0) open_ground(plan, static_cast<size_t>(part.ground_node), work);
  if (!work.part[static_cast<size_t>(number)].abreast) return unfold_some_again<given>(plan, number, part.bodies, work);
  for (const Slice& bodies : part.alone) unfold_some_again<given>(plan, number, bodies, work);
  unfold_team_changes(plan, part, work);
}

}  // namespace

void fold_part_accelerations(const Plan& plan, int number, Workspace& work) { fold_again<Given::forces>(plan, number, work); }
void unfold_part_accelerations(const Plan& plan, int number, Workspace& work) { unfold_again<Given::forces>(plan, number, work); }
void fold_part_changes(const Plan& plan, int number, Workspace& work) { fold_again<Given::changes>(plan, number, work); }
void unfold_part_changes(const Plan& plan, int number, Workspace& work) { unfold_again<Given::changes>(plan, number, work); }

}  // namespace arthron
