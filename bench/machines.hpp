#pragma once
#include "arthron/components/joints/spherical.hpp"
#include "ladder.hpp"

/// Models of any size, to see how time grows with it and what more workers do.
namespace arthron::bench {

/// Builds models body by body.
class Machine {
 public:
  Machine() {
    model_->gravity = {0, 0, -9.81};
    model_->subsystems.emplace_back();
    Body ground;
    ground.ground = true;
    model_->bodies.push_back(ground);
  }
  int body(Vec3 com) {
    Body body;
    body.mass = 1, body.com = com, body.inertia = {0.08, 0.08, 0.08, 0, 0, 0};
    model_->bodies.push_back(body);
    return static_cast<int>(model_->bodies.size()) - 1;
  }
  void hinge(int parent, int child, Vec3 at, double angle, double rate) {
    Joint& joint = add(parent, child, at, hinge_);
    joint.initial_position = {angle}, joint.initial_velocity = {rate};
  }
  void ball(int parent, int child, Vec3 at) { add(parent, child, at, ball_); }
  [[nodiscard]] std::shared_ptr<const Model> model() const { return model_; }

 private:
  Joint& add(int parent, int child, Vec3 at, const std::shared_ptr<const JointDefinition>& definition) {
    Joint joint;
    joint.definition = definition, joint.parent = {parent}, joint.child = {child}, joint.frame.p = at;
    model_->joints.push_back(joint);
    return model_->joints.back();
  }

  std::shared_ptr<Model> model_ = std::make_shared<Model>();
  std::shared_ptr<const JointDefinition> hinge_ =
      std::make_shared<JointDefinitionOf<RevoluteJoint>>(RevoluteJoint{{0, 1, 0}}, std::make_shared<JointTypeOf<RevoluteJoint>>());
  std::shared_ptr<const JointDefinition> ball_ =
      std::make_shared<JointDefinitionOf<SphericalJoint>>(SphericalJoint{}, std::make_shared<JointTypeOf<SphericalJoint>>());
};

/// A tree in which every body carries two, of hinges.
inline std::shared_ptr<const Model> binary_tree(int n) {
  Machine machine;
  for (int i = 1; i <= n; ++i) {
    const double x = i % 100, z = -std::floor(std::log2(i));
    machine.body({x, 0, z - 0.5});
    machine.hinge(i / 2, i, {x, 0, z}, 0.1 * std::sin(i), 0.3 * std::cos(i));
  }
  return machine.model();
}

/// A rope of n links on ball joints, hung at one end.
inline std::shared_ptr<const Model> rope(int n) {
  Machine machine;
  for (int i = 0; i < n; ++i) {
    machine.body({i + 0.5, 0, 0});
    machine.ball(i, i + 1, {static_cast<double>(i), 0, 0});
  }
  return machine.model();
}

/// A net of n x n meshes, hung along one edge: rods between the knots, joined by balls; every mesh but those of the first row closes a
/// loop.
inline std::shared_ptr<const Model> net(int n) {
  Machine machine;
  std::vector<int> above(n + 1, 0);
  for (int row = 0; row < n; ++row) {
    const double z = -row;
    std::vector<int> down;
    for (int c = 0; c <= n; ++c) {
      const double x = c;
      down.push_back(machine.body({x, 0, z - 0.5}));
      machine.ball(above[c], down.back(), {x, 0, z});
    }
    for (int c = 0; c < n; ++c) {
      const double x = c;
      const int across = machine.body({x + 0.5, 0, z - 1});
      machine.ball(down[c], across, {x, 0, z - 1});
      machine.ball(down[c + 1], across, {x + 1, 0, z - 1});
    }
    above = down;
  }
  return machine.model();
}

}  // namespace arthron::bench
