#pragma once
#include "arthron/formulations/block_module/block_module.hpp"

namespace arthron::block_module {

/// Finds the assemblies, the modules they make, and what of each is left of the subsystems.
void schedule(const Plan& plan, BlockModuleWork& work);

/// Divides the assemblies, which are a forest, among tasks worth `grain` [ns], by counts alone; fills `tasks` and `passes`.
void divide_assemblies(const Plan& plan, double grain, BlockModuleWork& work);

}  // namespace arthron::block_module
