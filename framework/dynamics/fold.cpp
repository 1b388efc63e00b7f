#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Inertia of body b with everything that folds into it.
ArticulatedInertia<double> articulated_inertia(const PlanBody& body, size_t b, const Workspace& work) {
  if (body.leaf) return rigid_inertia(body.mass, work.first_moment[b], work.second_moment[b]);
  ArticulatedInertia<double> M = work.M_children[b];
  add_rigid(M, body.mass, work.first_moment[b], work.second_moment[b]);
  return M;
}

Spatial6 relative_velocity(const PlanBody& body, const Workspace& work) {
  Spatial6 V;
  for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) V += work.u[c] * work.H[c];
  return V;
}

/// Eliminates the columns of one joint from the pair (M, bias), last column first (section 2, one-handle folding; several columns are a
/// sequence of single ones, which is the LDL^T factorisation of the joint's block).
/// A column without inertia is reported; its velocity is then not defined.
inline bool eliminate_columns(const PlanBody& body, const Plan& plan, ArticulatedInertia<double>& M, Spatial6& bias, Workspace& work) {
  bool ok = true;
  for (int c = body.u + body.columns - 1; c >= body.u; --c) {
    const size_t i = static_cast<size_t>(c);
    const ColumnShape shape = plan.shapes[i];
    const Spatial6& h = work.H[i];
    const Spatial6 U = inertia_times(M, h, shape);
    const double d = column_dot(h, U, shape);
    ok = ok && d > 0;
    const double d_inverse = 1 / d;
    const double u = d_inverse * (work.p[i] - column_dot(h, bias, shape));
    work.U[i] = U;
    work.d_inverse[i] = d_inverse;
    work.u_at_rest[i] = u;
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
    ArticulatedInertia<double> M = articulated_inertia(body, b, work);
    Spatial6 bias = body.leaf ? Spatial6{} : work.bias_children[b];
    if (body.driven)
      bias += M * relative_velocity(body, work);
    else if (!eliminate_columns(body, plan, M, bias, work))
      singular = body.joint;

    const size_t parent = static_cast<size_t>(body.parent);
    if (parent < first) continue;
    const ArticulatedInertia<double> M_parent = inertia_from(M, work.arm[b]);
    const Spatial6 bias_parent = wrench_from(bias, work.arm[b]);
    if (body.folds_first) {
      work.M_children[parent] = M_parent;
      work.bias_children[parent] = bias_parent;
    } else {
      work.M_children[parent] += M_parent;
      work.bias_children[parent] += bias_parent;
    }
  }
  if (singular >= 0) return {Status::Code::singular_joint, singular};

  // Root to leaf: joint velocities, then body velocities.
  for (size_t b = first; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    Spatial6 V = velocity_at(work.V[static_cast<size_t>(body.parent)], work.arm[b]);
    for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) {
      if (!body.driven) work.u[c] = work.u_at_rest[c] - work.d_inverse[c] * dot(work.U[c], V);
      add_column(V, work.u[c], work.H[c], plan.shapes[c]);
    }
    work.V[b] = V;
  }
  return {};
}

void fold_accelerations(const Plan& plan, Workspace& work) {
  const size_t first = static_cast<size_t>(plan.grounds);
  // Leaf to root with the factors of phase one: forces take the place of momenta, efforts that of p.
  for (size_t b = plan.bodies.size(); b-- > first;) {
    const PlanBody& body = plan.bodies[b];
    Spatial6 bias = work.bias[b] + articulated_inertia(body, b, work) * work.gamma[b];
    if (!body.leaf) bias += work.bias_children[b];
    if (!body.driven) {
      for (int c = body.u + body.columns - 1; c >= body.u; --c) {
        const size_t i = static_cast<size_t>(c);
        work.u_at_rest[i] = work.d_inverse[i] * (work.tau[i] - column_dot(work.H[i], bias, plan.shapes[i]));
        bias += work.u_at_rest[i] * work.U[i];
      }
    }
    const size_t parent = static_cast<size_t>(body.parent);
    if (parent < first) continue;
    const Spatial6 bias_parent = wrench_from(bias, work.arm[b]);
    if (body.folds_first)
      work.bias_children[parent] = bias_parent;
    else
      work.bias_children[parent] += bias_parent;
  }
  // Root to leaf.
  for (size_t b = first; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    Spatial6 A = velocity_at(work.A[static_cast<size_t>(body.parent)], work.arm[b]);
    for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) {
      work.udot[c] = body.driven ? work.drive_acceleration[c] : work.u_at_rest[c] - work.d_inverse[c] * dot(work.U[c], A);
      if (!body.driven) add_column(A, work.udot[c], work.H[c], plan.shapes[c]);
    }
    work.A[b] = A + work.gamma[b];
  }
}

}  // namespace arthron
