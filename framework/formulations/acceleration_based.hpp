#pragma once
#include "arthron/dynamics/workspace.hpp"
#include "arthron/formulation/formulation.hpp"

namespace arthron {

/// A formulation that integrates velocities u. A derived class says how accelerations follow from the right-hand sides; the rest is done
/// here. Closures hold at the level of accelerations only, and drift above it.
class AccelerationBased : public Formulation {
 public:
  using Formulation::Formulation;

  bool integrates_momenta() const override { return false; }
  Status rates(const Plan& plan, double t, const double* q, const double* u, double* qdot, double* udot, Workspace& work) const override;
  Status observe(const Plan& plan, double t, const double* q, const double* u, Workspace& work) const override;

 protected:
  /// Workspace::A of all moving bodies, Workspace::udot of all tree joints, and of the closures the multipliers sigma with their rank and
  /// null space (take_multipliers), the smallest of all that do. Kinematics, velocities, loads and the right-hand sides gamma, bias, tau
  /// and `known` are in the workspace. Allocates nothing, throws nothing.
  [[nodiscard]] virtual Status solve(const Plan& plan, Workspace& work) const = 0;

  /// From u in the workspace to the rates: all programs of rates(). Overridden by who has one program for all.
  [[nodiscard]] virtual Status run_programs(const Plan& plan, const Request& request, Workspace& work) const;
  /// What solve() leaves to those who want to see multipliers.
  virtual void finish_multipliers(const Plan&, Workspace&) const {}
};

}  // namespace arthron
