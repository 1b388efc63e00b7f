#include <doctest/doctest.h>

#include <cmath>

#include "simulation/models.hpp"
#include "support/rows.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);  // throws where there is nothing to replace
}

const std::string spring = R"("spring": { "stiffness": 40, "damping": 3 })", law = R"("effort": "=-40*x - 3*v")";
const std::string sensors = R"("ports": {
    "place": { "signal": "output", "channel": "slide.position" }, "speed": { "signal": "output", "channel": "slide.velocity" },
    "x": { "signal": "input" }, "v": { "signal": "input" } },)";

/// A cart on a slide with a pendulum below, as a definition.
const std::string cart = R"({
  "bodies": { "block": { "mass": 2, "inertia": [1, 1, 1] }, "bob": { "mass": 1, "com": [0, 0, -0.4], "inertia": [0.01, 0.01, 0.01] } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "block", "at": [0, 0, 0], "axis": [1, 0, 0], )" +
                         spring + R"(, "initial": { "position": 0.1, "velocity": 1 } },
              "hinge": { "type": "revolute", "parent": "block", "child": "bob", "at": [0, 0, 0], "axis": [0, 1, 0], "initial": { "position": 1 } } } })";
const std::string fed_cart = replaced(replaced(cart, spring, law), "{", "{ " + sensors);

std::string using_it(const std::string& definition, const std::string& keys = "") {
  return R"({ "arthron": 1, "name": "m", "subsystems": { "cart": { "use": )" + definition + keys + "} } }";
}

const std::string to_itself = R"(, "connect": { "x": "cart.place", "v": "cart.speed" })";

Rows rows(const std::string& text, const std::string& integrator, const std::string& elimination, const std::vector<std::string>& paths) {
  return rows_of(model_of(text,
                          [&](SimulationSettings& settings) {
                            settings.until = 1;
                            settings.integrator.type = integrator;
                            settings.elimination = elimination;
                          }),
                 paths);
}

