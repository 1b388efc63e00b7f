#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Inertia of a body with everything that folds into it.
inline WideInertia articulated_inertia(const PlanBody& body, const BodyWork& work) {
  WideInertia M = rigid_inertia(body.mass, work.first_moment, work.second_moment);
  if (!body.leaf) M += work.M_children;
  return M;
}

Wide6 relative_velocity(const PlanBody& body, const Workspace& work) {
  Wide6 V = Wide6::zero();
  for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) V += work.u[c] * work.column[c].H;
  return V;
}

/// Eliminates the columns of one joint from the pair (M, bias), last column first (section 2, one-handle folding; several columns are a
/// sequence of single ones, which is the LDL^T factorisation of the joint's block).
/// A column without inertia is reported; its velocity is then not defined.
inline bool eliminate_columns(const PlanBody& body, const Plan& plan, WideInertia& M, Wide6& bias, Workspace& work) {
  bool ok = true;
  for (int c = body.u + body.columns - 1; c >= body.u; --c) {
    const size_t i = static_cast<size_t>(c);
    const ColumnShape shape = plan.shapes[i];
    ColumnWork& column = work.column[i];
    const Wide6 U = inertia_times(M, column.H, shape);
    const double d = column_dot(column.H, U, shape);
    ok = ok && d > 0;
    const double d_inverse = 1 / d;
    const double u = d_inverse * (work.p[i] - column_dot(column.H, bias, shape));
    column.U = U;
    column.d_inverse = d_inverse;
    column.u_at_rest = u;
    release_column(M, U, d_inverse);
    bias += u * U;
  }
  return ok;
}

}  // namespace

Status fold_velocities(const Plan& plan, Workspace& work) {
  const size_t first = static_cast<size_t>(plan.grounds);
  // Leaf to root: P_k = M V_parent + bias seen through each joint.
  int singular = -1;
  for (size_t b = plan.bodies.size(); b-- > first;) {
    const PlanBody& body = plan.bodies[b];
    WideInertia M = articulated_inertia(body, work.body[b]);
    Wide6 bias = body.leaf ? Wide6::zero() : work.body[b].bias_children;
    if (body.driven)
      bias += M * relative_velocity(body, work);
    else if (!eliminate_columns(body, plan, M, bias, work))
      singular = body.joint;

    const size_t parent = static_cast<size_t>(body.parent);
    if (parent < first) continue;
    const WideInertia M_parent = inertia_from(M, work.body[b].arm);
    const Wide6 bias_parent = wrench_from(bias, work.body[b].arm);
    if (body.folds_first) {
      work.body[parent].M_children = M_parent;
      work.body[parent].bias_children = bias_parent;
    } else {
      work.body[parent].M_children += M_parent;
      work.body[parent].bias_children += bias_parent;
    }
  }
  if (singular >= 0) return {Status::Code::singular_joint, singular};

  // Root to leaf: joint velocities, then body velocities.
  for (size_t b = first; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    Wide6 V = velocity_at(work.body[static_cast<size_t>(body.parent)].V, work.body[b].arm);
    for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) {
      if (!body.driven) work.u[c] = work.column[c].u_at_rest - work.column[c].d_inverse * dot(work.column[c].U, V);
      add_column(V, work.u[c], work.column[c].H, plan.shapes[c]);
    }
    work.body[b].V = V;
  }
  return {};
}

void fold_accelerations(const Plan& plan, Workspace& work) {
  const size_t first = static_cast<size_t>(plan.grounds);
  // Leaf to root with the factors of phase one: forces take the place of momenta, efforts that of p.
  for (size_t b = plan.bodies.size(); b-- > first;) {
    const PlanBody& body = plan.bodies[b];
    Wide6 bias = work.bias[b] + articulated_inertia(body, work.body[b]) * work.gamma[b];
    if (!body.leaf) bias += work.body[b].bias_children;
    if (!body.driven) {
      for (int c = body.u + body.columns - 1; c >= body.u; --c) {
        const size_t i = static_cast<size_t>(c);
        work.column[i].u_at_rest = work.column[i].d_inverse * (work.tau[i] - column_dot(work.column[i].H, bias, plan.shapes[i]));
        bias += work.column[i].u_at_rest * work.column[i].U;
      }
    }
    const size_t parent = static_cast<size_t>(body.parent);
    if (parent < first) continue;
    const Wide6 bias_parent = wrench_from(bias, work.body[b].arm);
    if (body.folds_first)
      work.body[parent].bias_children = bias_parent;
    else
      work.body[parent].bias_children += bias_parent;
  }
  // Root to leaf.
  for (size_t b = first; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    Wide6 A = velocity_at(work.A[static_cast<size_t>(body.parent)], work.body[b].arm);
    for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) {
      work.udot[c] = body.driven ? work.drive_acceleration[c] : work.column[c].u_at_rest - work.column[c].d_inverse * dot(work.column[c].U, A);
      if (!body.driven) add_column(A, work.udot[c], work.column[c].H, plan.shapes[c]);
    }
    work.A[b] = A + work.gamma[b];
  }
}

}  // namespace arthron
