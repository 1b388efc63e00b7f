#pragma once
#include "arthron/component/registry.hpp"

namespace arthron {

/// Registers every component type that ships with the program: those that the lists below name. A type in none of them does not exist.
void register_builtins(Registry& registry);

/// The lists, each in a file of its own: the kernel's loops are compiled for every type, and most of the time goes there.
void register_bodies(Registry& registry);
void register_axis_joints(Registry& registry);
void register_ball_joints(Registry& registry);
void register_point_joints(Registry& registry);
void register_expression_joints(Registry& registry);
void register_larger_expression_joints(Registry& registry);
void register_forces(Registry& registry);

/// A registry with the built-in types alone.
[[nodiscard]] Registry builtin_registry();

}  // namespace arthron
