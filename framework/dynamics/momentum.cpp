#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

/// World rate of a column: it turns with the tree parent, and moves in the parent's axes where its joint type says so.
Spatial6 column_rate(const Plan& plan, const PlanBody& body, size_t c, const Workspace& work) {
  const size_t parent = static_cast<size_t>(body.parent);
  const Vec3& w = work.V[parent].angular;
  const Spatial6& h = work.H[c];
  Spatial6 rate{cross(w, h.linear), cross(w, h.angular)};
  if (plan.varying_columns[c]) {
    const Mat3& R_WP = work.X_WB[parent].R;
    rate += rotated(body.aligned ? R_WP : R_WP * body.R_PF, work.Hdot_F[c]);
  }
  return rate;
}

}  // namespace

void momentum_rates(const Plan& plan, double* pdot, Workspace& work) {
  const size_t first = static_cast<size_t>(plan.grounds);
  const Vec3& gravity = plan.model->gravity;
  const bool forces = plan.force_handles > 0;
  for (size_t b = plan.bodies.size(); b-- > first;) {
    const PlanBody& body = plan.bodies[b];
    const Spatial6& V = work.V[b];
    const Vec3& mc = work.first_moment[b];
    // Momentum and load of the subtree at O.
    Spatial6 P = rigid_momentum(body.mass, mc, work.second_moment[b], V);
    Spatial6 Q{body.mass * gravity, cross(mc, gravity)};
    if (!body.leaf) P += work.P[b], Q += work.Q[b];
    if (forces) Q += work.load[b];
    work.P[b] = P;
    work.Q[b] = Q;

    // dp/dt = h.(Q - Sdot P) + hdot.P + tau
    if (pdot && !body.driven) {
      const Vec3& w = work.V[static_cast<size_t>(body.parent)].angular;
      for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) {
        const Spatial6& h = work.H[c];
        if (plan.varying_columns[c] || plan.shapes[c] == ColumnShape::general)
          pdot[c] = dot(h.linear, Q.linear) + dot(h.angular, Q.angular - cross(V.linear, P.linear)) + dot(column_rate(plan, body, c, work), P);
        else if (plan.shapes[c] == ColumnShape::rotation)
          pdot[c] = dot(h.angular, Q.angular - cross(V.linear, P.linear) - cross(w, P.angular));
        else
          pdot[c] = dot(h.linear, Q.linear - cross(w, P.linear));
        pdot[c] += work.tau[c];
      }
    }

    const size_t parent = static_cast<size_t>(body.parent);
    if (parent < first) continue;
    const Vec3& arm = work.arm[b];
    if (body.folds_first) {
      work.P[parent] = wrench_from(P, arm);
      work.Q[parent] = wrench_from(Q, arm);
    } else {
      work.P[parent] += wrench_from(P, arm);
      work.Q[parent] += wrench_from(Q, arm);
    }
  }
}

void acceleration_terms(const Plan& plan, Workspace& work) {
  const Vec3& gravity = plan.model->gravity;
  for (size_t b = static_cast<size_t>(plan.grounds); b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    const Spatial6 &V = work.V[b], &V_parent = work.V[static_cast<size_t>(body.parent)];
    Spatial6 gamma{cross(V_parent.angular, V.linear - V_parent.linear), {}};
    for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) {
      gamma += work.u[c] * column_rate(plan, body, c, work);
      if (body.driven) gamma += work.drive_acceleration[c] * work.H[c];
    }
    work.gamma[b] = gamma;
    const Vec3 &mc = work.first_moment[b], &w = V.angular;
    work.bias[b] = {cross(w, cross(w, mc)) - body.mass * gravity, cross(w, work.second_moment[b] * w) - cross(mc, gravity)};
    if (plan.force_handles > 0) work.bias[b] -= work.load[b];
  }
}

void reactions(const Plan& plan, Workspace& work) {
  const size_t first = static_cast<size_t>(plan.grounds);
  for (size_t b = plan.bodies.size(); b-- > first;) {
    const PlanBody& body = plan.bodies[b];
    Spatial6 F = rigid_momentum(body.mass, work.first_moment[b], work.second_moment[b], work.A[b]) + work.bias[b];
    if (!body.leaf) F += work.F[b];
    work.F[b] = F;
    const size_t parent = static_cast<size_t>(body.parent);
    if (parent < first) continue;
    if (body.folds_first)
      work.F[parent] = wrench_from(F, work.arm[b]);
    else
      work.F[parent] += wrench_from(F, work.arm[b]);
  }
}

}  // namespace arthron
