#include <doctest/doctest.h>

#include <cmath>

#include "simulation/models.hpp"
#include "support/rows.hpp"

/// Source of truth: momenta along free joints go through a jump of prescribed velocities unchanged. A pendulum of 1 kg, 1 m and 0.1 kg m^2
/// hangs on a cart whose velocity jumps by v: 1.1 w = v 1 kg m.
using namespace arthron;
using namespace arthron::test;

namespace {

std::string cart(const std::string& motion, const std::string& ports = "") {
  return R"json({ "arthron": 1, "name": "cart", "gravity": [0, 0, 0],)json" + ports + R"json(
  "bodies": { "cart": { "mass": 1, "inertia": [1, 1, 1] }, "bob": { "mass": 1, "com": [0, 0, -1], "inertia": [0.1, 0.1, 0.1] } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "cart", "at": [0, 0, 0], "axis": [1, 0, 0], "motion": )json" +
         motion + R"json( },
              "hinge": { "type": "revolute", "parent": "cart", "child": "bob", "at": [0, 0, 0], "axis": [0, 1, 0] } } })json";
}

const std::string table = R"json({ "table": [[0, 0], [1, 0], [2, 1]], "interpolation": "linear" })json";

/// The same in a loop: a slider-crank of massless-looking rods would be stiff, so a parallelogram of two hinges and a coupler hangs on the
/// cart. Cranks of 1 kg in the middle of 1 m and 0.1 kg m^2, coupler of 1 kg: (2 (0.1 + 0.25) + 1) w = v (2 0.5 + 1) kg m.
const std::string parallelogram = R"json({ "arthron": 1, "name": "loop", "gravity": [0, 0, 0],
  "bodies": { "cart": { "mass": 1, "inertia": [1, 1, 1] },
              "left": { "mass": 1, "com": [0, 0, -0.5], "inertia": [0.1, 0.1, 0.1] },
              "right": { "mass": 1, "com": [2, 0, -0.5], "inertia": [0.1, 0.1, 0.1] },
              "coupler": { "mass": 1, "com": [1, 0, -1], "inertia": [0.1, 0.1, 0.1] } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "cart", "at": [0, 0, 0], "axis": [1, 0, 0], "motion": )json" +
                                  table + R"json( },
              "hinge": { "type": "revolute", "parent": "cart", "child": "left", "at": [0, 0, 0], "axis": [0, 1, 0] },
              "other": { "type": "revolute", "parent": "cart", "child": "right", "at": [2, 0, 0], "axis": [0, 1, 0] },
              "c": { "type": "revolute", "parent": "left", "child": "coupler", "at": [0, 0, -1], "axis": [0, 1, 0] },
              "d": { "type": "revolute", "parent": "right", "child": "coupler", "at": [2, 0, -1], "axis": [0, 1, 0] } } })json";

double velocity_at(const std::string& text, double t, const std::function<void(SimulationSettings&)>& change) {
  Simulation simulation(model_of(text, [&](SimulationSettings& settings) {
    settings.until = t;
    change(settings);
  }));
  Channel velocity = simulation.channel("hinge.velocity");
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(t).ok());
  REQUIRE(simulation.observe().ok());
  return velocity.value();
}

}  // namespace

TEST_CASE("what hangs on a drive whose velocity jumps moves by the momentum it keeps, in every formulation") {
  for (const std::string& formulation : formulation_names())
    for (const char* motion : {table.c_str(), "\"=max(0, t - 1)\"", "\"=if(t <= 1, 0, t - 1)\"", "\"=(abs(t - 1) + t - 1)/2\""}) {
      CAPTURE(formulation);
      CAPTURE(motion);
      const double w = velocity_at(cart(motion), 1.5, [&](SimulationSettings& s) {
        s.formulation = formulation, s.integrator = {"dopri5", 1e-10, 1e-10, 1};
      });
      // No load acts on the pendulum before the jump, and none but its hinge's after it, about which the cart moves evenly.
      CHECK(w == doctest::Approx(1 / 1.1).epsilon(1e-9));
    }
}

TEST_CASE("a jump is the same for every method, whatever its steps") {
  for (const char* formulation : {"hdca", "dca"})
    for (const IntegratorType& type : integrator_types())
      for (const double step : {0.01, 0.007}) {
        CAPTURE(formulation);
        CAPTURE(type.name);
        const double w = velocity_at(cart(table), 1.5, [&](SimulationSettings& s) {
          s.formulation = formulation, s.integrator = {std::string(type.name), 1e-9, 1e-9, step};
        });
        // Methods of order 2 are off by (w h)^2 / 24 in a turn of one radian, w = 0.9 and h = 0.01; the others far less.
        const bool second_order = type.name == "rk2" || type.name == "implicit_midpoint";
        CHECK(w == doctest::Approx(1 / 1.1).epsilon(second_order ? 1e-5 : 1e-7));
      }
}

