#include <Eigen/LU>
#include <limits>

#include "arthron/formulations/block_module/schedule.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Inertias in body axes, from the Model, where they are about the centre of mass.
void invert_inertias(const Plan& plan, BlockModuleWork& work) {
  work.inverse.resize(plan.bodies.size());
  for (size_t i = 0; i < plan.model->bodies.size(); ++i) {
    const Body& given = plan.model->bodies[i];
    if (given.ground) continue;
    const size_t b = plan.body_of[i];
    const Eigen::Matrix3d R = dense(plan.frame_in_body[i].R) * dense(given.frame.R).transpose();
    const Eigen::Matrix3d inverse = R * dense(given.inertia).inverse() * R.transpose();
    const double mass = plan.bodies[b].mass;
    work.inverse[b] = {{inverse(0, 0), inverse(1, 1), inverse(2, 2), inverse(0, 1), inverse(0, 2), inverse(1, 2)},
                       1 / mass,
                       (-1 / mass) * plan.bodies[b].first_moment};
  }
}

}  // namespace

BlockModuleWork::BlockModuleWork(const Plan& plan, double grain) {
  block_module::schedule(plan, *this);
  block_module::divide_assemblies(plan, grain, *this);
  invert_inertias(plan, *this);
  const Vector6 nan6 = Vector6::Constant(std::numeric_limits<double>::quiet_NaN());
  const Matrix6 nan36 = Matrix6::Constant(nan6[0]);
  size_t blocks = 0;
  for (Module& module : modules) {
    module.D = blocks;
    blocks += static_cast<size_t>(module.border.size()) * static_cast<size_t>(module.border.size());
  }
  loss.assign(modules.size(), 1), A.assign(plan.bodies.size(), nan6);
  Columns6 none(6, 0);
  joints.assign(plan.bodies.size(), {none, none});
  G.assign(touches.size(), nan36), D.assign(blocks, nan36), W.assign(slots.size(), nan36), W_touch.assign(touches.size(), nan36);
  factors.assign(assemblies.size(), {nan36, nan6, nan6, nan36, {0, 1, 2, 3, 4, 5}, 0});
  for (Flow* each : {&flow, &search}) {
    each->R.assign(slots.size(), nan6), each->Q.assign(slots.size(), nan6);
    each->g.assign(assemblies.size(), nan6), each->lambda.assign(assemblies.size(), nan6);
  }
  residual.assign(plan.closures.empty() ? 0 : assemblies.size(), Vector6::Zero());
  direction = residual;
}

}  // namespace arthron
