#include "arthron/formulations/joint_space/joint_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arthron/dynamics/closure_mobility.hpp"
#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/dynamics/stages.hpp"
#include "arthron/dynamics/uneven_loops.hpp"
#include "arthron/formulations/joint_space/subsystem_system.hpp"

namespace arthron {

namespace {

using std::size_t;

std::unique_ptr<MultiplierSystem> make_gicm(const Plan& plan, const ConstraintRows& rows, MultiplierSolve solve) {
  std::vector<int> sizes;
  for (const PlanClosure& closure : plan.closures) sizes.push_back(closure.rows);
  return solve == MultiplierSolve::whole_system ? make_whole_system(sizes) : make_subsystem_system(sizes, rows.coupled(plan));
}

/// Calls use(body, number) leaf to root.
template <class Use>
void inward(const Plan& plan, Use use) {
  for (int b = static_cast<int>(plan.bodies.size()); b-- > plan.grounds;) use(plan.bodies[b], b);
}
template <class Use>
void outward(const Plan& plan, Use use) {
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) use(plan.bodies[b], b);
}
/// Calls use(column) for the free columns of a body's inboard joint, in their order.
template <class Use>
void each_column(const PlanBody& body, Use use) {
  for (int c = 0; c < free_columns(body); ++c) use(static_cast<size_t>(body.u + c));
}

double rate(const Plan& plan, const Workspace& work, const JointSpaceWork& own, const Coupling::Term& term) {
  const PlanJoint& joint = plan.joints[term.joint.value];
  const size_t c = joint.u + term.freedom;
  return term.coefficient * (joint.driven ? work.drive_acceleration[c] : own.udot[c]);
}

/// Accelerations with the given ones of the free columns, none when null; into own.A.
void move_tree(const Plan& plan, const Workspace& work, const double* udot, JointSpaceWork& own) {
  std::copy_n(work.A.begin(), plan.grounds, own.A.begin());
  outward(plan, [&](const PlanBody& body, size_t b) {
    Wide6 A = velocity_at(own.A[body.parent], work.body[b].arm) + work.gamma[b];
    if (udot) each_column(body, [&](size_t c) { add_column(A, udot[c], work.column[c].H, plan.shapes[c]); });
    own.A[b] = A;
  });
}

void sum_inward(const Plan& plan, const Workspace& work, std::vector<Wide6>& wrench) {
  inward(plan, [&](const PlanBody& body, size_t b) {
    if (body.parent >= plan.grounds) wrench[body.parent] += wrench_from(wrench[b], work.body[b].arm);
  });
}

/// What every body and all it carries need to move with own.A, at O, into own.wrench.
void sum_needed(const Plan& plan, const Workspace& work, JointSpaceWork& own) {
  outward(plan, [&](const PlanBody& body, size_t b) {
    own.wrench[b] = rigid_momentum(body.mass, work.body[b].first_moment, work.body[b].second_moment, own.A[b]) + work.bias[b];
  });
}

/// What the multipliers of the cut joints exert on the bodies, added with a factor.
void add_cut_wrenches(const Plan& plan, const Workspace& work, double factor, std::vector<Wide6>& wrench) {
  for (int c = 0; c < plan.cuts; ++c) {
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    Wide6 T = Wide6::zero();
    for (int r = 0; r < closure.rows; ++r) T += (factor * cut.sigma[r]) * cut.D[r];
    if (closure.child >= plan.grounds) wrench[closure.child] += wrench_from(T, cut.arm_child);
    if (closure.parent >= plan.grounds) wrench[closure.parent] -= wrench_from(T, cut.arm_parent);
  }
}

/// use(column, effort) for every joint freedom that a coupling acts on.
template <class Use>
void each_coupling_effort(const Plan& plan, const Workspace& work, Use use) {
  for (size_t c = plan.cuts; c < plan.closures.size(); ++c)
    for (const Coupling::Term& term : plan.model->couplings[plan.closures[c].coupling].terms) {
      const PlanJoint& joint = plan.joints[term.joint.value];
      use(joint.u + term.freedom, term.coefficient * work.closures->cuts[c].sigma[0]);
    }
}

/// own.force += J^T sigma.
void add_multiplier_forces(const Plan& plan, const Workspace& work, JointSpaceWork& own) {
  std::fill(own.wrench.begin(), own.wrench.end(), Wide6::zero());
  add_cut_wrenches(plan, work, 1, own.wrench);
  sum_inward(plan, work, own.wrench);
  outward(plan, [&](const PlanBody& body, size_t b) {
    each_column(body, [&](size_t c) { own.force[c] += column_dot(work.column[c].H, own.wrench[b], plan.shapes[c]); });
  });
  each_coupling_effort(plan, work, [&](size_t c, double effort) { own.force[c] += effort; });
}

}  // namespace