double largest_difference(const Rows& a, const Rows& b) {
  REQUIRE(a.values.size() == b.values.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    for (std::size_t j = 0; j < a.values[i].size(); ++j) largest = std::fmax(largest, std::abs(a.values[i][j] - b.values[i][j]));
  return largest;
}

/// What a simulation refuses, "" for nothing.
std::string refused(const std::string& text) {
  try {
    const Simulation simulation(model_of(text));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

/// One slide with the ports given.
std::string slide(const std::string& keys, const std::string& ports) {
  return R"({ "arthron": 1, "name": "m",
  "ports": { )" +
         ports + R"( },
  "bodies": { "block": { "mass": 2, "inertia": [1, 1, 1] } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "block", "at": [0, 0, 0], "axis": [1, 0, 0], )" +
         keys + " } } }";
}

}  // namespace

TEST_CASE("an effort fed back from position and velocity is a spring and damper, to rounding") {
  const std::vector<std::string> paths{"cart.slide", "cart.hinge", "cart.slide.effort", "cart.block.acceleration.x"};
  for (const std::string elimination : {"fold", "pair"})
    for (const std::string integrator : {"rk4", "dopri5", "rkf78"}) {
      CAPTURE(elimination);
      CAPTURE(integrator);
      const Rows expected = rows(using_it(cart), integrator, elimination, paths);
      const Rows fed_back = rows(using_it(fed_cart, to_itself), integrator, elimination, paths);
      // Efforts of some 10 N, rounded differently at every one of some thousand evaluations; explicit methods add nothing to that.
      CHECK(largest_difference(expected, fed_back) < 1e-11);
      CHECK_FALSE(fed_back.summary.conservative);
    }
}

TEST_CASE("signals pass through subsystems at any depth, inputs inward and outputs outward") {
  const std::string middle = R"({ "ports": { "in_x": { "signal": "input" }, "in_v": { "signal": "input" },
    "out_x": { "signal": "output", "channel": "cart.place" }, "out_v": { "signal": "output", "channel": "cart.speed" } },
    "subsystems": { "cart": { "use": )" +
                             fed_cart + R"(, "connect": { "x": "in_x", "v": "in_v" } } } })";
  const std::string outer = R"({ "arthron": 1, "name": "m", "subsystems": { "whole": { "use": )" + middle +
                            R"(, "connect": { "in_x": "whole.out_x", "in_v": "whole.out_v" } } } })";
  const Rows expected = rows(using_it(fed_cart, to_itself), "dopri5", "fold", {"cart.slide", "cart.hinge"});
  CHECK(largest_difference(expected, rows(outer, "dopri5", "fold", {"whole.cart.slide", "whole.cart.hinge"})) == 0);
}

TEST_CASE("a law of the enclosing file may use measurements as its own inputs, and a program may replace them") {
  const std::string plant = replaced(replaced(cart, spring, R"("effort": "=force")"), "{", R"({ "ports": {
    "place": { "signal": "output", "channel": "block.position.x" }, "speed": { "signal": "output", "channel": "slide.velocity" },
    "force": { "signal": "input" } },)");
  const std::string text = replaced(using_it(plant, R"(, "connect": { "force": "=-40*x - 3*v" })"), R"("name": "m",)",
                                    R"("name": "m", "gravity": [0, 0, 0], "ports": { "x": { "signal": "input", "default": "cart.place" },
                                                                "v": { "signal": "input", "default": "cart.speed" } },)");
  const std::string direct = replaced(using_it(cart), R"("name": "m",)", R"("name": "m", "gravity": [0, 0, 0],)");
  const std::vector<std::string> paths{"cart.slide", "cart.hinge"};
  CHECK(largest_difference(rows(direct, "dopri5", "fold", paths), rows(text, "dopri5", "fold", paths)) < 1e-11);

  // With both measurements replaced by zero nothing holds the cart: its momentum along x stays.
  Simulation simulation(model_of(text));
  simulation.input("x").set(0);
  simulation.input("v").set(0);
  REQUIRE(simulation.start().ok());
  const double momentum = simulation.state().p[0];
  REQUIRE(simulation.advance_to(1).ok());
  CHECK(simulation.state().p[0] == doctest::Approx(momentum).epsilon(1e-12));
}

TEST_CASE("a joint at which a loop is cut is measured like any other") {
  // The angles of a four-bar add up to nothing, so that one of them can be told from the others.
  const std::string loop = R"({ "arthron": 1, "name": "loop",
    "ports": { "a_angle": { "signal": "output", "channel": "a.position" }, "b_angle": { "signal": "output", "channel": "b.position" },
               "c_angle": { "signal": "output", "channel": "c.position" }, "d_angle": { "signal": "output", "channel": "d.position" },
               "qa": { "signal": "input", "default": "a_angle" }, "qb": { "signal": "input", "default": "b_angle" },
               "qc": { "signal": "input", "default": "c_angle" }, "qd": { "signal": "input", "default": "d_angle" } },
    "bodies": { "crank": { "mass": 1, "com": [0, 0, 0.1], "inertia": [0.01, 0.01, 0.01] },
                "coupler": { "mass": 2, "com": [0.25, 0, 0.25], "inertia": [0.02, 0.02, 0.02] },
                "rocker": { "mass": 1, "com": [0.5, 0, 0.15], "inertia": [0.01, 0.01, 0.01] } },
    "joints": { "a": { "type": "revolute", "parent": "ground", "child": "crank", "at": [0, 0, 0], "axis": [0, 1, 0],
                       "effort": "=-5*qc", "initial": { "velocity": 2 } },
                "b": { "type": "revolute", "parent": "crank", "child": "coupler", "at": [0, 0, 0.2], "axis": [0, 1, 0] },
                "c": { "type": "revolute", "parent": "coupler", "child": "rocker", "at": [0.5, 0, 0.3], "axis": [0, 1, 0], "cut": true },
                "d": { "type": "revolute", "parent": "rocker", "child": "ground", "at": [0.5, 0, 0], "axis": [0, 1, 0] } } })";
  const std::vector<std::string> paths{"a", "c"};
  const Rows others = rows(replaced(loop, "=-5*qc", "=5*(qa + qb + qd)"), "rk4", "fold", paths);
  CHECK(largest_difference(rows(loop, "rk4", "fold", paths), others) < 1e-10);
}

