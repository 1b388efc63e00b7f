#include <algorithm>

#include "arthron/dynamics/stages.hpp"
#include "arthron/spatial/rotation_vector.hpp"

namespace arthron {

namespace {

using std::size_t;

void move_grounds(const Plan& plan, Workspace& work) {
  const Instant now = work.now();
  for (size_t g = 0; g < plan.ground.size(); ++g) {
    const PlanGround& ground = plan.ground[g];
    work.body[g].X_WB = Pose<double>{Mat3::identity(), ground.origin};
    work.body[g].V = work.A[g] = Wide6::zero();
    if (!ground.motion) continue;
    std::array<TimeFunction::Sample, 3> x, theta;
    for (size_t i = 0; i < 3; ++i) x[i] = ground.motion->translation[i].sample(now), theta[i] = ground.motion->rotation[i].sample(now);
    const Placement& file = ground.motion->placement;
    const Vec3 angle = file.axial({theta[0].value, theta[1].value, theta[2].value});
    const auto [w, alpha] = angular_motion(angle, file.axial({theta[0].rate, theta[1].rate, theta[2].rate}),
                                           file.axial({theta[0].acceleration, theta[1].acceleration, theta[2].acceleration}));
    const auto quaternion = quaternion_of(angle);
    work.body[g].X_WB = Pose<double>{quaternion_rotation(quaternion[0], quaternion[1], quaternion[2], quaternion[3]),
                                     ground.origin + file.polar({x[0].value, x[1].value, x[2].value})};
    work.body[g].V = Spatial6{file.polar({x[0].rate, x[1].rate, x[2].rate}), w};
    work.A[g] = Spatial6{file.polar({x[0].acceleration, x[1].acceleration, x[2].acceleration}), alpha};
  }
}

void drive_joints(const Plan& plan, Workspace& work) {
  const Instant now = work.now();
  for (const int j : plan.driven_joints) {
    const PlanJoint& joint = plan.joints[static_cast<size_t>(j)];
    const Joint& given = plan.model->joints[static_cast<size_t>(j)];
    std::array<TimeFunction::Sample, 6> chart;
    std::array<double, 6> value{};
    for (size_t i = 0; i < given.motion.size(); ++i) chart[i] = given.motion[i].sample(now), value[i] = chart[i].value;
    const JointType& type = given.definition->type();
    type.from_chart(*given.definition, value.data(), work.q.data() + joint.q);
    type.chart_motion(*given.definition, chart.data(), work.u.data() + joint.u, work.drive_acceleration.data() + joint.u);
  }
}

}  // namespace

void kinematics(const Plan& plan, double t, const double* q, Workspace& work) {
  work.t = t;
  move_grounds(plan, work);
  kinematics_on_grounds(plan, t, q, work);
}

void kinematics_on_grounds(const Plan& plan, double t, const double* q, Workspace& work) {
  work.t = t;
  std::copy_n(q, plan.nq, work.q.data());
  drive_joints(plan, work);
  for (const auto& batch : plan.joint_batches) batch->position(work.q.data(), work.X_FM.data(), work.H_F.data());

  for (size_t b = static_cast<size_t>(plan.grounds); b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    const WidePose& X_WP = work.body[static_cast<size_t>(body.parent)].X_WB;
    const Pose<double>& X_FM = work.X_FM[static_cast<size_t>(body.joint)];
    BodyWork& out = work.body[b];
    const WideMatrix3 R_WF = body.aligned ? X_WP.R : X_WP.R * body.R_PF;
    // Handle and arm: the joint's slide is along F axes.
    out.arm = X_WP.R * body.p_PF;
    if (body.slides) out.arm += R_WF * X_FM.p;
    out.X_WB.p = X_WP.p + out.arm;
    const WideMatrix3 R = R_WF * X_FM.R;
    out.X_WB.R = R;
    // Columns and inertia in world axes.
    for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) {
      const Spatial6& h = work.H_F[c];
      switch (plan.shapes[c]) {
        case ColumnShape::rotation: work.column[c].H = {Wide3::zero(), R_WF * h.angular}; break;
        case ColumnShape::translation: work.column[c].H = {R_WF * h.linear, Wide3::zero()}; break;
        case ColumnShape::general: work.column[c].H = {R_WF * h.linear, R_WF * h.angular}; break;
      }
    }
    out.first_moment = R * body.first_moment;
    out.second_moment = rotated(R, body.second_moment);
  }
}

void column_rates(const Plan& plan, Workspace& work) {
  for (const int batch : plan.varying_batches)
    plan.joint_batches[static_cast<size_t>(batch)]->rate(work.q.data(), work.u.data(), work.Hdot_F.data());
}

void forward_velocities(const Plan& plan, Workspace& work) {
  for (size_t b = static_cast<size_t>(plan.grounds); b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    Wide6 V = velocity_at(work.body[static_cast<size_t>(body.parent)].V, work.body[b].arm);
    for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) V += work.u[c] * work.column[c].H;
    work.body[b].V = V;
  }
}

}  // namespace arthron