JointSpaceWork::JointSpaceWork(const Plan& plan, MultiplierSolve solve) : rows(plan), gicm(make_gicm(plan, rows, solve)) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Wide6 none{Wide3(Vec3{nan, nan, nan}), Wide3(Vec3{nan, nan, nan})};
  const size_t columns = plan.nu_all, bodies = plan.bodies.size();
  factor.assign(columns, {none, nan});
  const Lanes4 lanes = none.linear.v;
  inertia.assign(bodies, {{lanes, lanes}, {lanes, lanes, lanes}, {lanes, lanes}});
  A.assign(bodies, none), wrench.assign(bodies, none);
  force.assign(columns, nan), udot.assign(columns, nan), kept_udot.assign(columns, nan);
  kept_multipliers.assign(plan.closures.size(), Vector6::Zero());
  uneven = has_uneven_loops(plan) || is_uneven_tree(plan);
  transmitted.assign(bodies, none);
  multipliers.assign(rows.rows(), nan);
  const int closures = static_cast<int>(plan.closures.size());
  adds_nothing.assign(plan.closures.size(), 0);
  if (has_uneven_loops(plan)) gicm->take_all_as_independent();
  for (int c = 0; c < closures; ++c) blocks.push_back({c, c, gicm->block(c, c)});
  for (const auto& [r, s] : rows.coupled(plan)) blocks.push_back({r, s, gicm->block(r, s)});
}

Status factor_joint_space(const Plan& plan, const Workspace& work, JointSpaceWork& own) {
  outward(plan, [&](const PlanBody& body, size_t b) {
    own.inertia[b] = rigid_inertia(body.mass, work.body[b].first_moment, work.body[b].second_moment);
  });
  Status status;
  inward(plan, [&](const PlanBody& body, size_t b) {
    WideInertia& M = own.inertia[b];
    for (int column = free_columns(body); column-- > 0;) {
      const size_t c = body.u + column;
      const Wide6& h = work.column[c].H;
      const Wide6 U = inertia_times(M, h, plan.shapes[c]);
      const double d = column_dot(h, U, plan.shapes[c]);
      if (!(d > (body.light ? lost_inertia(M, h) : 0))) status = {Status::Code::singular_joint, body.joint};
      own.factor[c] = {U, 1 / d};
      release_column(M, U, 1 / d);
    }
    if (body.parent >= plan.grounds) own.inertia[body.parent] += inertia_from(M, work.body[b].arm);
  });
  return status;
}

void tree_forces(const Plan& plan, const Workspace& work, JointSpaceWork& own) {
  move_tree(plan, work, nullptr, own);
  sum_needed(plan, work, own);
  sum_inward(plan, work, own.wrench);
  outward(plan, [&](const PlanBody& body, size_t b) {
    each_column(body, [&](size_t c) { own.force[c] = work.tau[c] - column_dot(work.column[c].H, own.wrench[b], plan.shapes[c]); });
  });
}

void solve_tree(const Plan& plan, const Workspace& work, JointSpaceWork& own) {
  std::fill(own.wrench.begin(), own.wrench.end(), Wide6::zero());
  // Leaf to root: what each column would do on a parent at rest, and what that asks of the parent.
  inward(plan, [&](const PlanBody& body, size_t b) {
    Wide6& asked = own.wrench[b];
    for (int column = free_columns(body); column-- > 0;) {
      const size_t c = body.u + column;
      own.udot[c] = own.factor[c].d_inverse * (own.force[c] - column_dot(work.column[c].H, asked, plan.shapes[c]));
      asked += own.udot[c] * own.factor[c].U;
    }
    if (body.parent >= plan.grounds) own.wrench[body.parent] += wrench_from(asked, work.body[b].arm);
  });
  // Root to leaf: the accelerations that the columns add.
  std::fill_n(own.A.begin(), plan.grounds, Wide6::zero());
  outward(plan, [&](const PlanBody& body, size_t b) {
    Wide6 A = velocity_at(own.A[body.parent], work.body[b].arm);
    each_column(body, [&](size_t c) {
      own.udot[c] -= own.factor[c].d_inverse * dot(own.factor[c].U, A);
      add_column(A, own.udot[c], work.column[c].H, plan.shapes[c]);
    });
    own.A[b] = A;
  });
  move_tree(plan, work, own.udot.data(), own);
}

void find_missing_accelerations(const Plan& plan, const Workspace& work, JointSpaceWork& own) {
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    double* const missing = own.multipliers.data() + own.rows.first_row(static_cast<int>(c));
    if (closure.coupling >= 0) {
      *missing = static_cast<Spatial6>(work.closures->cuts[c].known).linear.x;
      for (const Coupling::Term& term : plan.model->couplings[closure.coupling].terms) *missing -= rate(plan, work, own, term);
      continue;
    }
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    const Wide6 A = cut.known - velocity_at(own.A[closure.child], cut.arm_child) + velocity_at(own.A[closure.parent], cut.arm_parent);
    for (int r = 0; r < closure.rows; ++r) missing[r] = dot(cut.D[r], A);
  }
}

