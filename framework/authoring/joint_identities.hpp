#pragma once
#include "arthron/authoring/examination.hpp"
#include "arthron/authoring/single_joint.hpp"

/// What must hold for one joint at one state, as far as the kernel's equations rest on it. Each adds to the examination.
namespace arthron {

/// Deviation of derivatives by finite differences that is allowed: rounding of the differences is 1e-12, a thousandth of it.
inline constexpr double difference_error = 1e-9;
/// Deviation of what is equal but for rounding, after a few dozen operations.
inline constexpr double rounding_error = 1e-12;

/// What all else rests on, from the pose alone: R is a rotation, and where the type says that columns are constant, they are.
void examine_pose(const SingleJoint& joint, Examination& examination);
/// Columns: rate of the pose, declared shapes, rank, constrained directions across them, their rates.
void examine_motion(const SingleJoint& joint, Examination& examination);
/// Coordinates: rates linear in u and along the manifold that normalise() keeps; user coordinates, their motion, rates and efforts.
void examine_coordinates(const SingleJoint& joint, Examination& examination);
/// The author's own constrained directions where he gives them, with their rates and gap.
void examine_complement(const SingleJoint& joint, Examination& examination);
/// The same numbers from SIMD lanes, `joint` in one of them and neighbouring states in the others.
void examine_lanes(const SingleJoint& joint, Examination& examination);

}  // namespace arthron
