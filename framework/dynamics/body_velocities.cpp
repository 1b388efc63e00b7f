#include "arthron/dynamics/body_velocities.hpp"

#include <algorithm>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

/// What is said weighs this much more than what is not. What this leaves of an error is undone by repetition.
constexpr double weight = 1e6;
constexpr int following = 4, repetitions = 6;

/// The model with the masses and inertias of what is said made heavy, for the sake of its velocities alone.
std::shared_ptr<const Model> weighed(const Model& model) {
  auto heavy = std::make_shared<Model>(model);
  heavy->simulation.formulation = "hdca", heavy->simulation.elimination = "fold";
  for (const BodyVelocity& velocity : model.initial_velocities) {
    Body& body = heavy->bodies[velocity.body.value];
    Sym3& I = body.inertia;
    if (velocity.linear) body.mass *= weight;
    if (velocity.angular)
      for (double* moment : {&I.xx, &I.yy, &I.zz, &I.xy, &I.xz, &I.yz}) *moment *= weight;
  }
  return heavy;
}

/// Momenta of bodies with given velocities, and what they are along the joints.
class Targets {
 public:
  Targets(const Plan& plan, Workspace& work)
      : plan_(plan),
        work_(work),
        members_(plan.bodies.size()),
        said_(plan.model->bodies.size()),
        u_(work.u),
        V_(plan.bodies.size()),
        P_(plan.bodies.size()) {
    for (size_t i = 0; i < plan.model->bodies.size(); ++i)
      if (!plan.model->bodies[i].ground) members_[plan.body_of[i]].push_back(i);
    for (const BodyVelocity& velocity : plan.model->initial_velocities) said_[velocity.body.value] = &velocity;
    for (size_t b = 0; b < V_.size(); ++b) V_[b] = work.body[b].V;
  }

  /// Bodies of which something is said move as they do, and the others with the first velocities of their joints on top of that.
  void follow_inward() {
    for (size_t b = plan_.grounds; b < V_.size(); ++b) {
      const PlanBody& body = plan_.bodies[b];
      if (std::any_of(members_[b].begin(), members_[b].end(), [&](size_t i) { return said_[i] != nullptr; })) {
        V_[b] = work_.body[b].V;
        continue;
      }
      V_[b] = velocity_at(V_[body.parent], work_.body[b].arm);
      for (int c = body.u; c < body.u + body.columns; ++c) V_[b] += u_[c] * work_.column[c].H;
    }
  }
  /// As they move now.
  void follow_motion() {
    for (size_t b = plan_.grounds; b < V_.size(); ++b) V_[b] = work_.body[b].V;
  }

  void write_momenta() {
    std::fill(P_.begin(), P_.end(), Wide6::zero());
    for (size_t b = 0; b < members_.size(); ++b)
      for (const size_t i : members_[b]) P_[b] += momentum_of(i, V_[b]);
    for (int b = static_cast<int>(P_.size()); b-- > plan_.grounds;) {
      const PlanBody& body = plan_.bodies[b];
      for (int c = body.u; !body.driven && c < body.u + body.columns; ++c) work_.p[c] = dot(work_.column[c].H, P_[b]);
      P_[body.parent] += wrench_from(P_[b], work_.body[b].arm);
    }
  }

