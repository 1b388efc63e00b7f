#include <doctest/doctest.h>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"
#include "support/repository.hpp"

using namespace arthron;

namespace {

State after_a_while(const std::string& file, int threads) {
  Model model = load_model(file, builtin_registry());
  model.simulation.elimination = "pair";
  model.simulation.threads = threads;
  model.simulation.integrator = {"rk4", 1e-6, 1e-6, 0.002};
  Simulation simulation(std::make_shared<const Model>(std::move(model)));
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(0.05).ok());
  return simulation.state();
}

}  // namespace

TEST_CASE("1, 2, 3 and 8 workers give bitwise equal states on every example") {
  int examples = 0;
  for (const std::string& file : test::model_files({"examples"})) {
    CAPTURE(file);
    ++examples;
    const State serial = after_a_while(file, 1);
    for (const int threads : {2, 3, 8}) {
      const State parallel = after_a_while(file, threads);
      CHECK(parallel.q == serial.q);
      CHECK(parallel.p == serial.p);
    }
  }
  CHECK(examples > 0);
}
