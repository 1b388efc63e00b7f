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

/// Directions of the inboard joints; D of the bodies, and R from what acts on them and along their joints.
void start_bodies(const Plan& plan, const Workspace& work, Work& own);

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

/// Takes from a closure's numbers their part in its null space.
void leave_null_space(const Work::Assembly& assembly, const Work::Factors& factors, Vector6& values);

}  // namespace arthron::block_module