 private:
  /// How the body of the model has turned since it was drawn, and where its centre is from the O of its body of the plan.
  [[nodiscard]] Mat3 turn_of(size_t i) const {
    return frame_pose(plan_, work_, {static_cast<int>(i)}).R * transpose(plan_.model->bodies[i].frame.R);
  }
  [[nodiscard]] Vec3 arm_of(size_t i) const {
    const Body& body = plan_.model->bodies[i];
    const Vec3 O = work_.body[plan_.body_of[i]].X_WB.p;
    return frame_pose(plan_, work_, {static_cast<int>(i)}).p + turn_of(i) * (body.com - body.frame.p) - O;
  }
  /// At O, of a body that moves with V there but for what is said of it.
  [[nodiscard]] Wide6 momentum_of(size_t i, Wide6 V) const {
    say(i, V);
    const Body& body = plan_.model->bodies[i];
    const Wide3 arm(arm_of(i));
    const Spatial6 of_centre = velocity_at(V, arm);
    return wrench_from(Wide6(Spatial6{body.mass * of_centre.linear, rotated(turn_of(i), body.inertia) * of_centre.angular}), arm);
  }
  /// V, at O, with what is said of the body instead.
  void say(size_t i, Wide6& V) const {
    const BodyVelocity* said = said_[i];
    if (!said) return;
    const Vec3 arm = arm_of(i);
    Spatial6 of_centre = velocity_at(V, Wide3(arm));
    if (said->linear) of_centre.linear = *said->linear;
    if (said->angular) of_centre.angular = *said->angular;
    V = velocity_at(Wide6(of_centre), Wide3(-arm));
  }

  const Plan& plan_;
  Workspace& work_;
  std::vector<std::vector<size_t>> members_;  // per body of the plan, those of the model that it is made of
  std::vector<const BodyVelocity*> said_;     // per body of the model, null where nothing is
  std::vector<double> u_;                     // velocities of the joints that they begin with
  std::vector<Wide6> V_, P_;                  // per body of the plan, at O
};

}  // namespace

std::vector<BodyVelocity> velocities_not_admitted(const Plan& plan, const Workspace& work) {
  constexpr double same = 1e-9;  // of the velocity, or of 1 m/s and 1 rad/s
  const auto differ = [](const std::optional<Vec3>& said, const Vec3& v) {
    return said && norm(*said - v) > same * std::max(1.0, norm(*said));
  };
  std::vector<BodyVelocity> list;
  for (const BodyVelocity& said : plan.model->initial_velocities) {
    const Body& body = plan.model->bodies[said.body.value];
    const Vec3 arm = frame_pose(plan, work, said.body).R * transposed_times(body.frame.R, body.com - body.frame.p);
    const Spatial6 V = velocity_at<double>(frame_velocity(plan, work, said.body), arm);
    if (differ(said.linear, V.linear) || differ(said.angular, V.angular)) list.push_back({said.body, V.linear, V.angular});
  }
  return list;
}

Status take_body_velocities(const Plan& plan, double t, std::vector<JointStart>& starts) {
  const std::shared_ptr<const Plan> heavy = compile(weighed(*plan.model));
  const std::unique_ptr<Workspace> work = make_workspace(*heavy);
  State state;
  if (const Status status = assemble(*heavy, starts, t, *work, state); !status.ok()) return status;
  std::fill(work->u.begin(), work->u.end(), 0);
  for (size_t j = 0; j < starts.size(); ++j)
    if (heavy->joints[j].closure < 0) {
      std::copy(starts[j].velocity.begin(), starts[j].velocity.end(), work->u.data() + heavy->joints[j].u);
      std::fill_n(work->held.begin() + heavy->joints[j].u, heavy->joints[j].nu, starts[j].keep);
    }
  kinematics(*heavy, t, state.q.data(), *work);
  forward_velocities(*heavy, *work);
  if (work->closures) closure_kinematics(*heavy, *work);
  Targets targets(*heavy, *work);
  for (int i = 0; i < repetitions; ++i) {
    // First how the bodies move of which something is said, then the others with them, then what both did to one another.
    i < following ? targets.follow_inward() : targets.follow_motion();
    targets.write_momenta();
    if (const Status status = fold_velocities(*heavy, *work); !status.ok()) return status;
  }
  std::fill(work->held.begin(), work->held.end(), 0);
  measure_cuts(*heavy, *work);
  for (size_t j = 0; j < starts.size(); ++j) {
    starts[j].velocity.resize(heavy->joints[j].nu);
    joint_velocity(*heavy, *work, {static_cast<int>(j)}, starts[j].velocity.data());
  }
  return {};
}

}  // namespace arthron
