#pragma once
#include <string>

#include "../machines.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"

/// The systems that are measured, ours and the peers'.
namespace arthron::peers {

inline Model example(const std::string& name) {
  return load_model(ARTHRON_SOURCE_DIR "/examples/" + name + "/" + name + ".json", builtin_registry());
}

/// N four-bars side by side with the slender links of examples/fourbar_ladder, in which N = 2.
inline Model four_bars(int n) {
  Model model = *bench::ladder(n);
  for (Body& body : model.bodies) {
    const double across = 1.0 / 12, along = 0.001;
    const bool stands = body.com.y < 0.75;
    body.inertia = {stands ? across : along, stands ? along : across, across, 0, 0, 0};
  }
  return model;
}

/// An example with every joint in motion.
inline Model moving(const std::string& name) {
  Model model = example(name);
  double phase = 0;
  for (Joint& joint : model.joints) {
    joint.initial_velocity.resize(joint.definition->type().nu());
    for (double& u : joint.initial_velocity) u = 0.5 * std::cos(phase++);
  }
  return model;
}

/// The car with its body on a hinge along x, so that its suspension hangs: in free fall gravity moves no joint.
inline Model hung_vehicle() {
  Model model = moving("vehicle");
  for (Joint& joint : model.joints)
    if (joint.path == "drive") {
      joint.definition =
          std::make_shared<JointDefinitionOf<RevoluteJoint>>(RevoluteJoint{{1, 0, 0}}, std::make_shared<JointTypeOf<RevoluteJoint>>());
      joint.initial_velocity = {0.5}, joint.initial_position.clear();
    }
  return model;
}

}  // namespace arthron::peers
