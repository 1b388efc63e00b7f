#include "arthron/dynamics/joint_space.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "arthron/dynamics/closures.hpp"
#include "arthron/simulation/simulation.hpp"
#include "support/disagreement.hpp"
#include "support/loaded.hpp"
#include "support/repository.hpp"

/// Every model of the repository in motion: accelerations in joint coordinates.
using namespace arthron;
using namespace arthron::test;

namespace {

constexpr double tolerance = 1e-9;

/// A model a moment after its start, with a workspace of its own.
struct Moving {
  Simulation simulation;
  std::unique_ptr<Workspace> work;

  explicit Moving(const std::string& file) : simulation(std::make_shared<const Model>(load_model(file, builtins()))) {
    constexpr double moment = 0.01;
    REQUIRE(simulation.start().ok());
    REQUIRE(simulation.advance_to(moment).ok());
    work = make_workspace(plan());
    State start;
    REQUIRE(initial_state(plan(), *work, start).ok());
  }
  [[nodiscard]] const Plan& plan() const { return simulation.plan(); }
  void fold() {
    const State& state = simulation.state();
    REQUIRE(evaluate_accelerations(plan(), state.t, state.q.data(), state.p.data(), *work).ok());
  }
  void joint_space(MultiplierSolve solve) {
    const State& state = simulation.state();
    JointSpaceWork own(plan(), solve);
    REQUIRE(evaluate_joint_space(plan(), state.t, state.q.data(), state.p.data(), *work, own).ok());
  }
  [[nodiscard]] std::vector<double> multipliers() const {
    std::vector<double> sigma;
    for (std::size_t c = 0; c < plan().closures.size(); ++c)
      for (int r = 0; r < plan().closures[c].rows; ++r) sigma.push_back(work->closures->cuts[c].sigma[r]);
    return sigma;
  }
};

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0, scale = 1e-9;
  for (std::size_t i = 0; i < a.size(); ++i) raise(worst, std::abs(a[i] - b[i])), raise(scale, std::abs(a[i]));
  return worst / scale;
}

/// Everything at once is cubic: models beyond these are left to the solve by subsystems, against folding.
constexpr std::size_t most_bodies_at_once = 60;

}  // namespace

TEST_CASE("every example and subsystem: accelerations, reactions and smallest multipliers of both solves equal the dense oracle's") {
  for (const std::string& file : model_files({"examples", "subsystems"})) {
    CAPTURE(file);
    Moving model(file);
    if (model.plan().bodies.size() > most_bodies_at_once) continue;
    model.fold();
    const DenseSolution dense = dense_accelerations(model.plan(), *model.work);
    for (const MultiplierSolve solve : {MultiplierSolve::whole_system, MultiplierSolve::subsystems}) {
      CAPTURE(static_cast<int>(solve));
      model.joint_space(solve);
      CHECK(disagreement(model.plan(), dense.A, dense.F, dense.udot, *model.work, scales_at_rest(model.plan())) < tolerance);
      if (model.work->closures) CHECK(difference(dense.sigma, model.multipliers()) < tolerance);
    }
  }
}

TEST_CASE("every example and subsystem, large ones too: accelerations of the solve by subsystems equal those of folding") {
  for (const std::string& file : model_files({"examples", "subsystems"})) {
    CAPTURE(file);
    Moving model(file);
    model.fold();
    const std::vector<Wide6> A = model.work->A;
    const std::vector<double> udot = model.work->udot;
    model.joint_space(MultiplierSolve::subsystems);
    // Reactions of redundant loops are shared differently; those are the oracle's to judge.
    CHECK(disagreement(model.plan(), A, model.work->F, udot, *model.work, scales_at_rest(model.plan())) <
          std::max(tolerance, recursion_tolerance(model.plan())));
  }
}