TEST_CASE("a force fed back from a marker holds a body like a spring") {
  const std::string text = R"({ "arthron": 1, "name": "m", "gravity": [0, 0, 0],
    "ports": { "height": { "signal": "output", "channel": "middle.position.z" }, "z": { "signal": "input", "default": "height" } },
    "bodies": { "ball": { "mass": 2, "com": [0, 0, 0.5], "inertia": [1, 1, 1] } },
    "joints": { "float": { "type": "free", "parent": "ground", "child": "ball", "at": [0, 0, 0.5], "initial": { "velocity": [0, 0, 3, 0, 0, 0] } } },
    "markers": { "middle": { "body": "ball", "at": [0, 0, 0.5] } },
    "forces": { "hold": { "type": "force", "on": ["ball", [0, 0, 0.5]], "force": [0, 0, "=-32*z"] } } })";
  Simulation simulation(
      model_of(text, [](SimulationSettings& s) { s.integrator.relative_tolerance = s.integrator.absolute_tolerance = 1e-11; }));
  Channel height = simulation.channel("height"), force = simulation.channel("float.velocity.z");
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(2).ok());
  REQUIRE(simulation.observe().ok());
  CHECK(height.value() == doctest::Approx(0.5 * std::cos(8.0) + 0.75 * std::sin(8.0)).epsilon(1e-8));
  CHECK(force.value() == doctest::Approx(-2 * std::sin(8.0) + 3 * std::cos(8.0)).epsilon(1e-8));
}

TEST_CASE("the rate of a target that is fed back counts as zero") {
  // target = 2 x: stiffness (2 x - x) + damping (0 - x'), a spring of negative stiffness: x'' = (k x - c x') / m.
  const std::string text =
      slide(R"("drive": { "target": "=2*x", "stiffness": 6, "damping": 2 }, "initial": { "position": 0.1 })",
            R"("place": { "signal": "output", "channel": "slide.position" }, "x": { "signal": "input", "default": "place" })");
  Simulation simulation(
      model_of(text, [](SimulationSettings& s) { s.integrator.relative_tolerance = s.integrator.absolute_tolerance = 1e-11; }));
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(1).ok());
  // 2 r^2 + 2 r - 6 = 0
  const double a = (-1 + std::sqrt(13.0)) / 2, b = (-1 - std::sqrt(13.0)) / 2;
  CHECK(simulation.state().q[0] == doctest::Approx(0.1 * (a * std::exp(b) - b * std::exp(a)) / (a - b)).epsilon(1e-8));
}

