#include <algorithm>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/group_work.hpp"

namespace arthron {

namespace {

using std::size_t;

/// World rate of a cut joint's column: it turns with the parent, and moves in the parent's axes where its type says so.
Wide6 column_rate(const PlanClosure& closure, size_t column, const Workspace& work) {
  const BodyWork& parent = work.body[closure.parent];
  const Wide6& h = work.column[column].H;
  Wide6 rate{cross(parent.V.angular, h.linear), cross(parent.V.angular, h.angular)};
  if (closure.varies) rate += rotated(parent.X_WB.R * closure.X_PF.R, Wide6(work.Hdot_F[column]));
  return rate;
}

Wide6 constrained(const PlanClosure& closure, const ClosureWork::Cut& cut) {
  Wide6 sum = Wide6::zero();
  for (int r = 0; r < closure.rows; ++r) sum += cut.sigma[r] * cut.D[r];
  return sum;
}

/// Rate of T = D sigma that keeps it across the freedoms: where these are known -H (H^T H)^-1 Hdot^T T; else D turns with the parent, moves
/// in the joint's axes where its type says so, and what the rate then has in D, which changes no velocity, is taken away.
Wide6 wrench_rate(const PlanClosure& closure, size_t c, const Workspace& work) {
  if (closure.driven) return Wide6::zero();
  const ClosureWork& closures = *work.closures;
  const ClosureWork::Cut& cut = closures.cuts[c];
  Wide6 rate = Wide6::zero();
  if (closure.varies && !closure.gives_complement) {
    const Columns6& dual = closures.freedoms[c].dual;
    for (Eigen::Index i = 0; i < dual.cols(); ++i)
      rate -= dot(column_rate(closure, closure.u + i, work), cut.T) * Wide6(spatial(dual.col(i)));
    return rate;
  }
  const BodyWork& parent = work.body[closure.parent];
  const double length = closures.scale[c];
  rate = {cross(parent.V.angular, cut.T.linear), cross(parent.V.angular, cut.T.angular)};
  if (closure.varies) {
    Spatial6 moved;
    for (int r = 0; r < closure.rows; ++r) moved += cut.sigma[r] * closures.Ddot_F[6 * c + r];
    moved.angular = length * moved.angular;
    rate += rotated(parent.X_WB.R * closure.X_PF.R, Wide6(moved));
  }
  // D = diag(1, length) D~ with D~ orthonormal.
  const Wide6 weighted{rate.linear, (1 / (length * length)) * rate.angular};
  for (int r = 0; r < closure.rows; ++r) rate -= dot(cut.D[r], weighted) * cut.D[r];
  return rate;
}

/// The part of the relative acceleration at a cut that comes from arms that turn.
Wide6 moving_arms(const PlanClosure& closure, size_t c, const Workspace& work) {
  const Wide3& arm = work.closures->cuts[c].arm_child;
  const Wide6 &V_child = work.body[closure.child].V, &V_parent = work.body[closure.parent].V;
  const Wide3 v = velocity_at(V_child, arm).linear;
  return {cross(V_parent.angular, v - V_parent.linear) - cross(V_child.angular, cross(V_child.angular, arm)), Wide3::zero()};
}

/// Hdot u of a cut joint whose columns are known, and what its drive adds.
Wide6 turning_freedoms(const PlanClosure& closure, const Workspace& work) {
  Wide6 known = Wide6::zero();
  for (int i = closure.u; i < closure.u + closure.columns; ++i) {
    known += work.u[i] * column_rate(closure, i, work);
    if (closure.driven) known += work.drive_acceleration[i] * work.column[i].H;
  }
  return known;
}

/// The same as far as the closure can tell, without the columns: D^T Hdot u = -Ddot^T H u. D = diag(1, length) D~ with D~ orthonormal.
Wide6 turning_constraints(const PlanClosure& closure, size_t c, const Workspace& work) {
  const ClosureWork& closures = *work.closures;
  const auto& D = closures.cuts[c].D;
  const double length = closures.scale[c];
  const auto dual = [&](size_t r) { return Wide6{D[r].linear, (1 / (length * length)) * D[r].angular}; };
  const BodyWork& parent = work.body[closure.parent];
  const Wide6 V = velocity_at_cut(closure, closures.cuts[c], work);
  Wide6 Hu = V;
  for (int r = 0; r < closure.rows; ++r) Hu -= dot(D[r], V) * dual(r);
  // D turns with the parent, and moves in the joint's axes where its type says so.
  const Wide6 seen{cross(Hu.linear, parent.V.angular), cross(Hu.angular, parent.V.angular)};
  const Wide6 Hu_F = closure.varies ? rotated(transpose(parent.X_WB.R * closure.X_PF.R), Hu) : Wide6::zero();
  Wide6 known = Wide6::zero();
  for (int r = 0; r < closure.rows; ++r) {
    double rate = dot(D[r], seen);
    if (closure.varies) {
      const Wide6 Ddot(closures.Ddot_F[6 * c + r]);
      rate += dot(Ddot.linear, Hu_F.linear) + length * dot(Ddot.angular, Hu_F.angular);
    }
    known -= rate * dual(r);
  }
  return known;
}

/// Baumgarte's terms: what brings an opening back as a critically damped oscillator would.
Wide6 returning(double rate, const Wide6& velocity, const Spatial6& opening) { return 2 * rate * velocity + rate * rate * Wide6(opening); }

/// Adds a wrench at the cut to its child, or takes it from its parent.
void add_side(const PlanClosure& closure, const ClosureWork::Cut& cut, bool child, const Wide6& wrench, std::vector<Wide6>& sums) {
  if (child)
    sums[closure.child] += wrench_from(wrench, cut.arm_child);
  else
    sums[closure.parent] -= wrench_from(wrench, cut.arm_parent);
}

void add_pair(const PlanClosure& closure, const ClosureWork::Cut& cut, const Wide6& wrench, std::vector<Wide6>& sums) {
  for (const bool child : {true, false}) add_side(closure, cut, child, wrench, sums);
}

/// The same but for grounds, which several parts may hang on.
void add_to_bodies(const Plan& plan, const PlanClosure& closure, const ClosureWork::Cut& cut, const Wide6& wrench,
                   std::vector<Wide6>& sums) {
  if (closure.child >= plan.grounds) add_side(closure, cut, true, wrench, sums);
  if (closure.parent >= plan.grounds) add_side(closure, cut, false, wrench, sums);
}

/// Effort along the free directions.
Wide6 effort(const PlanClosure& closure, const Columns6& dual, const Workspace& work) {
  Vector6 sum = Vector6::Zero();
  for (Eigen::Index i = 0; i < dual.cols(); ++i) sum += work.tau[closure.u + i] * dual.col(i);
  return spatial(sum);
}

}  // namespace

void load_closures(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  const auto load = [&](int c, const auto& add) {
    const PlanClosure& closure = plan.closures[c];
    if (closure.driven || !plan.model->joints[closure.joint].loaded()) return;
    add(closure, work.closures->cuts[c], effort(closure, work.closures->freedoms[c].dual, work));
  };
  for (int i = part.loaded_joints.first; i < part.loaded_joints.last; ++i) {
    const int c = plan.joints[plan.loaded_joints[i]].closure;
    if (c < 0) continue;
    load(c, [&](const PlanClosure& closure, const ClosureWork::Cut& cut, const Wide6& wrench) {
      add_to_bodies(plan, closure, cut, wrench, work.load);
    });
  }
  for (const CutSide& side : part.shared_sides)
    load(side.closure, [&](const PlanClosure& closure, const ClosureWork::Cut& cut, const Wide6& wrench) {
      add_side(closure, cut, side.child, wrench, work.load);
    });
}

void find_closure_loads(const Plan& plan, int number, Workspace& work) {
  const Slice cuts = part(plan, number).cuts;
  ClosureWork& closures = *work.closures;
  const bool grouped = is_grouped(work, number);
  for (int c = cuts.first; c < cuts.last; ++c) {
    const PlanClosure& closure = plan.closures[c];
    if (grouped && closure.grouped) continue;
    ClosureWork::Cut& cut = closures.cuts[c];
    cut.T = constrained(closure, cut);
    cut.T_rate = wrench_rate(closure, c, work);
    const Wide3 v = velocity_at(work.body[closure.child].V, cut.arm_child).linear;
    cut.T_rate.angular += cross(v, cut.T.linear);
  }
  for (const int coupling : part(plan, number).couplings) {
    const size_t c = coupling;
    closures.cuts[c].T = constrained(plan.closures[c], closures.cuts[c]);
  }
}

void closure_loads(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  ClosureWork& closures = *work.closures;
  for (std::vector<Wide6>* sums : {&closures.momentum, &closures.load})
    std::fill(sums->begin() + part.bodies.first, sums->begin() + part.bodies.last, Wide6::zero());
  const bool grouped = is_grouped(work, number);
  if (grouped) group_cut_loads(plan, part, work);
  for (int c = part.cuts.first; c < part.cuts.last; ++c) {
    if (grouped && plan.closures[c].grouped) continue;
    const ClosureWork::Cut& cut = closures.cuts[c];
    add_to_bodies(plan, plan.closures[c], cut, -1.0 * cut.T, closures.momentum);
    add_to_bodies(plan, plan.closures[c], cut, -1.0 * cut.T_rate, closures.load);
  }
  for (const CutSide& side : part.shared_sides) {
    const PlanClosure& closure = plan.closures[side.closure];
    const ClosureWork::Cut& cut = closures.cuts[side.closure];
    add_side(closure, cut, side.child, -1.0 * cut.T, closures.momentum);
    add_side(closure, cut, side.child, -1.0 * cut.T_rate, closures.load);
  }
}

void closure_loads(const Plan& plan, Workspace& work) {
  for (int p = 0; p <= shared_part(plan); ++p) find_closure_loads(plan, p, work);
  for (int p = 0; p < shared_part(plan); ++p) closure_loads(plan, p, work);
  // What the cut joints give the grounds, which no part adds up.
  ClosureWork& closures = *work.closures;
  std::fill_n(closures.momentum.begin(), plan.grounds, Wide6::zero());
  for (int c = 0; c < plan.cuts; ++c) {
    const PlanClosure& closure = plan.closures[c];
    if (closure.child < plan.grounds) add_side(closure, closures.cuts[c], true, -1.0 * closures.cuts[c].T, closures.momentum);
    if (closure.parent < plan.grounds) add_side(closure, closures.cuts[c], false, -1.0 * closures.cuts[c].T, closures.momentum);
  }
}

void closure_acceleration_terms(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  ClosureWork& closures = *work.closures;
  const auto stabilise = [&](size_t c) {
    if (plan.baumgarte > 0) closures.cuts[c].known -= returning(plan.baumgarte, opening_velocity(plan, c, work), closures.error[c]);
  };
  for (int c = part.cuts.first; c < part.cuts.last; ++c) {
    const PlanClosure& closure = plan.closures[c];
    closures.cuts[c].known =
        moving_arms(closure, c, work) + (closure.tracked ? turning_freedoms(closure, work) : turning_constraints(closure, c, work));
    stabilise(c);
  }
  for (const int coupling : part.couplings) {
    closures.cuts[coupling].known = Wide6::zero();
    stabilise(coupling);
  }
}

void closure_acceleration_terms(const Plan& plan, Workspace& work) {
  for (size_t c = plan.cuts; c < plan.closures.size(); ++c) work.closures->cuts[c].known = Wide6::zero();
  for (int c = 0; c < plan.cuts; ++c)
    work.closures->cuts[c].known = moving_arms(plan.closures[c], c, work) + turning_freedoms(plan.closures[c], work);
}

void closure_reactions(const Plan& plan, Workspace& work) {
  ClosureWork& closures = *work.closures;
  std::fill(closures.momentum.begin(), closures.momentum.end(), Wide6::zero());
  for (int c = 0; c < plan.cuts; ++c) {
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = closures.cuts[c];
    add_pair(closure, cut, -1.0 * constrained(closure, cut), closures.momentum);
    const Wide6 A = velocity_at(work.A[closure.child], cut.arm_child) - velocity_at(work.A[closure.parent], cut.arm_parent) - cut.known;
    for (int i = 0; i < closure.columns; ++i) {
      const size_t column = closure.u + i;
      work.udot[column] = closure.driven ? work.drive_acceleration[column] : closures.freedoms[c].dual.col(i).dot(dense(A));
    }
  }
}

}  // namespace arthron
