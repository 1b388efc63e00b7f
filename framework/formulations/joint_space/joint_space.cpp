#include "arthron/formulations/joint_space/joint_space.hpp"

#include <algorithm>
#include <limits>

#include "arthron/core/diagnostic.hpp"
#include "arthron/dynamics/closure_mobility.hpp"
#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/dynamics/stages.hpp"
#include "arthron/formulations/joint_space/subsystem_system.hpp"

namespace arthron {

namespace {

using std::size_t;

std::vector<int> closure_rows(const Plan& plan) {
  std::vector<int> rows;
  for (const PlanClosure& closure : plan.closures) rows.push_back(closure.rows);
  return rows;
}

/// Adds Mq^-1 J^T lambda to udot, and to A what follows from it.
void add_multipliers(const Plan& plan, Workspace& work, JointSpaceWork& own) {
  std::fill(own.udot.begin(), own.udot.end(), 0.0);
  own.rows.add_answers(plan, work, own.multipliers.data(), own.udot.data());
  std::fill_n(own.A.begin(), plan.grounds, Wide6::zero());
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    Wide6 A = velocity_at(own.A[body.parent], work.body[b].arm);
    for (int c = body.u; c < body.u + free_columns(body); ++c) {
      const ColumnWork& column = work.column[c];
      const double added = own.udot[c] - column.d_inverse * dot(column.U, A);
      add_column(A, added, column.H, plan.shapes[c]);
      work.udot[c] += added;
    }
    own.A[b] = A, work.A[b] += A;
  }
}

}  // namespace

JointSpaceWork::JointSpaceWork(const Plan& plan, MultiplierSolve solve) : rows(plan) {
  if (solve == MultiplierSolve::whole_system)
    gicm = make_whole_system(closure_rows(plan));
  else
    gicm = std::make_unique<SubsystemSystem>(closure_rows(plan), rows.coupled(plan), closing_order(plan));
  if (!plan.joins.empty()) throw InternalError("a plan for joint-space accelerations has no joined parts");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  A.assign(plan.bodies.size(), Wide6{Wide3(Vec3{nan, nan, nan}), Wide3(Vec3{nan, nan, nan})});
  udot.assign(plan.nu, nan);
  multipliers.assign(rows.rows(), nan);
  const int closures = static_cast<int>(plan.closures.size());
  adds_nothing.assign(plan.closures.size(), 0);
  if (has_uneven_loops(plan)) gicm->take_all_as_independent();
  if (is_uneven_tree(plan)) uneven_tree = std::make_unique<UnevenLoops>(plan);
  for (int c = 0; c < closures; ++c) blocks.push_back({c, c, gicm->block(c, c)});
  for (const auto& [r, s] : rows.coupled(plan)) blocks.push_back({r, s, gicm->block(r, s)});
}

std::vector<int> multiplier_order(const Plan& plan) {
  return SubsystemSystem(closure_rows(plan), ConstraintRows(plan).coupled(plan), closing_order(plan)).order();
}

void find_missing_accelerations(const Plan& plan, const Workspace& work, JointSpaceWork& own) {
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    double* const missing = own.multipliers.data() + own.rows.first_row(static_cast<int>(c));
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    if (closure.coupling >= 0) {
      *missing = dot(cut.D[0], cut.known);
      for (const Coupling::Term& term : plan.model->couplings[closure.coupling].terms)
        *missing -= term.coefficient * work.udot[plan.joints[term.joint.value].u + term.freedom];
      continue;
    }
    const Wide6 A = cut.known - velocity_at(work.A[closure.child], cut.arm_child) + velocity_at(work.A[closure.parent], cut.arm_parent);
    for (int r = 0; r < closure.rows; ++r) missing[r] = dot(cut.D[r], A);
  }
}

void form_gicm(const Plan& plan, const Workspace& work, JointSpaceWork& own) {
  const bool uneven = work.closures->uneven != nullptr;
  own.rows.propagate(plan, work);
  own.gicm->clear();
  // Diagonal blocks come first: closures that add nothing stay zero in all others.
  for (const JointSpaceWork::Block& block : own.blocks) {
    const size_t r = block.r, s = block.s;
    if (r != s && (own.adds_nothing[r] || own.adds_nothing[s])) continue;
    const MultiplierSystem::Place& to = block.place;
    own.rows.add_block(plan, work, block.r, block.s, to.values, to.row_stride, to.column_stride);
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

static Status solve_once(const Plan& plan, Workspace& work, JointSpaceWork& own) {
  run(work.programs->accelerations, work, {.loops = Request::Loops::open});
  if (const Status status = outcome(work); !status.ok() || !work.closures) return status;
  find_missing_accelerations(plan, work, own);
  form_gicm(plan, work, own);
  const bool uneven = work.closures->uneven != nullptr;
  if (uneven) leave_dependent(plan, work, own.multipliers.data());
  solve_multipliers(own);
  if (uneven) leave_dependent(plan, work, own.multipliers.data());
  take_multipliers(plan, *own.gicm, own.multipliers, work);
  add_multipliers(plan, work, own);
  return {};
}

Status joint_space_accelerations(const Plan& plan, Workspace& work, JointSpaceWork& own) {
  UnevenLoops* const loops = work.closures ? work.closures->uneven.get() : nullptr;
  if (loops) find_independent_rows(plan, work);
  return solve_and_refine(plan, loops ? loops : own.uneven_tree.get(), work, [&] { return solve_once(plan, work, own); });
}

Status evaluate_joint_space(const Plan& plan, double t, const double* q, const double* p, Workspace& work, JointSpaceWork& own) {
  if (const Status status = solve_velocities(plan, t, q, p, work); !status.ok()) return status;
  run(work.programs->momenta, work);
  if (work.closures) measure_freedoms(plan, work);
  acceleration_terms(plan, work);
  if (work.closures) closure_acceleration_terms(plan, work);
  if (const Status status = joint_space_accelerations(plan, work, own); !status.ok()) return status;
  if (work.closures) closure_reactions(plan, work);
  reactions(plan, work);
  return {};
}

}  // namespace arthron
