#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/dynamics/uneven_loops.hpp"
#include "arthron/formulations/acceleration_based.hpp"

namespace arthron {

namespace {

struct UnevenTree : FormulationWork {
  explicit UnevenTree(const Plan& plan) : numbers(plan) {}
  UnevenLoops numbers;
};

/// Accelerations by the elimination with which HDCA finds velocities.
class Dca final : public AccelerationBased {
 public:
  Dca() : AccelerationBased("dca", "velocities; accelerations by the same elimination") {}

  bool follows_elimination() const override { return true; }
  std::string describe(const Plan& plan) const override { return "formulation: dca, accelerations by " + describe_elimination(plan); }
  const TaskGraph* tasks(const Workspace& work) const override { return &work.programs->accelerate; }

  std::unique_ptr<FormulationWork> make_work(const Plan& plan) const override {
    return plan.elimination != Elimination::pair && is_uneven_tree(plan) ? std::make_unique<UnevenTree>(plan) : nullptr;
  }

 protected:
  Status run_programs(const Plan& plan, const Request& request, Workspace& work) const override {
    // Otherwise one program has it all.
    if (work.formulation) return AccelerationBased::run_programs(plan, request, work);
    run(work.programs->accelerate, work, request);
    return outcome(work);
  }
  Status solve(const Plan& plan, Workspace& work) const override {
    UnevenTree* const tree = static_cast<UnevenTree*>(work.formulation.get());
    return solve_and_refine(plan, tree ? &tree->numbers : nullptr, work, [&] {
      run(work.programs->accelerations, work);
      return outcome(work);
    });
  }
  void finish_multipliers(const Plan& plan, Workspace& work) const override { smallest_multipliers(plan, work); }
};

}  // namespace

std::unique_ptr<const Formulation> make_dca() { return std::make_unique<Dca>(); }

}  // namespace arthron
