#pragma once
#include "arthron/authoring/single_joint.hpp"
#include "support/random_model.hpp"

namespace arthron::test {

/// A joint of a registered type with random parameters in a random state.
struct DrawnJoint {
  RandomKeys random;
  JointInstance instance;
  SingleJoint joint;

  DrawnJoint(const Registry& registry, const std::string& name, bool reversed, bool mirrored, unsigned seed)
      : random(seed), instance(joint_with_keys(registry, random.keys_of(*registry.joint(name), 0))), joint(instance, reversed, mirrored) {
    joint.go_to_random_state(random);
  }
  DrawnJoint(const DrawnJoint&) = delete;
  DrawnJoint& operator=(const DrawnJoint&) = delete;
};

}  // namespace arthron::test
