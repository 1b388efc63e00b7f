#include "arthron/formulations/acceleration_based.hpp"
#include "arthron/formulations/joint_space/joint_space.hpp"
#include "arthron/formulations/joint_space/report.hpp"

namespace arthron {

namespace {

/// SLM and SSLM, which differ in how they solve for the multipliers.
class JointSpace final : public AccelerationBased {
 public:
  JointSpace(std::string_view name, std::string_view summary, std::string_view method, MultiplierSolve multipliers)
      : AccelerationBased(name, summary), method_(method), multipliers_(multipliers) {}

  bool is_cubic(const Plan& plan) const override { return multipliers_ == MultiplierSolve::whole_system && !plan.closures.empty(); }
  std::string describe(const Plan&) const override {
    return "formulation: " + std::string(name()) + ", joint accelerations by recursion, the multipliers " + std::string(method_);
  }
  std::string details(const Plan& plan) const override {
    return multipliers_ == MultiplierSolve::subsystems ? describe_multiplier_order(plan) : "";
  }
  std::unique_ptr<FormulationWork> make_work(const Plan& plan) const override {
    return std::make_unique<JointSpaceWork>(plan, multipliers_);
  }

 protected:
  Status solve(const Plan& plan, Workspace& work) const override {
    return joint_space_accelerations(plan, work, static_cast<JointSpaceWork&>(*work.formulation));
  }

 private:
  std::string_view method_;
  MultiplierSolve multipliers_;
};

}  // namespace

std::unique_ptr<const Formulation> make_slm() {
  return std::make_unique<JointSpace>("slm", "velocities; multipliers of all loops in one dense solution", "of all loops in one solution",
                                      MultiplierSolve::whole_system);
}
std::unique_ptr<const Formulation> make_sslm() {
  return std::make_unique<JointSpace>("sslm", "velocities; multipliers subsystem by subsystem", "by blocks of the GICM",
                                      MultiplierSolve::subsystems);
}

}  // namespace arthron
