#pragma once
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/integrate/ode.hpp"

namespace arthron {

/// A Plan's equations of motion as an Ode with y = [q; p]. Elements are the Plan's joints.
class PlanOde final : public Ode {
 public:
  /// What is done after every accepted step to keep loops closed.
  struct Upkeep {
    bool reanchor = true, project = true;
    double tolerance = 0;        // opening that the projection leaves alone [m]; it goes no further than rounding
    bool keeps_history = false;  // the integrator remembers earlier states, so that every correction costs it a restart; impulses are then
                                 // re-anchored only when they have outgrown the momenta
  };
  PlanOde(const Plan& plan, Workspace& work, const Upkeep& upkeep);
  int size() const override { return plan_.nq + plan_.nu; }
  Status rhs(double t, const double* y, double* dydt) override;
  bool after_step(double t, double* y) override;
  /// To be called when something else has used the workspace, or inputs have changed: what is known of the last state is so no more.
  void forget() { anchored_.clear(); }
  int element_of(int entry) const override { return joint_of_entry_[static_cast<std::size_t>(entry)]; }

 private:
  const Plan& plan_;
  Workspace& work_;
  Upkeep upkeep_;
  std::vector<int> joint_of_entry_;
  std::vector<double> projected_;  // q
  std::vector<double>
      anchored_;  // state that the last correction left, whose velocities are still in the workspace; empty when there is none
  double anchored_time_ = 0;
};

}  // namespace arthron
