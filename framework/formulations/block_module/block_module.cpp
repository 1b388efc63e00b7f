#include "arthron/formulations/block_module/block_module.hpp"

#include <limits>

#include "arthron/dynamics/closures.hpp"
#include "arthron/formulations/block_module/stages.hpp"

namespace arthron::block_module {

namespace {

using std::size_t;

/// Assemblies of a task from the last one back.
template <class Step>
void backward(const Work::Task& task, Step step) {
  for (size_t k = task.assemblies.size(); k-- > 0;) step(static_cast<size_t>(task.assemblies[k]));
}

size_t slot_of(const Work& own, int body) { return static_cast<size_t>(own.modules[body].border.first); }

/// Accelerations of a body in a flow: R + D Q, or D Q of it alone.
void accelerate(int body, bool with_R, const Work::Flow& from, Work& own) {
  const size_t slot = slot_of(own, body);
  const Vector6 caused = block(own, body, static_cast<int>(slot), static_cast<int>(slot)) * from.Q[slot];
  if (with_R)
    own.A[body] = from.R[slot] + caused;
  else
    own.A[body] += caused;
}

/// What the accelerations leave of a constraint: c - G a.
Vector6 remainder(const Work::Assembly& assembly, const Work::Factors& factors, const Work& own) {
  Vector6 e = factors.known;
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t) e.noalias() -= own.G[t].transpose() * own.A[own.touches[t].body];
  if (assembly.closure >= 0) leave_null_space(assembly, factors, e);
  return e;
}

/// The same in parts of what the bodies would have it be, the largest of a task.
double largest_remainder(const Work& own, const Work::Task& task) {
  double largest = 0;
  for (const int i : task.assemblies) {
    const Work::Assembly& assembly = own.assemblies[i];
    Vector6 size = own.factors[i].known.cwiseAbs();
    for (int t = assembly.touches.first; t < assembly.touches.last; ++t)
      size.noalias() += own.G[t].cwiseAbs().transpose() * own.A[own.touches[t].body].cwiseAbs();
    const double part =
        remainder(assembly, own.factors[i], own).cwiseAbs().maxCoeff() / (std::numeric_limits<double>::min() + size.maxCoeff());
    if (!(part <= largest)) largest = part;
  }
  return largest;
}

/// Acceleration of a body into the workspace, with those along the freedoms of its inboard joint. False when a number is not finite.
bool give_acceleration(const Plan& plan, Workspace& work, size_t b, const Work& own) {
  const PlanBody& body = plan.bodies[b];
  work.A[b] = spatial(own.A[b]);
  const Wide6 carrier = body.parent < plan.grounds ? work.A[body.parent] : Wide6(spatial(own.A[body.parent]));
  const Vector6 relative = dense(work.A[b] - velocity_at(carrier, work.body[b].arm) - work.gamma[b]);
  for (int c = 0; c < body.columns; ++c) {
    const size_t column = body.u + c;
    work.udot[column] = body.driven ? work.drive_acceleration[column] : own.joints[b].H_dual.col(c).dot(relative);
  }
  return own.A[b].allFinite();
}

Vector6 lowered_multipliers(size_t i, const Work::Flow& flow, Work& own) {
  Vector6 lambda = multipliers(*own.caller.plan, i, own, flow.g[i], flow);
  if (own.assemblies[i].closure >= 0) leave_null_space(own.assemblies[i], own.factors[i], lambda);
  return lambda;
}

}  // namespace

void find_task_directions(Work& own, Work::Task& task) {
  for (const int b : task.bodies) find_directions(*own.caller.plan, *own.caller.work, b, own);
}

void assemble_task(Work& own, Work::Task& task) {
  task.singular = -1;
  for (const int b : task.bodies) start_body(*own.caller.plan, *own.caller.work, b, own);
  for (const int i : task.assemblies) {
    const Work::Assembly& assembly = own.assemblies[i];
    find_rows(*own.caller.plan, *own.caller.work, i, own);
    if (!eliminate(*own.caller.plan, i, own) && task.singular < 0) task.singular = i;
    Vector6 g = opening(assembly, own.factors[i].known, own, own.flow);
    if (assembly.closure >= 0) leave_null_space(assembly, own.factors[i], g);
    raise(*own.caller.plan, i, own, g, own.flow);
  }
}

void disassemble_task(Work& own, Work::Task& task) {
  if (task.assemblies.empty())
    for (const int b : task.bodies) own.flow.Q[slot_of(own, b)].setZero();
  backward(task, [&](size_t i) { lower(*own.caller.plan, i, own, lowered_multipliers(i, own.flow, own), own.flow); });
  for (const int b : task.bodies) accelerate(b, true, own.flow, own);
}

void finish_task(Work& own, Work::Task& task) {
  task.remainder = largest_remainder(own, task);
  task.finite = true;
  for (const int b : task.bodies)
    if (!give_acceleration(*own.caller.plan, *own.caller.work, b, own)) task.finite = false;
}

void raise_remainders(Work& own, Work::Task& task) {
  for (const int b : task.bodies) own.search.R[slot_of(own, b)].setZero(), own.search.Q[slot_of(own, b)].setZero();
  for (const int i : task.assemblies) {
    const Work::Assembly& assembly = own.assemblies[i];
    raise(*own.caller.plan, i, own, opening(assembly, remainder(assembly, own.factors[i], own), own, own.search), own.search);
  }
}

