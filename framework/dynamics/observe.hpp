#pragma once
#include "arthron/dynamics/dynamics.hpp"

/// Reading a Workspace after evaluate (positions, velocities, momenta, energies, force measurements) or after evaluate_accelerations
/// (accelerations, reactions, efforts). World axes.
namespace arthron {

struct Energy {
  double kinetic = 0, potential = 0;  // [J]; potential of gravity, springs and conservative forces
  [[nodiscard]] double total() const { return kinetic + potential; }
};

/// Of a subsystem with all it is made of; 0 is the whole model.
[[nodiscard]] Energy energy(const Plan& plan, const Workspace& work, int subsystem = 0);
/// True when nothing in the model adds or takes energy (no damper, effort, drive, moving ground or dissipative force): its energy must not
/// drift.
[[nodiscard]] bool is_conservative(const Plan& plan);

/// The body's own frame: pose, velocity of its origin, and (after evaluate_accelerations) acceleration of its origin.
[[nodiscard]] Pose<double> frame_pose(const Plan& plan, const Workspace& work, BodyIndex body);
[[nodiscard]] Spatial6 frame_velocity(const Plan& plan, const Workspace& work, BodyIndex body);
[[nodiscard]] Spatial6 frame_acceleration(const Plan& plan, const Workspace& work, BodyIndex body);

/// Position and velocity of a marker (by its index in the Model).
[[nodiscard]] HandleState marker_state(const Plan& plan, const Workspace& work, int marker);

/// Joint quantities, one number per freedom written to `out`: user coordinates (rotation vectors for ball and free joints), velocity,
/// momentum (zero for driven joints), acceleration, and effort (spring + damper + applied effort, or for a driven joint what its drive
/// delivers).
void joint_position(const Plan& plan, const Workspace& work, JointIndex joint, double* out);
void joint_velocity(const Plan& plan, const Workspace& work, JointIndex joint, double* out);
void joint_momentum(const Plan& plan, const Workspace& work, JointIndex joint, double* out);
void joint_acceleration(const Plan& plan, const Workspace& work, JointIndex joint, double* out);
void joint_effort(const Plan& plan, const Workspace& work, JointIndex joint, double* out);
/// Where every joint is and how fast, in the Model's order, as assemble() takes it.
[[nodiscard]] std::vector<JointStart> joint_starts(const Plan& plan, const Workspace& work);
/// Wrench the joint's parent exerts on its child, at the joint's child-side point (after evaluate_accelerations).
[[nodiscard]] Spatial6 joint_reaction(const Plan& plan, const Workspace& work, JointIndex joint);
/// That point.
[[nodiscard]] Vec3 joint_point(const Plan& plan, const Workspace& work, JointIndex joint);

/// What keeps a cut joint from being closed, of the last evaluation: displacement [m] and rotation [rad]; zero for tree joints.
[[nodiscard]] Spatial6 joint_opening(const Plan& plan, const Workspace& work, JointIndex joint);

/// Rate at which a cut joint opens: the part of its relative velocity that it does not admit, zero up to rounding; zero for tree joints.
[[nodiscard]] Spatial6 joint_opening_rate(const Plan& plan, const Workspace& work, JointIndex joint);
/// Largest opening rate of a cut joint [m/s], rotations measured with the closure's length scale.
[[nodiscard]] double closure_rate_error(const Plan& plan, const Workspace& work);
/// Multipliers of a cut joint, as the wrench they exert on its child at the child-side point (after evaluate_accelerations): its reaction
/// without spring, damper and effort; zero for tree joints.
[[nodiscard]] Spatial6 joint_multipliers(const Plan& plan, const Workspace& work, JointIndex joint);
/// Status::contradictory_drives, with a cut joint, where what is prescribed leaves a loop no way to stay closed at the last evaluation.
[[nodiscard]] Status closures_follow(const Plan& plan, const Workspace& work);
/// The same at the level of accelerations, at the last evaluation of an acceleration-based formulation, whose velocities may have drifted.
[[nodiscard]] Status accelerations_follow(const Plan& plan, const Workspace& work);

/// Directions in which a closure (in the Plan's order) constrains nothing that is not constrained already, at the last evaluation:
/// orthonormal, world axes, rotations measured with the closure's length scale.
[[nodiscard]] std::vector<Spatial6> redundant_directions(const Plan& plan, const Workspace& work, int closure);
/// Whether a closure was near to losing a row at the last solution for velocities by folding: a singular position is near.
[[nodiscard]] bool is_nearly_singular(const Plan& plan, const Workspace& work);
/// Independent rows of each closure (in the Plan's order) at the last evaluation; the others are redundant there.
[[nodiscard]] std::vector<int> closure_ranks(const Plan& plan, const Workspace& work);

/// Measured quantities of a force (by its index in the Model), in the order of its type's channels().
void force_measure(const Plan& plan, const Workspace& work, int force, double* out);

/// Largest violation of the velocity-level constraints: |H^T P - p| relative to the largest momentum, the self-check of section 4.
[[nodiscard]] double momentum_residual(const Plan& plan, const Workspace& work);

}  // namespace arthron
