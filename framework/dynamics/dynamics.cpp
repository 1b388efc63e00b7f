#include "arthron/dynamics/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arthron/core/finite.hpp"
#include "arthron/dynamics/body_velocities.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/dynamics/stages.hpp"
#include "arthron/dynamics/uneven_loops.hpp"

namespace arthron {

namespace {

/// Runs a program that begins with the kinematics.
Status begin_and_run(const TaskGraph& program, const Plan& plan, double t, const double* q, const double* p, Workspace& work,
                     const Request& request = {}) {
  if (!all_finite(q, plan.nq) || !all_finite(p, plan.nu)) return {Status::Code::not_finite};
  std::copy_n(p, plan.nu, work.p.data());
  begin(plan, t, q, work);
  run(program, work, request);
  return outcome(work);
}

template <class Action>
void for_grouped_parts(const Plan& plan, const Workspace& work, const Action& action) {
  for (int p = 0; p < shared_part(plan); ++p)
    if (is_grouped(work, p)) action(part(plan, p));
}

/// Groups where evaluations may have them; they know nothing of masses that are far apart.
Request::Branches branches_of(const Plan& plan, const Workspace& work) {
  const bool uneven = work.closures && work.closures->uneven;
  return may_group(plan) && !uneven ? Request::Branches::grouped : Request::Branches::single;
}

}  // namespace

void kinematics(const Plan& plan, double t, const double* q, Workspace& work) {
  begin(plan, t, q, work);
  run(work.programs->kinematics, work);
}

void kinematics_on_grounds(const Plan& plan, double t, const double* q, Workspace& work) {
  begin_on_grounds(plan, t, q, work);
  run(work.programs->kinematics, work);
}

void subtree_momenta(const Plan& plan, Workspace& work, double* p) {
  if (work.closures) std::fill(work.closures->momentum.begin(), work.closures->momentum.end(), Wide6::zero());
  for_grouped_parts(plan, work, [&](const PlanPart& part) { release_group_cuts(part, work); });
  run(work.programs->momenta, work);
  momenta_along_joints(plan, work, p);
}

void momenta_along_joints(const Plan& plan, const Workspace& work, double* p) {
  for_grouped_parts(plan, work, [&](const PlanPart& part) { group_subtree_momenta(plan, part, work, p); });
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    if (body.driven || (body.grouped && is_grouped(work, plan.part_of_body[b]))) continue;
    for (int c = body.u; c < body.u + body.columns; ++c) p[c] = column_dot(work.column[c].H, work.body[b].P, plan.shapes[c]);
  }
}

Status fold_velocities(const Plan&, Workspace& work) {
  run(work.programs->velocities, work);
  return outcome(work);
}

void fold_accelerations(const Plan&, Workspace& work) { run(work.programs->accelerations, work); }

Status find_velocities(const Plan& plan, double t, const double* q, const double* p, Workspace& work) {
  return begin_and_run(work.programs->solve_motion, plan, t, q, p, work, {.branches = branches_of(plan, work)});
}

Status solve_velocities(const Plan& plan, double t, const double* q, const double* p, Workspace& work) {
  return begin_and_run(work.programs->solve, plan, t, q, p, work);
}

/// Initial coordinates of the tree joints, and those of the cut ones as a guess in the workspace.
static void initial_positions(const Plan& plan, const std::vector<JointStart>& starts, Workspace& work, std::vector<double>& q) {
  q.assign(plan.nq, 0);
  for (size_t j = 0; j < plan.joints.size(); ++j) {
    const PlanJoint& joint = plan.joints[j];
    if (joint.driven) continue;
    const Joint& given = plan.model->joints[j];
    double* const place = (joint.closure < 0 ? q.data() : work.q.data()) + joint.q;
    std::vector<double> chart = starts[j].position;
    chart.resize(joint.nu, 0);
    if (starts[j].coordinates.empty())
      given.definition->type().from_chart(*given.definition, chart.data(), place);
    else
      std::copy(starts[j].coordinates.begin(), starts[j].coordinates.end(), place);
    if (joint.closure < 0) std::fill_n(work.held.begin() + joint.u, joint.nu, starts[j].keep);
  }
}

