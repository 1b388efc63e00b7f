#pragma once
#include "arthron/formulations/block_module/block_module.hpp"

/// The stages that the block-module formulation is made of.
namespace arthron::block_module {

using Work = BlockModuleWork;

/// The block of two border bodies of a module.
inline Matrix6& block(Work& own, int module, int row, int column) {
  const Work::Module& of = own.modules[module];
  return own.D[of.D + static_cast<std::size_t>((row - of.border.first) * of.border.size() + column - of.border.first)];
}

/// Directions of a body's inboard joint.
void find_directions(const Plan& plan, const Workspace& work, std::size_t body, Work& own);
/// D of a body, and R from what acts on it and along its joints; after the directions of all.
void start_body(const Plan& plan, const Workspace& work, std::size_t body, Work& own);

/// G^T on the bodies an assembly's constraint acts on, and c with what grounds add to it.
void find_rows(const Plan& plan, const Workspace& work, std::size_t assembly, Work& own);

/// Eliminates an assembly's constraint: its factors, and D of the module it makes. False when a tree joint is singular.
[[nodiscard]] bool eliminate(const Plan& plan, std::size_t assembly, Work& own);

/// c - G R, with `known` as c.
[[nodiscard]] Vector6 opening(const Work::Assembly& assembly, const Vector6& known, const Work& own, const Work::Flow& flow);

/// R of the module that an assembly makes, from c - G R.
void raise(const Plan& plan, std::size_t assembly, Work& own, Vector6 g, Work::Flow& flow);

/// S^+ (c - G R - W^T Q), the multipliers of dependent rows being zero; g as `raise` leaves it.
[[nodiscard]] Vector6 multipliers(const Plan& plan, std::size_t assembly, Work& own, const Vector6& g, const Work::Flow& flow);

/// Q of the parts, from that of the module and the multipliers.
void lower(const Plan& plan, std::size_t assembly, Work& own, const Vector6& lambda, Work::Flow& flow);

/// Passes, as a task does its part of them.
void find_task_directions(Work& own, Work::Task& task);
/// Matrices and right-hand sides of the modules, from the bodies up.
void assemble_task(Work& own, Work::Task& task);
/// Multipliers of the constraints, and wrenches on the bodies, from the last module down; their accelerations.
void disassemble_task(Work& own, Work::Task& task);
/// What the accelerations leave of the constraints; accelerations into the workspace.
void finish_task(Work& own, Work::Task& task);
/// A solution for what is left of the constraints, added to that which is there.
void raise_remainders(Work& own, Work::Task& task);
void lower_remainders(Work& own, Work::Task& task);
/// Multipliers along the null space, from `direction`, and the opposite way: `residual` from multipliers.
void lower_null_space(Work& own, Work::Task& task);
void raise_multipliers(Work& own, Work::Task& task);

/// Runs a pass of `own.passes` by whoever runs the programs of its workspace.
void run(const TaskGraph& pass, Work& own);

/// Takes from a closure's numbers their part in its null space.
void leave_null_space(const Work::Assembly& assembly, const Work::Factors& factors, Vector6& values);

}  // namespace arthron::block_module
