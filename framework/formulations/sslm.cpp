#include "arthron/formulations/acceleration_based.hpp"
#include "arthron/formulations/joint_space/joint_space.hpp"

namespace arthron {

namespace {

class Sslm final : public AccelerationBased {
 public:
  Sslm() : AccelerationBased("sslm", "velocities; multipliers loop by loop") {}

  std::string describe(const Plan&) const override {
    return "formulation: sslm, joint accelerations by recursion, the multipliers by blocks of the GICM";
  }
  std::unique_ptr<FormulationWork> make_work(const Plan& plan) const override {
    return std::make_unique<JointSpaceWork>(plan, MultiplierSolve::subsystems);
  }

 protected:
  Status solve(const Plan& plan, Workspace& work) const override {
    return joint_space_accelerations(plan, work, static_cast<JointSpaceWork&>(*work.formulation));
  }
};

}  // namespace

std::unique_ptr<const Formulation> make_sslm() { return std::make_unique<Sslm>(); }

}  // namespace arthron
