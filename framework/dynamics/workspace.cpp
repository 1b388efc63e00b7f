#include "arthron/dynamics/workspace.hpp"

#include <limits>

#include "arthron/dynamics/chains.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/dynamics/modules.hpp"
#include "arthron/dynamics/programs.hpp"

namespace arthron {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Vec3 nan3{nan, nan, nan};
constexpr Spatial6 nan6{nan3, nan3};
constexpr Mat3 nan9{nan3, nan3, nan3};
constexpr Sym3 symmetric_nan{nan, nan, nan, nan, nan, nan};

}  // namespace

/// What never changes of the columns: halves that their shapes leave zero, and all of turns and slides, which reversed joints turn around.
static void begin_columns(const Plan& plan, Workspace& work) {
  for (size_t c = 0; c < plan.shapes.size(); ++c) {
    if (plan.shapes[c] == ColumnShape::rotation) work.column[c].H.linear = Wide3::zero();
    if (plan.shapes[c] == ColumnShape::translation) work.column[c].H.angular = Wide3::zero();
  }
  for (const PlanBody& body : plan.bodies) {
    if (body.move == Move::other) continue;
    const Vec3 direction{body.axis == 0 ? body.sense : 0, body.axis == 1 ? body.sense : 0, body.axis == 2 ? body.sense : 0};
    work.H_F[body.u] = body.move == Move::turn ? Spatial6{{}, direction} : Spatial6{direction, {}};
  }
}

Workspace::Workspace(const Plan& of) : plan(&of), gravity(of.model->gravity) {
  const size_t bodies = plan->bodies.size(), columns = plan->nu_all, joints = plan->joints.size();
  // A measurement that nobody connects shows.
  for (const SignalSource& source : plan->model->signals) signals.push_back({!source.input, source.input ? 0 : nan});
  q.assign(plan->nq_all, nan), u.assign(columns, nan), p.assign(plan->nu, nan), qdot.assign(plan->nq_all, nan);
  drive_acceleration.assign(columns, 0);
  X_FM.assign(joints, {nan9, nan3}), H_F.assign(columns, nan6), Hdot_F.assign(columns, nan6);
  const WideInertia nan_inertia{symmetric_nan, nan9, symmetric_nan};
  body.assign(bodies, {{nan9, nan3}, nan3, nan3, symmetric_nan, nan_inertia, nan6, nan6, nan6, nan6});
  column.assign(columns, {nan6, nan6, nan6, nan, nan}), held.assign(columns, 0);
  turned.assign(plan->turns.size(), {nan, nan});
  handles.assign(plan->handles.size(), {nan3, nan9, nan6}), wrenches.assign(plan->force_handles, nan6);
  drawn.assign(plan->draws_forces ? wrenches.size() : 0, {nan3, nan9, nan6});
  x.assign(plan->nx, nan), xdot.assign(x.size(), nan);
  for (const auto& batch : plan->force_batches) batch->initial_states(x.data());
  load.assign(bodies, nan6), tau.assign(columns, 0);
  gamma.assign(bodies, nan6), bias.assign(bodies, nan6), A.assign(bodies, nan6), F.assign(bodies, nan6), udot.assign(columns, nan);
  formulation = plan->formulation->make_work(*plan);
  part.assign(plan->parts.size() - 1, {nan_inertia, nan6, nan6, nan6, {}});
  if (!plan->chains.empty()) chains = std::make_unique<ChainWork>(*plan);
  programs = std::make_unique<const Programs>(*plan);
  if (!plan->modules.empty()) modules = std::make_unique<ModuleWork>(*plan);
  if (!plan->closure_nodes.empty()) closures = std::make_unique<ClosureWork>(*plan);
  for (const auto& batch : plan->closure_batches) batch->constants(X_FM.data(), H_F.data());
  for (const auto& batch : plan->joint_batches) batch->constants(X_FM.data(), H_F.data());
  begin_columns(*plan, *this);
  prepare_cuts(*plan, *this);
  groups.reserve(plan->groups.size());
  for (const SimdGroup& group : plan->groups) groups.push_back(std::make_unique<GroupWork>(*plan, group, *this));
}

Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

std::unique_ptr<Workspace> make_workspace(const Plan& plan) { return std::make_unique<Workspace>(plan); }

}  // namespace arthron