TEST_CASE("a loop on a drive whose velocity jumps keeps its momentum too") {
  for (const std::string& formulation : formulation_names()) {
    CAPTURE(formulation);
    const double w = velocity_at(parallelogram, 1, [&](SimulationSettings& s) { s.formulation = formulation; });
    CHECK(w == doctest::Approx(2 / 1.7).epsilon(1e-9));
  }
}

TEST_CASE("the second jump of a drive finds the pendulum turned by the first") {
  // 1.1 w - v cos(angle) is kept by both jumps, and w in between.
  const std::string there_and_back = R"json({ "table": [[0, 0], [1, 0], [1.5, 0.5], [3, 0.5]], "interpolation": "linear" })json";
  const double angle = 0.5 / 1.1;
  for (const std::string& formulation : formulation_names()) {
    CAPTURE(formulation);
    const double w = velocity_at(cart(there_and_back), 2, [&](SimulationSettings& s) {
      s.formulation = formulation, s.integrator = {"dopri5", 1e-10, 1e-10, 1};
    });
    CHECK(w == doctest::Approx((1 - std::cos(angle)) / 1.1).epsilon(1e-8));
  }
}

TEST_CASE("rows before a jump, at it and after it do not depend on where one looks") {
  for (const char* formulation : {"hdca", "slm"})
    for (const char* method : {"dopri5", "rk4", "bs32", "gauss4"}) {
      CAPTURE(formulation);
      CAPTURE(method);
      const auto rows = [&](double step) {
        return rows_of(
                   model_of(cart(table),
                            [&](SimulationSettings& s) {
                              s.until = 1.5, s.output_step = step, s.formulation = formulation, s.integrator = {method, 1e-8, 1e-8, 0.003};
                            }),
                   {"hinge.velocity", "hinge.position", "slide.velocity"})
            .values;
      };
      const auto coarse = rows(0.25), fine = rows(0.05);
      REQUIRE(coarse.size() == 7);
      for (std::size_t i = 0; i < coarse.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k) CHECK(coarse[i][k] == fine[5 * i][k]);
      CHECK(coarse[3][2] == 0);
      CHECK(fine[19][0] == 0);
      CHECK(coarse[4][2] == 1);
      CHECK(coarse[4][0] == doctest::Approx(1 / 1.1).epsilon(1e-12));
    }
}

TEST_CASE("a run that is resumed on either side of a jump, or at it, goes on bit for bit") {
  for (const char* formulation : {"hdca", "dca"})
    for (const char* method : {"dopri5", "rk4", "rkf78"})
      for (const double at : {0.97, 1.0, 1.02}) {
        CAPTURE(formulation);
        CAPTURE(method);
        CAPTURE(at);
        const auto model = model_of(cart(table), [&](SimulationSettings& s) {
          s.until = 1.5, s.formulation = formulation, s.integrator = {method, 1e-8, 1e-8, 0.003};
        });
        Simulation whole(model), resumed(model);
        REQUIRE(whole.start().ok());
        REQUIRE(whole.advance_to(at).ok());
        Checkpoint checkpoint;
        REQUIRE(whole.save(checkpoint).ok());
        const Resumption resumption = resumed.resume(parse_checkpoint(to_text(checkpoint), "checkpoint.json"));
        REQUIRE(resumption.status.ok());
        CHECK(resumption.exact);
        REQUIRE(whole.advance_to(1.5).ok());
        REQUIRE(resumed.advance_to(1.5).ok());
        CHECK(whole.state().q == resumed.state().q);
        CHECK(whole.state().p == resumed.state().p);
      }
}

TEST_CASE("an input that makes a drive's velocity jump is answered alike by every formulation") {
  for (const std::string& formulation : formulation_names()) {
    CAPTURE(formulation);
    Simulation simulation(model_of(cart("\"=speed\"", R"json("ports": { "speed": { "signal": "input" } },)json"),
                                   [&](SimulationSettings& s) { s.formulation = formulation; }));
    Channel velocity = simulation.channel("hinge.velocity");
    const Input input = simulation.input("speed");
    REQUIRE(simulation.start().ok());
    REQUIRE(simulation.advance_to(0.5).ok());
    input.set(0, 1);
    REQUIRE(simulation.observe().ok());
    CHECK(velocity.value() == doctest::Approx(1 / 1.1).epsilon(1e-12));
    REQUIRE(simulation.advance_to(1).ok());
    REQUIRE(simulation.observe().ok());
    CHECK(velocity.value() == doctest::Approx(1 / 1.1).epsilon(1e-6));
  }
}

TEST_CASE("a motion as a power of time starts from rest") {
  Simulation simulation(model_of(cart("\"=t^2.5\"")));
  Channel position = simulation.channel("slide.position");
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(0.5).ok());
  REQUIRE(simulation.observe().ok());
  CHECK(position.value() == doctest::Approx(std::pow(0.5, 2.5)).epsilon(1e-14));
}
