#pragma once
#include "chain.hpp"

namespace arthron::bench {

/// N four-bars side by side, all links 1 m, of spatial revolutes, moving away from their singular positions (examples/fourbar_ladder).
inline std::shared_ptr<const Model> ladder(int n) {
  const auto revolute = std::make_shared<JointTypeOf<RevoluteJoint>>();
  const auto definition = std::make_shared<JointDefinitionOf<RevoluteJoint>>(RevoluteJoint{{0, 0, 1}}, revolute);
  auto model = std::make_shared<Model>();
  model->gravity = {0, -9.81, 0};
  Body ground;
  ground.ground = true;
  model->subsystems.emplace_back();
  model->bodies.push_back(ground);
  const auto add_body = [&](Vec3 com) {
    Body body;
    body.mass = 1, body.com = com, body.inertia = {0.08, 0.08, 0.08, 0, 0, 0};
    model->bodies.push_back(body);
    return static_cast<int>(model->bodies.size()) - 1;
  };
  const auto add_joint = [&](int parent, int child, Vec3 at, double velocity) {
    Joint joint;
    joint.definition = definition, joint.parent = {parent}, joint.child = {child}, joint.frame.p = at;
    joint.initial_velocity = {velocity};
    model->joints.push_back(joint);
  };
  int last = 0;
  for (int i = 0; i <= n; ++i) {
    const double x = i;
    const int crank = add_body({x, 0.5, 0});
    add_joint(0, crank, {x, 0, 0}, -1);
    if (i > 0) {
      const int coupler = add_body({x - 0.5, 1, 0});
      add_joint(last, coupler, {x - 1, 1, 0}, 1);
      add_joint(crank, coupler, {x, 1, 0}, 0);
    }
    last = crank;
  }
  return model;
}

}  // namespace arthron::bench
