/// evaluate_chain N K: evaluates a serial chain of N revolute joints K times, and prints a checksum. For counting instructions.
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "arthron/components/joints/revolute.hpp"
#include "arthron/component/joint_batch.hpp"
#include "arthron/dynamics/dynamics.hpp"

int main(int argc, char** argv) {
  using namespace arthron;
  const int n = argc > 1 ? std::atoi(argv[1]) : 64, evaluations = argc > 2 ? std::atoi(argv[2]) : 100;
  const auto revolute = std::make_shared<JointTypeOf<RevoluteJoint>>();
  const auto definition = std::make_shared<JointDefinitionOf<RevoluteJoint>>(RevoluteJoint{{0, 0, 1}}, revolute);

  auto model = std::make_shared<Model>();
  model->gravity = {0, -9.81, 0};
  model->bodies.push_back({.path = "ground", .ground = true});
  for (int i = 0; i < n; ++i) {
    model->bodies.push_back({.path = "b", .mass = 1, .com = {i + 0.5, 0, 0}, .inertia = {1, 1, 1, 0, 0, 0}});
    Joint joint{.path = "j", .definition = definition, .parent = {i}, .child = {i + 1}};
    joint.frame.p = {static_cast<double>(i), 0, 0};
    joint.initial_position = {0.1 * std::sin(i)};
    joint.initial_velocity = {0.3 * std::cos(i)};
    model->joints.push_back(joint);
  }

  const auto plan = compile(model);
  const auto work = make_workspace(*plan);
  State state;
  if (!initial_state(*plan, *work, state).ok()) return 1;
  std::vector<double> qdot(state.q.size()), pdot(state.p.size());
  double sum = 0;
  for (int k = 0; k < evaluations; ++k) {
    if (!evaluate(*plan, 0, state.q.data(), state.p.data(), qdot.data(), pdot.data(), *work).ok()) return 1;
    sum += qdot.back() + pdot.front();
  }
  std::cout << sum << '\n';
}
