#pragma once
#include "arthron/authoring/examination.hpp"
#include "arthron/authoring/single_joint.hpp"

namespace arthron {

/// A joint in models: under gravity between two bodies of a chain, in the tree as drawn and against its direction, and cut, where it closes
/// a loop: power of its reactions, energy, agreement of all formulations with a dense solution, of the tree with the loop.
/// `joint` gives the state; the registry has the types free and revolute.
void examine_in_models(const SingleJoint& joint, const Registry& registry, Examination& examination);

}  // namespace arthron
