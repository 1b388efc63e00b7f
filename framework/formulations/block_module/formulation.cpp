#include "arthron/formulations/acceleration_based.hpp"
#include "arthron/formulations/block_module/block_module.hpp"
#include "arthron/formulations/block_module/report.hpp"

namespace arthron {

namespace {

class BlockModule final : public AccelerationBased {
 public:
  BlockModule() : AccelerationBased("block-module", "velocities; dependency matrices of nested subsystems") {}

  /// Its equations begin with the inverse inertia of every body.
  std::vector<Diagnostic> objections(const Plan& plan) const override {
    return massless_bodies(*plan.model, "formulation \"block-module\"");
  }
  std::string describe(const Plan&) const override {
    return "formulation: block-module, dependency matrices of the subsystems, innermost first";
  }
  std::string details(const Plan& plan) const override { return describe_block_modules(plan); }
  /// Those of the assemblies, which take by far the most of the time.
  const TaskGraph* tasks(const Workspace& work) const override {
    return &static_cast<const BlockModuleWork&>(*work.formulation).passes.solve;
  }
  std::unique_ptr<FormulationWork> make_work(const Plan& plan) const override { return std::make_unique<BlockModuleWork>(plan); }

 protected:
  Status solve(const Plan& plan, Workspace& work) const override {
    return block_module_accelerations(plan, work, static_cast<BlockModuleWork&>(*work.formulation));
  }
};

}  // namespace

std::unique_ptr<const Formulation> make_block_module() { return std::make_unique<BlockModule>(); }

}  // namespace arthron
