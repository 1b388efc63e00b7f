#include <doctest/doctest.h>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"
#include "support/repository.hpp"

using namespace arthron;

namespace {

/// Divides even small models, so that there is something to share.
constexpr Grain fine{300, 0};

struct Way {
  const char *formulation, *elimination;
  std::vector<int> threads;
  const char* integrator = "rk4";
};

std::unique_ptr<Simulation> after_a_while(const std::string& file, int threads, const Way& way) {
  Model model = load_model(file, builtin_registry());
  model.simulation.formulation = way.formulation;
  model.simulation.elimination = way.elimination;
  model.simulation.threads = threads;
  model.simulation.integrator = {way.integrator, 1e-6, 1e-6, 0.002};
  auto simulation = std::make_unique<Simulation>(std::make_shared<const Model>(std::move(model)), 1000000, fine);
  REQUIRE(simulation->start().ok());
  REQUIRE(simulation->advance_to(0.02).ok());
  REQUIRE(simulation->observe(true).ok());
  return simulation;
}

}  // namespace

TEST_CASE("1, 2, 3 and 8 workers give bitwise equal states on every example") {
  int examples = 0, divided = 0, joined = 0, looped = 0;
  for (const std::string& file : test::model_files({"examples"})) {
    CAPTURE(file);
    ++examples;
    for (const Way& way :
         {Way{"hdca", "auto", {2, 3, 8}}, Way{"hdca", "auto", {2, 8}, "dopri5"}, Way{"hdca", "pair", {3}}, Way{"dca", "auto", {2, 8}},
          Way{"hdca", "modular", {2, 3, 8}}, Way{"dca", "modular", {2, 8}}, Way{"block-module", "auto", {3}}}) {
      CAPTURE(way.formulation);
      CAPTURE(way.elimination);
      const auto serial = after_a_while(file, 1, way);
      const Plan& plan = serial->plan();
      divided += plan.parts.size() > 2, joined += !plan.joins.empty(), looped += plan.parts.size() > 2 && !plan.closures.empty();
      for (const int threads : way.threads) {
        CAPTURE(threads);
        const auto parallel = after_a_while(file, threads, way);
        CHECK(parallel->state().q == serial->state().q);
        CHECK(parallel->state().p == serial->state().p);
        CHECK(parallel->workspace().udot == serial->workspace().udot);
      }
    }
  }
  CHECK(examples > 0);
  CHECK(divided > 0);
  CHECK(joined > 0);
  CHECK(looped > 0);
}
