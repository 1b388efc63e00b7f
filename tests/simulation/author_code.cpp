#include <doctest/doctest.h>

#include <stdexcept>

#include "arthron/component/plugin.hpp"
#include "arthron/simulation/simulation.hpp"
#include "support/loaded.hpp"

/// Types of a program's own that throw while a model is computed.
using namespace arthron;

namespace {

struct Brittle {
  static constexpr std::string_view type = "own/brittle";
  double breaks_at;  // [s]
  static Brittle parse(const JsonReader& in) {
    in.handle({"on", "", "where it acts"});
    return {in.number({"breaks_at", "s", "when it throws"})};
  }
  void load(double t, const HandleState*, Spatial6* wrench) const {
    if (t > breaks_at) throw std::runtime_error("broken");
    wrench[0] = {};
  }
};

std::shared_ptr<const Model> falling(const std::string& integrator) {
  Registry types = test::builtins();
  types.add_force<Brittle>();
  return std::make_shared<const Model>(parse_model(R"({ "arthron": 1, "name": "falling",
    "bodies": { "stone": { "mass": 1, "com": [0, 0, 0], "inertia": [1, 1, 1] } },
    "joints": { "fall": { "type": "prismatic", "parent": "ground", "child": "stone", "at": [0, 0, 0], "axis": [0, 0, -1] } },
    "forces": { "thread": { "type": "own/brittle", "on": ["stone", [0, 0, 0]], "breaks_at": 0.5 } },
    "simulate": { "until": 1, "output": { "step": 0.01 }, "integrator": { "type": ")" +
                                                       integrator + R"(" } } })",
                                                   "falling.json", types));
}

}  // namespace

TEST_CASE("author code that throws ends as a status with its words, and the state is that of the last good step") {
  for (const char* integrator : {"dopri5", "rk4", "adams", "bdf"}) {
    CAPTURE(integrator);
    Simulation simulation(falling(integrator));
    REQUIRE(simulation.start().ok());
    const Status status = simulation.advance_to(1);
    CHECK(status.code == Status::Code::component_failed);
    CHECK(describe(status, simulation.plan(), simulation.workspace(), 0.5) ==
          "force \"thread\" of type \"own/brittle\" threw: broken at t = 0.5 s");
    const State& state = simulation.state();
    CHECK(state.t > 0.3);
    CHECK(state.t <= 0.5);
    // Free fall, to the tolerance of the methods.
    CHECK(state.q[0] == doctest::Approx(9.81 * state.t * state.t / 2).epsilon(1e-4));
    CHECK(simulation.observe().ok());
    // It may be asked again, with the same answer.
    CHECK(simulation.advance_to(1).code == Status::Code::component_failed);
  }
}
