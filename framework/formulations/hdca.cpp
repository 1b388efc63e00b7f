#include "arthron/dynamics/dynamics.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/formulation/formulation.hpp"

namespace arthron {

namespace {

/// The Hamiltonian formulation. Finding velocities from momenta is what framework/dynamics is made for, since starting, projecting and
/// re-anchoring need it under every formulation.
class Hdca final : public Formulation {
 public:
  Hdca() : Formulation("hdca", "momenta; velocities satisfy closed loops to rounding: the default") {}

  bool integrates_momenta() const override { return true; }
  const Formulation* with_velocities() const override { return &formulation_named("dca"); }
  bool follows_elimination() const override { return true; }

  std::string describe(const Plan& plan) const override { return "elimination: " + describe_elimination(plan) + describe_groups(plan); }

  Status rates(const Plan& plan, double t, const double* q, const double* p, double* qdot, double* pdot, Workspace& work) const override {
    return evaluate_rates(plan, t, q, p, qdot, pdot, work);
  }
  Status observe(const Plan& plan, double t, const double* q, const double* p, Workspace& work) const override {
    return evaluate_accelerations(plan, t, q, p, work);
  }
  const TaskGraph* tasks(const Workspace& work) const override { return &work.programs->evaluate; }
};

}  // namespace

std::unique_ptr<const Formulation> make_hdca() { return std::make_unique<Hdca>(); }

}  // namespace arthron