/// Momenta of the admissible velocities nearest to the given ones.
static Status initial_momenta(const Plan& plan, const std::vector<JointStart>& starts, double t, const std::vector<double>& q,
                              Workspace& work, std::vector<double>& p) {
  p.assign(plan.nu, 0);
  std::fill(work.u.begin(), work.u.end(), 0);
  for (size_t j = 0; j < plan.joints.size(); ++j) {
    const std::vector<double>& given = starts[j].velocity;
    if (plan.joints[j].closure < 0) std::copy(given.begin(), given.end(), work.u.data() + plan.joints[j].u);
  }
  kinematics(plan, t, q.data(), work);
  forward_velocities(plan, work);
  if (work.closures) closure_kinematics(plan, work);
  apply_loads(plan, work);
  if (work.closures) std::fill(work.closures->load.begin(), work.closures->load.end(), Wide6::zero());
  subtree_momenta(plan, work, p.data());
  if (!work.closures) return {};
  std::copy(p.begin(), p.end(), work.p.begin());
  if (const Status status = work.closures->uneven ? close_velocities(plan, work) : fold_velocities(plan, work); !status.ok()) return status;
  closure_rates(plan, work);
  subtree_momenta(plan, work, p.data());
  return {};
}

Status initial_state(const Plan& plan, Workspace& work, State& state) {
  std::vector<JointStart> starts;
  for (const Joint& joint : plan.model->joints) starts.push_back({joint.initial_position, joint.initial_velocity, {}, joint.keep});
  for (const auto& batch : plan.force_batches) batch->initial_states(work.x.data());
  const Status status = assemble(plan, starts, 0, work, state);
  if (!status.ok() || plan.model->initial_velocities.empty()) return status;
  measure_cuts(plan, work);
  std::vector<JointStart> closed = joint_starts(plan, work);
  for (size_t j = 0; j < starts.size(); ++j) closed[j].velocity = starts[j].velocity, closed[j].keep = starts[j].keep;
  if (const Status velocities = take_body_velocities(plan, 0, closed); !velocities.ok()) return velocities;
  return assemble(plan, closed, 0, work, state);
}

Status assemble(const Plan& plan, const std::vector<JointStart>& starts, double t, Workspace& work, State& state) {
  constexpr int most_steps = 50;
  constexpr double closed = 1e-9;  // opening that still counts as closed where rounding is out of reach [m]
  state.t = t, state.x = work.x;
  initial_positions(plan, starts, work, state.q);
  const Projection assembly = project(plan, t, state.q.data(), 0, most_steps, work);
  Status status = assembly.error <= closed ? Status{} : assembly.status;
  if (status.ok()) status = initial_momenta(plan, starts, t, state.q, work, state.p);
  if (status.ok() && !plan.formulation->integrates_momenta()) std::copy_n(work.u.begin(), plan.nu, state.p.begin());
  std::fill(work.held.begin(), work.held.end(), 0);
  if (!status.ok()) return status;
  if (!all_finite(state.q.data(), plan.nq) || !all_finite(state.p.data(), plan.nu)) return {Status::Code::not_finite};
  for (size_t f = 0; f < plan.forces.size(); ++f)
    if (const Slice states = plan.forces[f].states; !all_finite(state.x.data() + states.first, states.size()))
      return {Status::Code::not_finite, element_of_force(plan, static_cast<int>(f))};
  return {};
}

Status evaluate(const Plan& plan, double t, const double* q, const double* p, double* qdot, double* pdot, Workspace& work) {
  return begin_and_run(work.programs->evaluate, plan, t, q, p, work, {qdot, pdot});
}

Status evaluate_rates(const Plan& plan, double t, const double* q, const double* p, double* qdot, double* pdot, Workspace& work) {
  if (plan.groups.empty()) return evaluate(plan, t, q, p, qdot, pdot, work);
  try {
    const Status status = begin_and_run(work.programs->evaluate, plan, t, q, p, work, {qdot, pdot, branches_of(plan, work)});
    if (status.ok() && all_finite(qdot, plan.nq) && all_finite(pdot, plan.nu)) return status;
  } catch (...) {  // one by one it is thrown again, with a name
  }
  // Whoever looks for the culprit finds all numbers.
  return evaluate(plan, t, q, p, qdot, pdot, work);
}