TEST_CASE("the cart of examples/cart_pole has the four equal poles that its gains are made for") {
  constexpr double tilt = 1e-4, pace = 3;
  Model model =
      load_model(std::string(ARTHRON_SOURCE_DIR) + "/examples/cart_pole/cart_pole.json", builtins(), {{"start", tilt}, {"goal", 0}});
  model.simulation.integrator.relative_tolerance = 1e-12, model.simulation.integrator.absolute_tolerance = 1e-14;
  Simulation simulation(std::make_shared<const Model>(std::move(model)));
  Channel place = simulation.channel("plant.place"), angle = simulation.channel("plant.tilt"),
          force = simulation.channel("plant.rail.effort");
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.observe().ok());
  // (M + m) x'' + m l a'' = F,  m l x'' + J a'' = m g l a;  the first rate of F follows from its gains at rest, F = k_a a.
  constexpr double mass = 1.2, moment = 0.1, inertia = 0.2 / 3, determinant = mass * inertia - moment * moment, g = 9.81;
  const double F = force.value(), k_a = F / tilt;
  const double x2 = (inertia * F - moment * moment * g * tilt) / determinant, a2 = (-moment * F + mass * moment * g * tilt) / determinant;
  // Of (s + pace)^4, the coefficients of s^3 and s^2 fix the rate gains.
  const double k_v = 4 * std::pow(pace, 3) * determinant / (g * moment), k_w = (4 * pace * determinant + inertia * k_v) / moment;
  CHECK(k_a == doctest::Approx((6 * pace * pace * determinant + mass * moment * g + inertia * k_v * pace / 4) / moment).epsilon(1e-6));
  const double rate = k_v * x2 + k_w * a2, x3 = inertia * rate / determinant, a3 = -moment * rate / determinant;
  const auto closed_form = [&](double t, double y0, double y2, double y3) {
    const double z1 = pace * y0, z2 = y2 + pace * pace * y0, z3 = y3 + 3 * pace * y2 + pace * pace * pace * y0;
    return std::exp(-pace * t) * (y0 + z1 * t + z2 * t * t / 2 + z3 * t * t * t / 6);
  };
  for (int i = 1; i <= 30; ++i) {
    REQUIRE(simulation.advance_to(0.1 * i).ok());
    REQUIRE(simulation.observe().ok());
    // What the linear equations leave out is of third order in the tilt.
    CHECK(std::abs(place.value() - closed_form(0.1 * i, 0, x2, x3)) < 1e-10);
    CHECK(std::abs(angle.value() - closed_form(0.1 * i, tilt, a2, a3)) < 1e-10);
  }
}

TEST_CASE("what needs forces or accelerations, or is more than one number, is not fed back") {
  const std::string in = R"(, "x": { "signal": "input", "default": "sensor" })";
  CHECK(refused(slide(R"("effort": "=x")", R"("sensor": { "signal": "output", "channel": "slide.effort" })" + in)) ==
        "test.json:2: /ports/x/default\n"
        "  found \"sensor\", which is \"slide.effort\", a result that needs forces or accelerations; expected a position, orientation or "
        "velocity "
        "of a joint, body or marker, or an internal state of a force: forces are not known before the signals are");
  CHECK(refused(slide(R"("effort": "=x")", R"("sensor": { "signal": "output", "channel": "block.acceleration.x" })" + in))
            .find("a result that needs forces or accelerations") != std::string::npos);
  CHECK(refused(slide(R"("effort": "=x")", R"("sensor": { "signal": "output", "channel": "block.position" })" + in)) ==
        "test.json:2: /ports/x/default\n"
        "  found \"sensor\", which is \"block.position\", 3 numbers; expected one number: a signal output whose \"channel\" ends in a "
        "component, "
        "such as .z");
}

TEST_CASE("a prescribed motion cannot follow a measurement") {
  const std::string ports =
      R"("sensor": { "signal": "output", "channel": "slide.position" }, "x": { "signal": "input", "default": "sensor" })";
  CHECK(refused(slide(R"("motion": "=0.5*x")", ports)) ==
        "test.json:4: /joints/slide/motion\n"
        "  found \"=0.5*x\", which uses a measurement; expected a motion known from t and inputs alone, since it must be known before "
        "anything is measured; a \"drive\" or an \"effort\" of a joint can follow a measurement");
  CHECK(refused(replaced(slide(R"("effort": 1)", ports), R"("bodies")",
                         R"("grounds": { "table": { "motion": { "translation": ["=x", 0, 0] } } }, "bodies")"))
            .find("/grounds/table/motion/translation\n  found [\"=x\",0,0], which uses a measurement") != std::string::npos);
}

TEST_CASE("signals that lead in a circle are shown as one") {
  CHECK(refused(slide(R"("effort": 1)", R"("a": { "signal": "output", "channel": "b" }, "b": { "signal": "output", "channel": "a" })")) ==
        "test.json:2: /ports/b/channel\n"
        "  found b -> a -> b, a circle of signals; expected a channel that is measured\n"
        "test.json:2: /ports/a/channel\n"
        "  found a -> b -> a, a circle of signals; expected a channel that is measured");
}
