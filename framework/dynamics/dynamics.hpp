#pragma once
#include "arthron/core/status.hpp"
#include "arthron/dynamics/workspace.hpp"
#include "arthron/plan/plan.hpp"

namespace arthron {

/// All that a restart needs.
struct State {
  double t = 0;
  std::vector<double> q, p;
};

/// The state the model describes at time 0: initial positions, and momenta from the initial velocities.
[[nodiscard]] Status initial_state(const Plan& plan, Workspace& work, State& state);

/// (t, q, p) -> (qdot, pdot) by HDCA, formulation sections 2 and 4. Allocates nothing, throws nothing.
[[nodiscard]] Status evaluate(const Plan& plan, double t, const double* q, const double* p, double* qdot, double* pdot, Workspace& work);

/// Accelerations, reactions and efforts at a state (section 6): does evaluate's work, then one more pass with the factors of phase one.
[[nodiscard]] Status evaluate_accelerations(const Plan& plan, double t, const double* q, const double* p, Workspace& work);

/// Brings coordinates back onto their manifolds (unit quaternions). True when there was anything to do.
bool normalise(const Plan& plan, double* q);

}  // namespace arthron
