#include "arthron/simulation/run.hpp"
#include "support/reference.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

std::vector<std::string> acceleration_based() {
  std::vector<std::string> names;
  for (const auto& formulation : formulations())
    if (!formulation->integrates_momenta()) names.emplace_back(formulation->name());
  return names;
}

std::unique_ptr<Simulation> simulation_of(Model model, const std::function<void(SimulationSettings&)>& change) {
  change(model.simulation);
  return std::make_unique<Simulation>(std::make_shared<const Model>(std::move(model)));
}

/// Summary of a run of 10 s of the paper's first case at 1e-6, loops kept closed as told.
RunSummary loop4_summary(const std::string& formulation, bool project, double baumgarte) {
  const auto simulation = simulation_of(example_model("loop4"), [&](SimulationSettings& settings) {
    settings.formulation = formulation;
    settings.integrator = {"dopri5", 1e-6, 1e-6};
    settings.loops.project = project, settings.loops.baumgarte = baumgarte;
  });
  ChannelSet channels(simulation->plan(), {});
  const RunSummary summary = run(*simulation, channels, {});
  REQUIRE(summary.status.ok());
  return summary;
}

}  // namespace

TEST_CASE("Every formulation follows the references of chain, loops and spatial four-bar") {
  const IntegratorSettings tight{"dopri5", 1e-11, 1e-11};
  for (const std::string& formulation : acceleration_based()) {
    CAPTURE(formulation);
    const auto error = [&](const char* example, const Followed& followed, double until) {
      return position_errors(example, tight, followed, {until}, formulation).front();
    };
    CHECK(error("pendulum16", {"tip"}, 2) < 1e-8);
    CHECK(error("loop4", {"K"}, 10) < 1e-8);
    CHECK(error("loop8", {"K"}, 10) < 1e-8);
    CHECK(error("double_loop", {"K2", 5}, 10) < 1e-8);
    CHECK(error("rssr", {"P", 1, 3}, 2) < 1e-8);
  }
}

TEST_CASE(
    "Constraint stabilisation of acceleration-based formulations: none drifts, Baumgarte bounds the drift, post-stabilisation ends it") {
  for (const std::string& formulation : acceleration_based()) {
    CAPTURE(formulation);
    const RunSummary none = loop4_summary(formulation, false, 0), baumgarte = loop4_summary(formulation, false, 20),
                     post = loop4_summary(formulation, true, 0);
    CHECK(none.loop_opening > 1e-6);
    CHECK(none.loop_opening_rate > 1e-7);
    CHECK(baumgarte.loop_opening < none.loop_opening / 10);
    CHECK(post.loop_opening < 1e-13);
    CHECK(post.loop_opening_rate < 1e-13);
  }
  // HDCA needs none of these at the level of velocities.
  CHECK(loop4_summary("hdca", false, 0).loop_opening_rate < 1e-13);
}

TEST_CASE("Opening of loops without stabilisation grows with time under dca and stays at rounding in velocity under hdca") {
  for (const char* formulation : {"hdca", "dca"}) {
    CAPTURE(formulation);
    const auto simulation = simulation_of(example_model("loop4"), [&](SimulationSettings& settings) {
      settings.formulation = formulation;
      settings.loops.project = settings.loops.reanchor = false;
    });
    REQUIRE(simulation->start().ok());
    std::vector<double> rate;
    for (const double t : {1.0, 10.0, 60.0}) {
      REQUIRE(simulation->advance_to(t).ok());
      REQUIRE(simulation->observe().ok());
      rate.push_back(closure_rate_error(simulation->plan(), simulation->workspace()));
    }
    const bool dca = std::string(formulation) == "dca";
    // The impulses of 60 s, a thousand times the momenta, cost HDCA three of its digits.
    for (const double value : rate) CHECK((value < 1e-12) == !dca);
    if (dca) CHECK(rate[2] > 3 * rate[0]);
  }
}

TEST_CASE("A run of any formulation goes on from its checkpoint bit for bit; from another's it starts anew") {
  for (const std::string& formulation : acceleration_based()) {
    CAPTURE(formulation);
    const auto fresh = [&](const std::string& name) {
      auto simulation = simulation_of(example_model("loop4"), [&](SimulationSettings& settings) {
        settings.formulation = name;
        settings.integrator = {"dopri5", 1e-9, 1e-9};
      });
      REQUIRE(simulation->start().ok());
      return simulation;
    };
    const auto whole = fresh(formulation), saved = fresh(formulation), resumed = fresh(formulation), other = fresh("hdca");
    REQUIRE(whole->advance_to(1).ok());
    REQUIRE(saved->advance_to(0.5).ok());
    Checkpoint checkpoint;
    REQUIRE(saved->save(checkpoint).ok());
    checkpoint = parse_checkpoint(to_text(checkpoint), "checkpoint.json");

    const Resumption exact = resumed->resume(checkpoint);
    REQUIRE(exact.status.ok());
    CHECK(exact.exact);
    REQUIRE(resumed->advance_to(1).ok());
    CHECK(resumed->state().q == whole->state().q);
    CHECK(resumed->state().p == whole->state().p);

    const Resumption anew = other->resume(checkpoint);
    REQUIRE(anew.status.ok());
    CHECK_FALSE(anew.exact);
    REQUIRE(other->advance_to(1).ok());
    for (std::size_t i = 0; i < whole->state().q.size(); ++i) CHECK(std::abs(other->state().q[i] - whole->state().q[i]) < 1e-6);
  }
}

TEST_CASE("loops that follow their drives are not refused behind a step that a method with a history has had corrected") {
  static const Registry types = builtin_registry();
  for (const char* method : {"adams", "bdf"})
    for (const char* formulation : {"hdca", "dca", "slm"}) {
      if (check_integrator_type(method)) continue;
      CAPTURE(method);
      CAPTURE(formulation);
      const auto simulation = simulation_of(load_model(ARTHRON_SOURCE_DIR "/examples/three_rrr/three_rrr_driven.json", types),
                                            [&](SimulationSettings& settings) {
                                              settings.formulation = formulation;
                                              settings.integrator = {method, 1e-6, 1e-6};
                                            });
      REQUIRE(simulation->start().ok());
      CHECK(simulation->advance_to(0.3).ok());
    }
}
