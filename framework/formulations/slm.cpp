#include "arthron/formulations/acceleration_based.hpp"
#include "arthron/formulations/joint_space/joint_space.hpp"

namespace arthron {

namespace {

class Slm final : public AccelerationBased {
 public:
  Slm() : AccelerationBased("slm", "velocities; multipliers of all loops in one dense solution") {}

  bool is_cubic(const Plan& plan) const override { return !plan.closures.empty(); }
  std::string describe(const Plan&) const override {
    return "formulation: slm, joint accelerations by recursion, the multipliers of all loops in one solution";
  }
  std::unique_ptr<FormulationWork> make_work(const Plan& plan) const override {
    return std::make_unique<JointSpaceWork>(plan, MultiplierSolve::whole_system);
  }

 protected:
  Status solve(const Plan& plan, Workspace& work) const override {
    return joint_space_accelerations(plan, work, static_cast<JointSpaceWork&>(*work.formulation));
  }
};

}  // namespace

std::unique_ptr<const Formulation> make_slm() { return std::make_unique<Slm>(); }

}  // namespace arthron
