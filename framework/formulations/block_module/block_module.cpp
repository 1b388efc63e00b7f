#include "arthron/formulations/block_module/block_module.hpp"

#include <limits>

#include "arthron/dynamics/closures.hpp"
#include "arthron/formulations/block_module/stages.hpp"

namespace arthron {

namespace {

using std::size_t;
using namespace block_module;

/// N: multipliers of all closures that combinations of dependent rows and the answers of what was eliminated before add up to, without any
/// acceleration; `amounts` are along the null vectors of each closure.
void apply_null_space(const Plan& plan, const std::vector<Vector6>& amounts, Work& own) {
  for (size_t i = own.assemblies.size(); i-- > 0;) {
    const Work::Assembly& assembly = own.assemblies[i];
    Vector6 lambda = multipliers(plan, i, own, Vector6::Zero(), own.search);
    if (assembly.closure >= 0)
      for (int k = own.factors[i].rank; k < assembly.rows; ++k) lambda += amounts[i][k] * own.factors[i].null.col(k);
    lower(plan, i, own, lambda, own.search);
  }
}

/// N^T, which is the way up with the multipliers of `flow` as openings: the square of the result's size.
double apply_transposed_null_space(const Plan& plan, std::vector<Vector6>& amounts, Work& own) {
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) own.search.R[own.modules[b].border.first].setZero();
  double squared = 0;
  for (size_t i = 0; i < own.assemblies.size(); ++i) {
    const Work::Assembly& assembly = own.assemblies[i];
    const Vector6 g = opening(assembly, assembly.closure < 0 ? Vector6(Vector6::Zero()) : Vector6(-own.flow.lambda[i]), own, own.search);
    raise(plan, i, own, g, own.search);
    if (assembly.closure < 0) continue;
    for (int k = own.factors[i].rank; k < assembly.rows; ++k) {
      amounts[i][k] = -own.factors[i].null.col(k).dot(g);
      squared += amounts[i][k] * amounts[i][k];
    }
  }
  return squared;
}

/// Takes from the closures' multipliers their part in the range of N, by conjugate gradients on its normal equations (CGLS). Where every
/// null vector stays within its closure the way down has left nothing of it, and one way up shows that.
void minimise_multipliers(const Plan& plan, Work& own) {
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
  double squared = apply_transposed_null_space(plan, own.residual, own);
  own.direction = own.residual;
  for (int& step = own.search_steps; step < 2 * unknowns + 10 && squared > small * small * size; ++step) {
    apply_null_space(plan, own.direction, own);
    double length = 0;
    for (size_t i = 0; i < own.assemblies.size(); ++i)
      if (own.assemblies[i].closure >= 0) length += own.search.lambda[i].squaredNorm();
    for (size_t i = 0; i < own.assemblies.size(); ++i)
      if (own.assemblies[i].closure >= 0) own.flow.lambda[i] -= (squared / length) * own.search.lambda[i];
    const double before = squared;
    squared = apply_transposed_null_space(plan, own.residual, own);
    for (size_t i = 0; i < own.assemblies.size(); ++i) own.direction[i] = own.residual[i] + (squared / before) * own.direction[i];
  }
}

/// Matrices and right-hand sides of all modules, from the bodies up.
Status assemble(const Plan& plan, const Workspace& work, Work& own) {
  for (size_t i = 0; i < own.assemblies.size(); ++i) {
    const Work::Assembly& assembly = own.assemblies[i];
    find_rows(plan, work, i, own);
    if (!eliminate(plan, i, own)) return {Status::Code::singular_joint, plan.bodies[assembly.body].joint};
    Vector6 g = opening(assembly, own.factors[i].known, own, own.flow);
    if (assembly.closure >= 0) leave_null_space(assembly, own.factors[i], g);
    raise(plan, i, own, g, own.flow);
  }
  return {};
}

/// Multipliers of all constraints, and wrenches on all bodies, from the last module down.
void disassemble(const Plan& plan, Work& own) {
  for (const int b : own.loose) own.flow.Q[own.modules[b].border.first].setZero();
  for (size_t i = own.assemblies.size(); i-- > 0;) {
    Vector6 lambda = multipliers(plan, i, own, own.flow.g[i], own.flow);
    if (own.assemblies[i].closure >= 0) leave_null_space(own.assemblies[i], own.factors[i], lambda);
    lower(plan, i, own, lambda, own.flow);
  }
}

/// Accelerations of the bodies in a flow: R + D Q, or D Q of it alone.
void accelerate_bodies(const Plan& plan, bool with_R, const Work::Flow& from, Work& own) {
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const size_t slot = own.modules[b].border.first;
    const Vector6 caused = block(own, static_cast<int>(b), own.modules[b].border.first, own.modules[b].border.first) * from.Q[slot];
    if (with_R)
      own.A[b] = from.R[slot] + caused;
    else
      own.A[b] += caused;
  }
}

