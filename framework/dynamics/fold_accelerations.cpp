#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/fold_steps.hpp"
#include "arthron/dynamics/open_closures.hpp"
#include "arthron/dynamics/stages.hpp"

/// Accelerations with the factors that phase one has left: forces take the place of momenta, efforts that of p.
namespace arthron {

using std::size_t;

void fold_part_accelerations(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  OutputRows* const rows = part.tip >= 0 ? &work.chains->part[number].rows : nullptr;
  Wide6 along = Wide6::zero();
  take_carried(plan, part, false, work);
  for (int body_number = part.bodies.last - 1; body_number >= part.bodies.first; --body_number) {
    const size_t b = body_number;
    const PlanBody& body = plan.bodies[b];
    Wide6 bias = work.bias[b] + articulated_inertia(body, work.body[b]) * work.gamma[b];
    if (!body.leaf) bias += work.body[b].bias_children;
    const int node = body.node;
    if (node >= 0) {
      const size_t n = node;
      for (const int child : plan.closure_nodes[n].children)
        if (const size_t below = child; plan.closure_nodes[below].closes_branch_loops) {
          close_bias(plan, below, work, bias);
          bias += closed_inertia_times(plan, below, work, work.gamma[b]);
        }
      close_bias(plan, n, work, bias);
      bias += closed_inertia_times(plan, n, work, work.gamma[b]);
      move_released_bias(body, plan.closure_nodes[n], work.closures->nodes[n], work, work.gamma[b]);
      if (body.driven) move_couplings(body, plan.closure_nodes[n], work.closures->nodes[n], work.drive_acceleration);
    }
    if (body_number == part.tip) begin_rows(*rows);
    if (body.on_chain) move_rows(work.gamma[b], *rows), work.chains->off_chain[b] = bias, bias += along;
    if (!body.driven) {
      for (int c = body.u + body.columns - 1; c >= body.u; --c) {
        const size_t i = c;
        work.column[i].u_at_rest = work.column[i].d_inverse * (work.tau[i] - column_dot(work.column[i].H, bias, plan.shapes[i]));
        bias += work.column[i].u_at_rest * work.column[i].U;
        if (!body.on_chain) continue;
        const double* y = work.chains->y.data() + 6 * i;
        move_rows(work.column[i].u_at_rest, y, *rows);
        release_known_rows(work.column[i], y, *rows);
      }
    }
    if (node >= 0 && !body.driven) release_bias(body, plan.closure_nodes[node], work.closures->nodes[node], work);
    Wide6 passed = wrench_from(bias, work.body[b].arm);
    if (body.on_chain) pass_rows(work.body[b].arm, *rows), along = passed, passed = Wide6::zero();
    const bool leaves = !part.bodies.holds(body.parent);
    if (leaves && part.carrier < 0) continue;
    fold_into(body.folds_first, passed, leaves ? work.part[number].bias : work.body[body.parent].bias_children);
  }
  if (part.tip >= 0) end_chain(part, number, along, work);
  Wide6 none = Wide6::zero();
  if (part.ground_node >= 0) close_bias(plan, part.ground_node, work, none);
}

void unfold_part_accelerations(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  const size_t n = number;
  if (part.ground_node >= 0) open_ground(plan, part.ground_node, work);
  for (int body_number = part.bodies.first; body_number < part.bodies.last; ++body_number) {
    const size_t b = body_number;
    const PlanBody& body = plan.bodies[b];
    const int node = body.node;
    if (node >= 0) take_open_multipliers(plan, node, work);
    Wide6 A = velocity_at(parent_motion(part, n, body.parent, work.A[body.parent], work), work.body[b].arm);
    for (int c = body.u; c < body.u + body.columns; ++c) {
      work.udot[c] =
          body.driven ? work.drive_acceleration[c] : work.column[c].u_at_rest - work.column[c].d_inverse * dot(work.column[c].U, A);
      if (!body.driven && node >= 0) work.udot[c] -= closure_part(plan, work, node, static_cast<int>(c) - body.u, work.column[c].d_inverse);
      if (!body.driven && body.on_chain) work.udot[c] -= chain_part(work, n, c);
      if (!body.driven) add_column(A, work.udot[c], work.column[c].H, plan.shapes[c]);
    }
    work.A[b] = A + work.gamma[b];
    if (node >= 0) open_nodes(plan, node, false, work, work.A[b]);
  }
}

}  // namespace arthron
