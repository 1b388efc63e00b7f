#pragma once
#include <memory>

#include "arthron/dynamics/dynamics.hpp"
#include "mechanism.hpp"

/// Our models in the terms of mechanism.hpp: the tree that our planner chose, its cut joints as loops, its couplings as gears.
namespace arthron::peers {

/// The same bodies and joints with gravity alone: no forces, springs, efforts, drives.
[[nodiscard]] std::shared_ptr<const Model> without_loads(Model model);

/// Throws where a joint is of a kind that is not among the peers'.
[[nodiscard]] Mechanism mechanism(const Plan& plan);

/// Of a workspace after evaluate.
[[nodiscard]] Motion motion(const Plan& plan, const Workspace& work);
/// Velocities of the links' frames, world axes, and accelerations after evaluate_accelerations.
[[nodiscard]] std::vector<Acceleration> velocities(const Plan& plan, const Workspace& work);
[[nodiscard]] std::vector<Acceleration> accelerations(const Plan& plan, const Workspace& work);

}  // namespace arthron::peers
