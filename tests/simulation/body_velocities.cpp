#include <doctest/doctest.h>

#include <cmath>

#include "arthron/dynamics/observe.hpp"
#include "simulation/models.hpp"

/// Source of truth: velocities by hand, and least squares in the mass metric solved by hand.
using namespace arthron;
using namespace arthron::test;

namespace {

/// A simulation at its start.
struct Started {
  Simulation simulation;
  explicit Started(const std::string& text, const std::string& formulation = "hdca")
      : simulation(model_of(text, [&](SimulationSettings& s) { s.formulation = formulation; })) {
    REQUIRE(simulation.start().ok());
    REQUIRE(simulation.observe().ok());
  }
  double value(const std::string& channel) {
    Channel found = simulation.channel(channel);
    return found.value();
  }
};

/// Two rods of 1 m, 2 kg and 1 kg, one behind the other along x, on hinges about z.
std::string chain(const std::string& first, const std::string& second, const std::string& initial = "{}") {
  return R"json({ "arthron": 1, "name": "chain", "gravity": [0, 0, 0],
  "bodies": { "a": { "mass": 2, "com": [0.5, 0, 0], "inertia": [0.01, 0.2, 0.2])json" +
         first + R"json( }, "b": { "mass": 1, "com": [1.5, 0, 0], "inertia": [0.01, 0.1, 0.1])json" + second + R"json( } },
  "joints": { "p": { "type": "revolute", "parent": "ground", "child": "a", "at": [0, 0, 0], "axis": [0, 0, 1] },
              "q": { "type": "revolute", "parent": "a", "child": "b", "at": [1, 0, 0], "axis": [0, 0, 1], "initial": )json" +
         initial + R"json( } } })json";
}

std::string moving(const std::string& velocity, const std::string& angular = "") {
  const std::string both = velocity.empty() || angular.empty() ? "" : ", ";
  return R"json(, "initial": { )json" + (velocity.empty() ? "" : "\"velocity\": " + velocity) + both +
         (angular.empty() ? "" : "\"angular_velocity\": " + angular) + " }";
}

doctest::Approx close_to(double expected) { return doctest::Approx(expected).epsilon(1e-11); }

}  // namespace

TEST_CASE("velocities of bodies that the joints admit are taken exactly, in every formulation") {
  // a turns at 3 rad/s about the origin, b at -1 rad/s about the end of a: v_b = 3 x 1 - 1 x 0.5.
  for (const std::string& formulation : formulation_names()) {
    CAPTURE(formulation);
    Started both(chain(moving("[0, 1.5, 0]", "[0, 0, 3]"), moving("[0, 2.5, 0]", "[0, 0, -1]")), formulation);
    CHECK(both.value("p.velocity") == close_to(3));
    CHECK(both.value("q.velocity") == close_to(-4));
  }
}

TEST_CASE("one of the two velocities of a body is enough where the joints give the other") {
  CHECK(Started(chain(moving("", "[0, 0, 3]"), "")).value("p.velocity") == close_to(3));
  CHECK(Started(chain(moving("[0, 1.5, 0]"), "")).value("p.velocity") == close_to(3));
}

TEST_CASE("a body of which nothing is said moves along with the one inward, as its joint says") {
  Started still(chain(moving("", "[0, 0, 3]"), ""));
  CHECK(std::abs(still.value("q.velocity")) < 1e-11);
  Started turning(chain(moving("", "[0, 0, 3]"), "", R"({ "velocity": 2 })"));
  CHECK(turning.value("p.velocity") == close_to(3));
  CHECK(turning.value("q.velocity") == close_to(2));
}

TEST_CASE("a body at the end of a chain has its velocity where those before it are free to follow") {
  // v_b = w_a + 0.5 w_b and w_b are said; w_a follows.
  Started end(chain("", moving("[0, 2.5, 0]", "[0, 0, -1]")));
  CHECK(end.value("b.velocity.y") == close_to(2.5));
  CHECK(end.value("p.velocity") == close_to(3));
  CHECK(end.value("q.velocity") == close_to(-4));
}

TEST_CASE("velocities that joints do not admit give way to the nearest in the mass metric") {
  // One rod on a hinge: m (0.5 w - v)^2 + I (w - w0)^2 is least at (0.5 m v + I w0) / (0.25 m + I).
  const double m = 2, I = 0.2, v = 1, w0 = -3;
  Started rod(chain(moving("[7, 1, 0]", "[5, 0, -3]"), ""));
  CHECK(rod.value("p.velocity") == close_to((0.5 * m * v + I * w0) / (0.25 * m + I)));
}

TEST_CASE("in a loop the velocities of bodies are taken where they fit, and projected where they do not") {
  // Parallelogram with vertical cranks of 1 m: all turn at w, the coupler moves at -w in x.
  const auto loop = [](const std::string& left, const std::string& coupler) {
    return R"json({ "arthron": 1, "name": "loop", "gravity": [0, 0, 0],
  "bodies": { "left": { "mass": 1, "com": [0, 0.5, 0], "inertia": [0.1, 0.1, 0.1])json" +
           left + R"json( }, "right": { "mass": 1, "com": [2, 0.5, 0], "inertia": [0.1, 0.1, 0.1] },
              "coupler": { "mass": 3, "com": [1, 1, 0], "inertia": [0.1, 0.1, 0.1])json" +
           coupler + R"json( } },
  "joints": { "a": { "type": "revolute", "parent": "ground", "child": "left", "at": [0, 0, 0], "axis": [0, 0, 1] },
              "b": { "type": "revolute", "parent": "left", "child": "coupler", "at": [0, 1, 0], "axis": [0, 0, 1] },
              "c": { "type": "revolute", "parent": "coupler", "child": "right", "at": [2, 1, 0], "axis": [0, 0, 1] },
              "d": { "type": "revolute", "parent": "ground", "child": "right", "at": [2, 0, 0], "axis": [0, 0, 1] } } })json";
  };
  for (const char* formulation : {"hdca", "block-module"}) {
    CAPTURE(formulation);
    CHECK(Started(loop("", moving("[-2, 0, 0]")), formulation).value("d.velocity") == close_to(2));
    // Left alone would turn at 2, the coupler alone at 1: weights 0.35 and 3.
    CHECK(Started(loop(moving("[-1, 0, 0]", "[0, 0, 2]"), moving("[-1, 0, 0]", "[0, 0, 0]")), formulation).value("a.velocity") ==
          close_to((0.35 * 2 + 3 * 1) / 3.35));
  }
}

TEST_CASE("a free body starts as is said of it, with a frame of its own too") {
  Started box(R"json({ "arthron": 1, "name": "box", "gravity": [0, 0, 0],
  "bodies": { "box": { "mass": 2, "com": [0.3, 0, 0], "inertia": [1, 2, 3], "frame": { "at": [1, 2, 3], "rotation": { "axis": [1, 1, 0], "angle": 0.7 } },
                       "initial": { "velocity": [1, 2, 3], "angular_velocity": [0.1, 0.2, 0.3] } } },
  "joints": { "float": { "type": "free", "parent": "ground", "child": "box", "at": [4, 5, 6] } } })json");
  const char* axes[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(box.value(std::string("box.angular_velocity.") + axes[i]) == close_to(0.1 * static_cast<double>(i + 1)));
    // Momentum says how the centre of mass moves.
    CHECK(box.value(std::string("momentum.linear.") + axes[i]) == close_to(2.0 * static_cast<double>(i + 1)));
  }
}