Status evaluate_accelerations(const Plan& plan, double t, const double* q, const double* p, Workspace& work) {
  const Status status = solve_velocities(plan, t, q, p, work);
  if (!status.ok()) return status;
  run(work.programs->momenta, work);
  if (work.closures) measure_freedoms(plan, work);
  acceleration_terms(plan, work);
  if (work.closures) closure_acceleration_terms(plan, work);
  fold_accelerations(plan, work);
  if (work.closures) {
    smallest_multipliers(plan, work);
    closure_reactions(plan, work);
  }
  reactions(plan, work);
  return {};
}

/// Velocities are known: rates without impulses, and the momenta that go with them.
static void release_impulses(const Plan& plan, double* p, double* qdot, double* pdot, Workspace& work) {
  ClosureWork& closures = *work.closures;
  for (ClosureWork::Cut& cut : closures.cuts) cut.sigma.setZero(), cut.T = Wide6::zero();
  for (std::vector<Wide6>* sums : {&closures.momentum, &closures.load}) std::fill(sums->begin(), sums->end(), Wide6::zero());
  for_grouped_parts(plan, work, [&](const PlanPart& part) { release_group_cuts(part, work); });
  run(work.programs->rates, work, {qdot, pdot});
  momenta_along_joints(plan, work, p);
  std::copy_n(p, plan.nu, work.p.data());
}

Status reanchor(const Plan& plan, double t, const double* q, double* p, double* qdot, double* pdot, Workspace& work) {
  if (!work.closures) return {};
  const Status status = begin_and_run(work.programs->solve, plan, t, q, p, work, {.branches = branches_of(plan, work)});
  if (status.ok()) release_impulses(plan, p, qdot, pdot, work);
  return status;
}

Status reanchor_in_place(const Plan& plan, double* p, double* qdot, double* pdot, Workspace& work) {
  if (!work.closures) return {};
  if (!all_finite(p, plan.nu)) return {Status::Code::not_finite};
  std::copy_n(p, plan.nu, work.p.data());
  run(work.programs->solve_in_place, work);
  const Status status = outcome(work);
  if (status.ok()) release_impulses(plan, p, qdot, pdot, work);
  return status;
}

Status evaluate_released(const Plan& plan, double t, const double* q, const double* p, double* qdot, double* pdot, Workspace& work) {
  for (size_t c = 0; c < plan.closures.size(); ++c) work.closures->cuts[c].sigma.setZero(), work.closures->cuts[c].rank = 0;
  return begin_and_run(work.programs->evaluate, plan, t, q, p, work, {.qdot = qdot, .pdot = pdot, .loops = Request::Loops::open});
}

/// Motion of least kinetic energy, from rest, that undoes the closures' errors in unit time: phase one with the errors as prescribed
/// velocities of the cuts. Needs the kinematics.
static Status undo_errors(const Plan& plan, Workspace& work) {
  for (int g = 0; g < plan.grounds; ++g) work.body[g].V = Wide6::zero();
  std::fill(work.p.begin(), work.p.end(), 0);
  std::fill(work.u.begin(), work.u.end(), 0);
  run(work.programs->correction, work);
  return outcome(work);
}

void coordinate_rates(const Plan& plan, Workspace& work) {
  for (const auto& batch : plan.joint_batches) batch->coordinate_rate(batch->all(), work.q.data(), work.u.data(), work.qdot.data());
}

Status opening_momenta(const Plan& plan, double t, const double* q, std::span<Spatial6> rates, double* p, Workspace& work) {
  kinematics(plan, t, q, work);
  std::transform(rates.begin(), rates.end(), work.closures->error.begin(), [](const Spatial6& rate) { return -rate; });
  const Status status = undo_errors(plan, work);
  if (!status.ok()) return status;
  for (size_t c = 0; c < rates.size(); ++c) rates[c] = opening_rate(plan, work, c);
  subtree_momenta(plan, work, p);
  return {};
}

