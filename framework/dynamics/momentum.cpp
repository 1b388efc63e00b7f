#include <algorithm>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

/// World rate of a column: it turns with the tree parent, and moves in the parent's axes where its joint type says so.
Wide6 column_rate(const Plan& plan, const PlanBody& body, size_t c, const Workspace& work) {
  const size_t parent = body.parent;
  const Wide3& w = work.body[parent].V.angular;
  const Wide6& h = work.column[c].H;
  Wide6 rate{cross(w, h.linear), cross(w, h.angular)};
  if (plan.varying_columns[c]) {
    const WideMatrix3& R_WP = work.body[parent].X_WB.R;
    rate += rotated(body.aligned ? R_WP : R_WP * body.R_PF, Wide6(work.Hdot_F[c]));
  }
  return rate;
}

}  // namespace

/// dp/dt of a column = h.(Q - Sdot P) + hdot.P + tau, with momentum P and load Q of all that the joint carries.
static inline double momentum_rate(const Plan& plan, const PlanBody& body, int c, const Wide6& P, const Wide6& Q, const Wide3& v,
                                   const Workspace& work) {
  const Wide3& w = work.body[body.parent].V.angular;
  const Wide6& h = work.column[c].H;
  if (plan.varying_columns[c] || plan.shapes[c] == ColumnShape::general)
    return dot(h.linear, Q.linear) + dot(h.angular, Q.angular - cross(v, P.linear)) + dot(column_rate(plan, body, c, work), P) +
           work.tau[c];
  if (plan.shapes[c] == ColumnShape::rotation) return dot(h.angular, Q.angular - cross(v, P.linear) - cross(w, P.angular)) + work.tau[c];
  return dot(h.linear, Q.linear - cross(w, P.linear)) + work.tau[c];
}

/// Momenta and loads of subtrees, and dp/dt, of bodies with a single column, or of others, from `number` inward, up to the first that is
/// not of these, or to `last`; returns that one.
template <bool single_column>
[[gnu::noinline]] static int momenta_of_bodies(const Plan& plan, const PlanPart& part, int number, int last, PartWork& own,
                                               Workspace& work) {
  const int first = part.bodies.first;
  const bool grounded = part.carrier < 0, grouped = own.grouped;
  const Wide3 gravity = work.gravity;
  const Wide6* const loads = plan.loads_bodies ? work.load.data() : nullptr;
  const ClosureWork* const closures = work.closures.get();
  double* const pdot = work.request.pdot;
  const PlanBody* body = plan.bodies.data() + number;
  BodyWork *const bodies = work.body.data(), *here = bodies + number;
  for (; number >= last && body->single_column == single_column; --number, --body, --here) {
    const size_t b = number;
    const Wide6 V = here->V;
    const Wide3 mc = here->first_moment;
    Wide6 P = rigid_momentum(body->mass, mc, here->second_moment, V);
    Wide6 Q{body->mass * gravity, cross(mc, gravity)};
    if (!body->leaf) P += here->P, Q += here->Q;
    if (loads) Q += loads[b];
    if (closures) P += closures->momentum[b], Q += closures->load[b];
    here->P = P;
    here->Q = Q;
    BodyWork& parent = bodies[body->parent];
    if (pdot && single_column) {
      const size_t c = body->u;
      const Wide3& w = parent.V.angular;
      const Wide6& h = work.column[c].H;
      pdot[c] = work.tau[c] + (body->slides ? dot(h.linear, Q.linear - cross(w, P.linear))
                                            : dot(h.angular, Q.angular - cross(V.linear, P.linear) - cross(w, P.angular)));
    } else if (pdot && !body->driven) {
      for (int c = body->u; c < body->u + body->columns; ++c) pdot[c] = momentum_rate(plan, *body, c, P, Q, V.linear, work);
    }
    const bool leaves = body->parent < first;
    if (leaves && grounded) continue;
    const Wide3 arm = here->arm;
    P.angular += cross(arm, P.linear), Q.angular += cross(arm, Q.linear);
    Wide6 &P_sum = leaves ? own.P : parent.P, &Q_sum = leaves ? own.Q : parent.Q;
    // The first whose momentum its parent, or its part, gets writes it.
    if (!body->folds_first || (grouped && plan.bodies[body->parent].carries_group)) P += P_sum, Q += Q_sum;
    P_sum = P, Q_sum = Q;
  }
  return number;
}

static void momenta_of_slice(const Plan& plan, const PlanPart& part, Slice bodies, PartWork& own, Workspace& work) {
  for (int b = bodies.last - 1; b >= bodies.first;) {
    b = momenta_of_bodies<true>(plan, part, b, bodies.first, own, work);
    if (b >= bodies.first) b = momenta_of_bodies<false>(plan, part, b, bodies.first, own, work);
  }
}

void momentum_part(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  PartWork& own = work.part[number];
  if (own.grouped) clear_carrier_momenta(plan, part, work);
  for (const int carried : part.carried) {
    BodyWork& on = work.body[arthron::part(plan, carried).on];
    on.P = on.Q = Wide6::zero();
  }
  for (const int carried : part.carried) {
    BodyWork& on = work.body[arthron::part(plan, carried).on];
    on.P += work.part[carried].P, on.Q += work.part[carried].Q;
  }
  if (!own.grouped) return momenta_of_slice(plan, part, part.bodies, own, work);
  group_momenta(plan, part, work);
  for (auto bodies = part.ungrouped.rbegin(); bodies != part.ungrouped.rend(); ++bodies) momenta_of_slice(plan, part, *bodies, own, work);
}

void momentum_rates(const Plan& plan, double* pdot, Workspace& work) {
  work.request = {.pdot = pdot};
  for (int p = shared_part(plan); p-- > 0;) momentum_part(plan, p, work);
}

void acceleration_terms(const Plan& plan, int number, Workspace& work) {
  const Slice bodies = part(plan, number).bodies;
  const Wide3 gravity = work.gravity;
  for (int b = bodies.first; b < bodies.last; ++b) {
    const PlanBody& body = plan.bodies[b];
    const Wide6 &V = work.body[b].V, &V_parent = work.body[body.parent].V;
    Wide6 gamma{cross(V_parent.angular, V.linear - V_parent.linear), Wide3::zero()};
    for (int c = body.u; c < body.u + body.columns; ++c) {
      gamma += work.u[c] * column_rate(plan, body, c, work);
      if (body.driven) gamma += work.drive_acceleration[c] * work.column[c].H;
    }
    work.gamma[b] = gamma;
    const Wide3 &mc = work.body[b].first_moment, &w = V.angular;
    work.bias[b] = {cross(w, cross(w, mc)) - body.mass * gravity, cross(w, work.body[b].second_moment * w) - cross(mc, gravity)};
    if (plan.loads_bodies) work.bias[b] -= work.load[b];
  }
}

void acceleration_terms(const Plan& plan, Workspace& work) {
  for (int p = 0; p < shared_part(plan); ++p) acceleration_terms(plan, p, work);
}

void reactions(const Plan& plan, Workspace& work) {
  const size_t first = plan.grounds;
  std::fill(work.F.begin(), work.F.end(), Wide6::zero());
  for (size_t b = plan.bodies.size(); b-- > first;) {
    const PlanBody& body = plan.bodies[b];
    Wide6 F = rigid_momentum(body.mass, work.body[b].first_moment, work.body[b].second_moment, work.A[b]) + work.bias[b];
    F += work.F[b];
    if (work.closures) F += work.closures->momentum[b];
    work.F[b] = F;
    work.F[body.parent] += wrench_from(F, work.body[b].arm);
  }
}

}  // namespace arthron