/// What the accelerations leave of a constraint: c - G a.
Vector6 remainder(const Work::Assembly& assembly, const Work::Factors& factors, const Work& own) {
  Vector6 e = factors.known;
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t) e.noalias() -= own.G[t].transpose() * own.A[own.touches[t].body];
  if (assembly.closure >= 0) leave_null_space(assembly, factors, e);
  return e;
}

/// Largest remainder of a constraint, in parts of what its bodies would have it be.
double largest_remainder(const Work& own) {
  double largest = 0;
  for (size_t i = 0; i < own.assemblies.size(); ++i) {
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

/// Solves once more for what is left of the constraints: small pivots cost digits that this brings back.
void refine(const Plan& plan, Work& own) {
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const size_t slot = own.modules[b].border.first;
    own.search.R[slot].setZero(), own.search.Q[slot].setZero();
  }
  for (size_t i = 0; i < own.assemblies.size(); ++i) {
    const Work::Assembly& assembly = own.assemblies[i];
    raise(plan, i, own, opening(assembly, remainder(assembly, own.factors[i], own), own, own.search), own.search);
  }
  for (size_t i = own.assemblies.size(); i-- > 0;) {
    Vector6 lambda = multipliers(plan, i, own, own.search.g[i], own.search);
    if (own.assemblies[i].closure >= 0) leave_null_space(own.assemblies[i], own.factors[i], lambda);
    lower(plan, i, own, lambda, own.search);
    own.flow.lambda[i] += lambda;
  }
  accelerate_bodies(plan, false, own.search, own);
}

/// Accelerations into the workspace, with those along the freedoms of the inboard joints. False when a number is not finite.
bool give_accelerations(const Plan& plan, Workspace& work, const Work& own) {
  bool finite = true;
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    work.A[b] = spatial(own.A[b]);
    finite = finite && own.A[b].allFinite();
    const Vector6 relative = dense(work.A[b] - velocity_at(work.A[body.parent], work.body[b].arm) - work.gamma[b]);
    for (int c = 0; c < body.columns; ++c) {
      const size_t column = body.u + c;
      work.udot[column] = body.driven ? work.drive_acceleration[column] : own.joints[b].H_dual.col(c).dot(relative);
    }
  }
  return finite;
}

}  // namespace

Status block_module_accelerations(const Plan& plan, Workspace& work, BlockModuleWork& modules) {
  start_bodies(plan, work, modules);
  if (const Status status = assemble(plan, work, modules); !status.ok()) return status;
  disassemble(plan, modules);
  accelerate_bodies(plan, true, modules.flow, modules);
  constexpr double rounding = 1e-13;
  constexpr int most_refinements = 2;
  for (int i = 0; i < most_refinements && largest_remainder(modules) > rounding; ++i) refine(plan, modules);
  if (!give_accelerations(plan, work, modules)) return {Status::Code::not_finite};
  if (!work.closures) return {};
  minimise_multipliers(plan, modules);
  for (ClosureWork::Cut& cut : work.closures->cuts) cut.sigma.setZero();
  for (size_t i = 0; i < modules.assemblies.size(); ++i)
    if (const int c = modules.assemblies[i].closure; c >= 0) work.closures->cuts[c].sigma = modules.flow.lambda[i];
  return {};
}

}  // namespace arthron
