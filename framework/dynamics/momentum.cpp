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

/// Whether a body is the first whose momentum its parent, or its part, gets.
static inline bool adds_first(const Plan& plan, const PlanBody& body, bool grouped) {
  return body.folds_first && !(grouped && plan.bodies[body.parent].carries_group);
}

/// The shortest loop of momentum_part: single bodies from `number` inward, up to the first that is not, or to `last`; returns that one.
[[gnu::noinline]] static int lone_momenta(const Plan& plan, const PlanPart& part, int number, int last, PartWork& own, Workspace& work) {
  const int first = part.bodies.first;
  const bool grounded = part.carrier < 0, grouped = own.grouped;
  const Wide3 gravity = work.gravity;
  const Wide6* const loads = plan.loads_bodies ? work.load.data() : nullptr;
  const ClosureWork* const closures = work.closures.get();
  double* const pdot = work.pdot_out;
  const PlanBody* body = plan.bodies.data() + number;
  BodyWork *const bodies = work.body.data(), *here = bodies + number;
  for (; number >= last && body->single_column; --number, --body, --here) {
    const size_t b = number, c = body->u;
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
    if (pdot) {
      const Wide3& w = parent.V.angular;
      const Wide6& h = work.column[c].H;
      pdot[c] = work.tau[c] + (body->slides ? dot(h.linear, Q.linear - cross(w, P.linear))
                                            : dot(h.angular, Q.angular - cross(V.linear, P.linear) - cross(w, P.angular)));
    }
    const bool leaves = body->parent < first;
    if (leaves && grounded) continue;
    const Wide3 arm = here->arm;
    P.angular += cross(arm, P.linear), Q.angular += cross(arm, Q.linear);
    Wide6 &P_sum = leaves ? own.P : parent.P, &Q_sum = leaves ? own.Q : parent.Q;
    if (!adds_first(plan, *body, grouped)) P += P_sum, Q += Q_sum;
    P_sum = P, Q_sum = Q;
  }
  return number;
}

/// Bodies [first, last) of a part.
static void momenta_of_some(const Plan& plan, const PlanPart& part, Slice bodies, PartWork& own, Workspace& work) {
  double* const pdot = work.pdot_out;
  const Wide3 gravity = work.gravity;
  const bool forces = plan.loads_bodies, grouped = own.grouped;
  const ClosureWork* closures = work.closures.get();
  for (int body_number = bodies.last - 1; body_number >= bodies.first; --body_number) {
    body_number = lone_momenta(plan, part, body_number, bodies.first, own, work);
    if (body_number < bodies.first) break;
    const size_t b = body_number;
    const PlanBody& body = plan.bodies[b];
    const Wide6& V = work.body[b].V;
    const Wide3& mc = work.body[b].first_moment;
    // Momentum and load of the subtree at O.
    Wide6 P = rigid_momentum(body.mass, mc, work.body[b].second_moment, V);
    Wide6 Q{body.mass * gravity, cross(mc, gravity)};
    if (!body.leaf) P += work.body[b].P, Q += work.body[b].Q;
    if (forces) Q += work.load[b];
    if (closures) P += closures->momentum[b], Q += closures->load[b];
    work.body[b].P = P;
    work.body[b].Q = Q;

    // dp/dt = h.(Q - Sdot P) + hdot.P + tau
    if (pdot && !body.driven) {
      const Wide3& w = work.body[body.parent].V.angular;
      for (int c = body.u; c < body.u + body.columns; ++c) {
        const Wide6& h = work.column[c].H;
        if (plan.varying_columns[c] || plan.shapes[c] == ColumnShape::general)
          pdot[c] =
              dot(h.linear, Q.linear) + dot(h.angular, Q.angular - cross(V.linear, P.linear)) + dot(column_rate(plan, body, c, work), P);
        else if (plan.shapes[c] == ColumnShape::rotation)
          pdot[c] = dot(h.angular, Q.angular - cross(V.linear, P.linear) - cross(w, P.angular));
        else
          pdot[c] = dot(h.linear, Q.linear - cross(w, P.linear));
        pdot[c] += work.tau[c];
      }
    }

    const bool leaves = !part.bodies.holds(body.parent);
    if (leaves && part.carrier < 0) continue;
    const Wide3& arm = work.body[b].arm;
    BodyWork& parent = work.body[body.parent];
    Wide6 &P_sum = leaves ? own.P : parent.P, &Q_sum = leaves ? own.Q : parent.Q;
    if (adds_first(plan, body, grouped)) {
      P_sum = wrench_from(P, arm);
      Q_sum = wrench_from(Q, arm);
    } else {
      P_sum += wrench_from(P, arm);
      Q_sum += wrench_from(Q, arm);
    }
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
  if (!own.grouped) return momenta_of_some(plan, part, part.bodies, own, work);
  group_momenta(plan, part, work);
  for (auto bodies = part.ungrouped.rbegin(); bodies != part.ungrouped.rend(); ++bodies) momenta_of_some(plan, part, *bodies, own, work);
}

void momentum_rates(const Plan& plan, double* pdot, Workspace& work) {
  work.pdot_out = pdot;
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