void form_gicm(const Plan& plan, const Workspace& work, JointSpaceWork& own) {
  const bool uneven = work.closures->uneven != nullptr;
  own.rows.propagate(plan, work, own.factor);
  own.gicm->clear();
  // Diagonal blocks come first: closures that add nothing stay zero in all others.
  for (const JointSpaceWork::Block& block : own.blocks) {
    const size_t r = block.r, s = block.s;
    if (r != s && (own.adds_nothing[r] || own.adds_nothing[s])) continue;
    const MultiplierSystem::Place& to = block.place;
    own.rows.add_block(plan, own.factor, block.r, block.s, to.values, to.row_stride, to.column_stride);
    if (uneven)
      set_dependent_apart(work, block.r, block.s, to);
    else if (r == s)
      own.adds_nothing[r] = clear_if_redundant(plan, r, to, work);
  }
}

void solve_multipliers(JointSpaceWork& own) {
  own.gicm->factor();
  own.gicm->solve(own.multipliers.data());
}

/// own.multipliers := GICM^+ own.multipliers, with the factors that are there; and the workspace gets them.
static void repeat_solution(const Plan& plan, Workspace& work, JointSpaceWork& own) {
  if (work.closures->uneven) leave_dependent(plan, work, own.multipliers.data());
  own.gicm->solve(own.multipliers.data());
  if (work.closures->uneven) leave_dependent(plan, work, own.multipliers.data());
  take_multipliers(plan, *own.gicm, own.multipliers, work);
}

/// Adds the accelerations that own.force gives to those that are there.
static void add_accelerations(const Plan& plan, const Workspace& work, JointSpaceWork& own) {
  own.kept_udot = own.udot;
  solve_tree(plan, work, own);
  outward(plan, [&](const PlanBody& body, size_t) { each_column(body, [&](size_t c) { own.udot[c] += own.kept_udot[c]; }); });
  move_tree(plan, work, own.udot.data(), own);
}

/// Takes away what a solution leaves of the equations of motion, then of the closures.
static void refine(const Plan& plan, Workspace& work, JointSpaceWork& own) {
  find_equations_left(plan, own.A, work, own.transmitted, own.wrench);
  sum_inward(plan, work, own.wrench);
  outward(plan, [&](const PlanBody& body, size_t b) {
    each_column(body, [&](size_t c) { own.force[c] = -column_dot(work.column[c].H, own.wrench[b], plan.shapes[c]); });
  });
  add_accelerations(plan, work, own);
  if (!work.closures) return;
  find_missing_accelerations(plan, work, own);
  for (size_t c = 0; c < plan.closures.size(); ++c) own.kept_multipliers[c] = work.closures->cuts[c].sigma;
  repeat_solution(plan, work, own);
  std::fill(own.force.begin(), own.force.end(), 0);
  add_multiplier_forces(plan, work, own);
  add_accelerations(plan, work, own);
  for (size_t c = 0; c < plan.closures.size(); ++c) work.closures->cuts[c].sigma += own.kept_multipliers[c];
}

Status joint_space_accelerations(const Plan& plan, Workspace& work, JointSpaceWork& own) {
  if (const Status status = factor_joint_space(plan, work, own); !status.ok()) return status;
  tree_forces(plan, work, own);
  solve_tree(plan, work, own);
  if (work.closures) {
    if (work.closures->uneven) find_independent_rows(plan, 0, work);
    find_missing_accelerations(plan, work, own);
    form_gicm(plan, work, own);
    own.gicm->factor();
    repeat_solution(plan, work, own);
    add_multiplier_forces(plan, work, own);
    solve_tree(plan, work, own);
  }
  if (own.uneven) refine(plan, work, own);
  bool finite = true;
  outward(plan, [&](const PlanBody& body, size_t b) {
    for (int c = body.u; c < body.u + body.columns; ++c) {
      work.udot[c] = body.driven ? work.drive_acceleration[c] : own.udot[c];
      finite = finite && std::isfinite(work.udot[c]);
    }
    work.A[b] = own.A[b];
  });
  return finite ? Status{} : Status{Status::Code::not_finite};
}

Status evaluate_joint_space(const Plan& plan, double t, const double* q, const double* p, Workspace& work, JointSpaceWork& own) {
  if (const Status status = solve_velocities(plan, t, q, p, work); !status.ok()) return status;
  work.pdot_out = nullptr;
  run(work.programs->momenta, work);
  if (work.closures) measure_freedoms(plan, work);
  acceleration_terms(plan, work);
  if (work.closures) closure_acceleration_terms(plan, work);
  if (const Status status = joint_space_accelerations(plan, work, own); !status.ok()) return status;
  if (work.closures) closure_reactions(plan, work);
  reactions(plan, work);
  return {};
}

void inverse_dynamics(const Plan& plan, const Workspace& work, const double* udot, JointSpaceWork& own, double* efforts) {
  move_tree(plan, work, udot, own);
  sum_needed(plan, work, own);
  if (work.closures) add_cut_wrenches(plan, work, -1, own.wrench);
  sum_inward(plan, work, own.wrench);
  outward(plan, [&](const PlanBody& body, size_t b) {
    for (int c = body.u; c < body.u + body.columns; ++c) efforts[c] = column_dot(work.column[c].H, own.wrench[b], plan.shapes[c]);
  });
  if (work.closures) each_coupling_effort(plan, work, [&](size_t c, double effort) { efforts[c] -= effort; });
}

}  // namespace arthron
