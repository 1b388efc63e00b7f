#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/formulations/acceleration_based.hpp"

namespace arthron {

namespace {

/// Accelerations by the elimination with which HDCA finds velocities.
class Dca final : public AccelerationBased {
 public:
  Dca() : AccelerationBased("dca", "velocities; accelerations by the same elimination") {}

  bool follows_elimination() const override { return true; }
  std::string describe(const Plan& plan) const override { return "formulation: dca, accelerations by " + describe_elimination(plan); }
  const TaskGraph* tasks(const Workspace& work) const override { return &work.programs->accelerate; }

 protected:
  /// The programs of rates() have it in one.
  Status run_programs(const Plan&, const Request& request, Workspace& work) const override {
    run(work.programs->accelerate, work, request);
    return outcome(work);
  }
  Status solve(const Plan&, Workspace& work) const override {
    run(work.programs->accelerations, work);
    return outcome(work);
  }
  void finish_multipliers(const Plan& plan, Workspace& work) const override { smallest_multipliers(plan, work); }
};

}  // namespace

std::unique_ptr<const Formulation> make_dca() { return std::make_unique<Dca>(); }

}  // namespace arthron
