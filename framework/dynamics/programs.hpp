#pragma once
#include "arthron/core/parallel.hpp"
#include "arthron/dynamics/workspace.hpp"

namespace arthron {

/// The stages of evaluations as graphs of tasks, built once for a Plan: what may run at the same time, what waits for what. Contexts are
/// Workspaces.
struct Programs {
  explicit Programs(const Plan& plan);

  TaskGraph kinematics;      // after begin
  TaskGraph openings;        // kinematics, and what keeps the closures from being closed
  TaskGraph correction;      // motion of least kinetic energy that undoes the openings
  TaskGraph velocities;      // phase one by folding, closures in place
  TaskGraph loads;           // all that follows from the velocities
  TaskGraph solve;           // kinematics, velocities and loads
  TaskGraph solve_motion;    // solve without the loads
  TaskGraph solve_in_place;  // solve without the kinematics
  TaskGraph rates;           // phase two: dq/dt and dp/dt
  TaskGraph momenta;         // momenta of every subtree alone
  TaskGraph evaluate;        // solve and rates
  TaskGraph accelerations;   // by folding, from the right-hand sides that are there
  TaskGraph forces;          // from joint velocities: kinematics, loads and all right-hand sides of the acceleration-level equations
  TaskGraph accelerate;      // forces, accelerations by folding, and dq/dt and du/dt

  TaskGraph acceleration_rates;  // the last of these alone
};

/// Runs one of them with whoever the workspace knows.
void run(const TaskGraph& program, Workspace& work, const Request& request = {});

/// What went wrong in the last program, of the part with the smallest number.
[[nodiscard]] Status outcome(const Workspace& work);

}  // namespace arthron
