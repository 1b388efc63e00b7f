#pragma once
#include "arthron/dynamics/block_module.hpp"

/// What the block-module formulation takes from the workspace: dependency matrices of single bodies, and rows of the constraints.
namespace arthron {

/// The block of two border bodies of a module.
inline Matrix6& block(BlockModuleWork& modules, int module, int row, int column) {
  const BlockModuleWork::Module& of = modules.modules[static_cast<std::size_t>(module)];
  return modules.D[of.D + static_cast<std::size_t>((row - of.border.first) * of.border.size() + column - of.border.first)];
}

/// Directions of the inboard joints; D of the bodies, and R from what acts on them and along their joints.
void start_bodies(const Plan& plan, const Workspace& work, BlockModuleWork& modules);

/// G^T on the bodies an assembly's constraint acts on, and c with what grounds add to it.
void find_rows(const Plan& plan, const Workspace& work, std::size_t assembly, BlockModuleWork& modules);

}  // namespace arthron
