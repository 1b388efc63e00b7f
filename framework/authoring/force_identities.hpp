#pragma once
#include "arthron/authoring/examination.hpp"
#include "arthron/authoring/single_force.hpp"

/// What must hold for one force at one state of its handles. Each adds to the examination.
namespace arthron {

/// Loads, energy and measured quantities are numbers, the same ones when asked twice, also where all handles lie in one place.
void examine_numbers(const SingleForce& force, double t, const SingleForce::States& states, Examination& examination);
/// Of a conservative force: the load is minus the gradient of the energy; of one with internal states, what it gives is what it loses.
void examine_gradient(const SingleForce& force, double t, const SingleForce::States& states, Examination& examination);
/// The same load and energy from a drawing that is turned, moved and mirrored.
void examine_frames(const SingleForce& force, double t, const SingleForce::States& states, RandomKeys& random, Examination& examination);
/// The same numbers from SIMD lanes.
void examine_lanes(const SingleForce& force, double t, const SingleForce::States& states, Examination& examination);
/// Of a conservative force: bodies that move under it alone keep their energy.
void examine_energy(const SingleForce& force, const Registry& registry, Examination& examination);

}  // namespace arthron
