#pragma once
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/integrate/ode.hpp"

namespace arthron {

/// A Plan's equations of motion as an Ode with y = [q; p]. Elements are the Plan's joints.
class PlanOde final : public Ode {
 public:
  PlanOde(const Plan& plan, Workspace& work);
  int size() const override { return plan_.nq + plan_.nu; }
  Status rhs(double t, const double* y, double* dydt) override { return evaluate(plan_, t, y, y + plan_.nq, dydt, dydt + plan_.nq, work_); }
  bool after_step(double /*t*/, double* y) override { return normalise(plan_, y); }
  int element_of(int entry) const override { return joint_of_entry_[static_cast<std::size_t>(entry)]; }

 private:
  const Plan& plan_;
  Workspace& work_;
  std::vector<int> joint_of_entry_;
};

}  // namespace arthron
