#pragma once
#include <cmath>
#include <memory>
#include <string>

#include "arthron/component/joint_batch.hpp"
#include "arthron/components/joints/revolute.hpp"
#include "arthron/dynamics/dynamics.hpp"

namespace arthron::bench {

/// A serial chain of n links on revolute joints, 1 m and 1 kg each, in a bent and moving state.
inline std::shared_ptr<const Model> chain(int n, const std::string& elimination = "fold") {
  const auto revolute = std::make_shared<JointTypeOf<RevoluteJoint>>();
  const auto definition = std::make_shared<JointDefinitionOf<RevoluteJoint>>(RevoluteJoint{{0, 0, 1}}, revolute);
  auto model = std::make_shared<Model>();
  model->gravity = {0, -9.81, 0};
  model->simulation.elimination = elimination;
  Body ground;
  ground.ground = true;
  model->subsystems.emplace_back();
  model->bodies.push_back(ground);
  for (int i = 0; i < n; ++i) {
    Body body;
    body.mass = 1, body.com = {i + 0.5, 0, 0}, body.inertia = {1, 1, 1, 0, 0, 0};
    model->bodies.push_back(body);
    Joint joint;
    joint.definition = definition, joint.parent = {i}, joint.child = {i + 1};
    joint.frame.p = {static_cast<double>(i), 0, 0};
    joint.initial_position = {0.1 * std::sin(i)}, joint.initial_velocity = {0.3 * std::cos(i)};
    model->joints.push_back(joint);
  }
  return model;
}

/// A compiled model in its initial state.
struct Evaluation {
  std::shared_ptr<const Plan> plan;
  std::unique_ptr<Workspace> work;
  State state;
  std::vector<double> qdot, pdot;

  explicit Evaluation(std::shared_ptr<const Model> model, const Grain& grain = {})
      : plan(compile(std::move(model), grain)), work(make_workspace(*plan)) {
    if (!initial_state(*plan, *work, state).ok()) throw std::runtime_error("no initial state");
    qdot.resize(state.q.size()), pdot.resize(state.p.size());
  }
  double operator()() {
    const double *q = state.q.data(), *p = state.p.data();
    const Status status = plan->formulation->rates(*plan, 0, q, p, qdot.data(), pdot.data(), *work);
    if (!status.ok()) throw std::runtime_error("evaluation failed");
    return qdot.back() + pdot.front();
  }
};

}  // namespace arthron::bench