void lower_remainders(Work& own, Work::Task& task) {
  backward(task, [&](size_t i) {
    const Vector6 lambda = lowered_multipliers(i, own.search, own);
    lower(*own.caller.plan, i, own, lambda, own.search);
    own.flow.lambda[i] += lambda;
  });
  for (const int b : task.bodies) accelerate(b, false, own.search, own);
}

void lower_null_space(Work& own, Work::Task& task) {
  backward(task, [&](size_t i) {
    const Work::Assembly& assembly = own.assemblies[i];
    Vector6 lambda = multipliers(*own.caller.plan, i, own, Vector6::Zero(), own.search);
    if (assembly.closure >= 0)
      for (int k = own.factors[i].rank; k < assembly.rows; ++k) lambda += own.direction[i][k] * own.factors[i].null.col(k);
    lower(*own.caller.plan, i, own, lambda, own.search);
  });
}

void raise_multipliers(Work& own, Work::Task& task) {
  for (const int b : task.bodies) own.search.R[slot_of(own, b)].setZero();
  for (const int i : task.assemblies) {
    const Work::Assembly& assembly = own.assemblies[i];
    const Vector6 g = opening(assembly, assembly.closure < 0 ? Vector6(Vector6::Zero()) : Vector6(-own.flow.lambda[i]), own, own.search);
    raise(*own.caller.plan, i, own, g, own.search);
    if (assembly.closure < 0) continue;
    for (int k = own.factors[i].rank; k < assembly.rows; ++k) own.residual[i][k] = -own.factors[i].null.col(k).dot(g);
  }
}

}  // namespace arthron::block_module

namespace arthron {

namespace {

using std::size_t;
using namespace block_module;

/// N^T: the square of the size of `residual`.
double find_residual(Work& own) {
  run(own.passes.transposed_null_space, own);
  double squared = 0;
  for (size_t i = 0; i < own.assemblies.size(); ++i)
    if (own.assemblies[i].closure >= 0)
      for (int k = own.factors[i].rank; k < own.assemblies[i].rows; ++k) squared += own.residual[i][k] * own.residual[i][k];
  return squared;
}

/// Takes from the closures' multipliers their part in the range of N, by conjugate gradients on its normal equations (CGLS). N are the
/// multipliers of all closures that combinations of dependent rows and the answers of what was eliminated before add up to, without any
/// acceleration; N^T is the way up with multipliers as openings. Where every null vector stays within its closure the way down has left
/// nothing of it, and one way up shows that.
void minimise_multipliers(Work& own) {
  constexpr double small = 1e-13;
  int unknowns = 0;
  double size = 0;
  for (size_t i = 0; i < own.assemblies.size(); ++i) {
    if (own.assemblies[i].closure < 0) continue;
    unknowns += own.assemblies[i].rows - own.factors[i].rank;
    size += own.flow.lambda[i].squaredNorm();
  }
  own.search_steps = 0;
  if (unknowns == 0) return;
  double squared = find_residual(own);
  own.direction = own.residual;
  for (int& step = own.search_steps; step < 2 * unknowns + 10 && squared > small * small * size; ++step) {
    run(own.passes.null_space, own);
    double length = 0;
    for (size_t i = 0; i < own.assemblies.size(); ++i)
      if (own.assemblies[i].closure >= 0) length += own.search.lambda[i].squaredNorm();
    for (size_t i = 0; i < own.assemblies.size(); ++i)
      if (own.assemblies[i].closure >= 0) own.flow.lambda[i] -= (squared / length) * own.search.lambda[i];
    const double before = squared;
    squared = find_residual(own);
    for (size_t i = 0; i < own.assemblies.size(); ++i) own.direction[i] = own.residual[i] + (squared / before) * own.direction[i];
  }
}

/// The first joint that is singular, in the order of the assemblies.
Status trouble(const Plan& plan, const Work& own) {
  int first = -1;
  for (const Work::Task& task : own.tasks)
    if (task.singular >= 0 && (first < 0 || task.singular < first)) first = task.singular;
  if (first < 0) return {};
  return {Status::Code::singular_joint, plan.bodies[own.assemblies[first].body].joint};
}

bool is_refined(const Work& own) {
  constexpr double rounding = 1e-13;
  for (const Work::Task& task : own.tasks)
    if (task.remainder > rounding) return false;
  return true;
}

}  // namespace

Status block_module_accelerations(const Plan& plan, Workspace& work, BlockModuleWork& own) {
  own.caller = {&plan, &work};
  run(own.passes.directions, own);
  run(own.passes.solve, own);
  if (const Status status = trouble(plan, own); !status.ok()) return status;
  run(own.passes.finish, own);
  // Small pivots cost digits that solving once more for what is left of the constraints brings back.
  constexpr int most_refinements = 2;
  for (int i = 0; i < most_refinements && !is_refined(own); ++i) run(own.passes.refine, own), run(own.passes.finish, own);
  for (const Work::Task& task : own.tasks)
    if (!task.finite) return {Status::Code::not_finite};
  if (!work.closures) return {};
  minimise_multipliers(own);
  for (ClosureWork::Cut& cut : work.closures->cuts) cut.sigma.setZero();
  for (size_t i = 0; i < own.assemblies.size(); ++i)
    if (const int c = own.assemblies[i].closure; c >= 0) work.closures->cuts[c].sigma = own.flow.lambda[i];
  return {};
}

}  // namespace arthron