static std::span<const Spatial6> openings(const Plan& plan, double t, const double* q, const Request& request, Workspace& work) {
  begin(plan, t, q, work);
  run(work.programs->openings, work, request);
  return work.closures->error;
}

std::span<const Spatial6> openings(const Plan& plan, double t, const double* q, Workspace& work) {
  return openings(plan, t, q, Request(), work);
}

static double closure_opening(const Workspace& work, size_t closure) {
  const Spatial6& error = work.closures->error[closure];
  return std::max(norm(error.linear), work.closures->scale[closure] * norm(error.angular));
}

/// What a closed loop may show: rounding of the positions on both its sides, and of coupled coordinates.
static double closure_rounding(const Plan& plan, const Workspace& work) {
  double reach_squared = 0;
  const auto reach = [&](const Wide3& v) { reach_squared = std::max(reach_squared, dot(v, v)); };
  for (int c = 0; c < plan.cuts; ++c) {
    reach(work.body[plan.closures[c].parent].X_WB.p), reach(work.closures->cuts[c].arm_parent);
    reach(work.body[plan.closures[c].child].X_WB.p), reach(work.closures->cuts[c].arm_child);
  }
  double largest = std::sqrt(reach_squared);
  for (size_t c = plan.cuts; c < plan.closures.size(); ++c)
    for (const Coupling::Term& term : plan.model->couplings[plan.closures[c].coupling].terms)
      largest = std::max(largest, std::abs(term.coefficient * work.q[plan.joints[term.joint.value].q + term.freedom]));
  return 8 * std::numeric_limits<double>::epsilon() * largest;
}

static int widest_closure(const Plan& plan, const Workspace& work) {
  size_t widest = 0;
  for (size_t c = 1; c < plan.closures.size(); ++c)
    if (closure_opening(work, c) > closure_opening(work, widest)) widest = c;
  return static_cast<int>(widest);
}

double closure_error(const Plan& plan, const Workspace& work) {
  return plan.closures.empty() ? 0 : closure_opening(work, widest_closure(plan, work));
}

int widest_joint(const Plan& plan, const Workspace& work) {
  return plan.closures.empty() ? -1 : named_joint(plan, plan.closures[widest_closure(plan, work)]);
}

std::span<const double> closure_scales(const Workspace& work) {
  return work.closures ? std::span<const double>(work.closures->scale) : std::span<const double>();
}

/// Branches are placed as asked for.
static Projection project(const Plan& plan, double t, double* q, double tolerance, int most_steps, Request::Branches branches,
                          Workspace& work) {
  Projection result;
  if (!work.closures) return result;
  for (int step = 0;; ++step) {
    openings(plan, t, q, {.branches = branches}, work);
    result.placed = true;
    result.error = closure_error(plan, work);
    if (step == 0) result.error_before = result.error;
    result.rounding = closure_rounding(plan, work);
    if (result.error <= std::max(tolerance, result.rounding)) return result;
    if (step == most_steps) {
      result.status = {Status::Code::not_closed, widest_joint(plan, work)};
      return result;
    }
    // Openings are undone one by one.
    result.placed = false;
    if (branches == Request::Branches::grouped && !plan.groups.empty()) run(work.programs->kinematics, work);
    result.status = undo_errors(plan, work);
    if (!result.status.ok()) return result;
    coordinate_rates(plan, work);
    for (int i = 0; i < plan.nq; ++i) q[i] += work.qdot[i];
    normalise(plan, q);
  }
}

Projection project(const Plan& plan, double t, double* q, double tolerance, int most_steps, Workspace& work) {
  return project(plan, t, q, tolerance, most_steps, Request::Branches::single, work);
}

Projection place_and_project(const Plan& plan, double t, double* q, double tolerance, int most_steps, Workspace& work) {
  return project(plan, t, q, tolerance, most_steps, branches_of(plan, work), work);
}

void measure_cuts(const Plan& plan, Workspace& work) {
  if (!work.closures) return;
  find_openings(plan, work);
  measure_freedoms(plan, work);
}

bool normalise(const Plan& plan, double* q) {
  if (plan.plain_coordinates) return false;
  for (const auto& batch : plan.joint_batches) batch->normalise(batch->all(), q, plan.nq);
  return true;
}

}  // namespace arthron