TEST_CASE("welded bodies move by the mean of what is said of them, weighed by mass") {
  Started pair(R"json({ "arthron": 1, "name": "pair", "gravity": [0, 0, 0],
  "bodies": { "a": { "mass": 1, "inertia": [1, 1, 1], "initial": { "velocity": [1, 0, 0] } },
              "b": { "mass": 3, "inertia": [1, 1, 1], "initial": { "velocity": [5, 0, 0] } } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "a", "at": [0, 0, 0], "axis": [1, 0, 0] },
              "weld": { "type": "fixed", "parent": "a", "child": "b", "at": [0, 0, 0] } } })json");
  CHECK(pair.value("slide.velocity") == close_to(4));
}

TEST_CASE("velocities of bodies turn with a placed subsystem and are mirrored with a mirrored one") {
  const std::string text = R"json({ "arthron": 1, "name": "two", "gravity": [0, 0, 0],
  "subsystems": {
    "turned": { "rotation": { "axis": [0, 0, 1], "angle": "=90*deg" }, "use": { "bodies": { "box": { "mass": 1, "com": [0, 1, 0], "inertia": [1, 1, 1],
                   "initial": { "velocity": [1, 2, 3], "angular_velocity": [4, 5, 6] } } },
                   "joints": { "float": { "type": "free", "parent": "ground", "child": "box", "at": [0, 1, 0] } } } },
    "mirrored": { "mirror": "y", "use": { "bodies": { "box": { "mass": 1, "com": [0, 1, 0], "inertia": [1, 1, 1],
                   "initial": { "velocity": [1, 2, 3], "angular_velocity": [4, 5, 6] } } },
                   "joints": { "float": { "type": "free", "parent": "ground", "child": "box", "at": [0, 1, 0] } } } } } })json";
  Started two(text);
  const double turned[] = {-2, 1, 3, -5, 4, 6}, mirrored[] = {1, -2, 3, -4, 5, -6};
  const char* axes[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(two.value(std::string("turned.box.velocity.") + axes[i]) == close_to(turned[i]));
    CHECK(two.value(std::string("turned.box.angular_velocity.") + axes[i]) == close_to(turned[3 + i]));
    CHECK(two.value(std::string("mirrored.box.velocity.") + axes[i]) == close_to(mirrored[i]));
    CHECK(two.value(std::string("mirrored.box.angular_velocity.") + axes[i]) == close_to(mirrored[3 + i]));
  }
}

TEST_CASE("velocities of bodies are those at the start, wherever joints put them") {
  // The rod stands along y: its centre moves along -x when it turns.
  const std::string text = R"json({ "arthron": 1, "name": "rod", "gravity": [0, 0, 0],
  "bodies": { "rod": { "mass": 1, "com": [1, 0, 0], "inertia": [0.1, 0.1, 0.1], "initial": { "velocity": [-2, 0, 0] } } },
  "joints": { "hinge": { "type": "revolute", "parent": "ground", "child": "rod", "at": [0, 0, 0], "axis": [0, 0, 1],
                         "initial": { "position": "=90*deg" } } } })json";
  CHECK(Started(text).value("hinge.velocity") == close_to(2));
}
