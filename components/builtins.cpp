#include "arthron/components/builtins.hpp"

namespace arthron {

void register_builtins(Registry& registry) {
  register_bodies(registry);
  register_axis_joints(registry);
  register_ball_joints(registry);
  register_point_joints(registry);
  register_expression_joints(registry);
  register_larger_expression_joints(registry);
  register_forces(registry);
}

Registry builtin_registry() {
  Registry registry;
  register_builtins(registry);
  return registry;
}

}  // namespace arthron
