#include <doctest/doctest.h>

#include <array>

#include "arthron/dynamics/observe.hpp"
#include "simulation/models.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

std::string thrown(const std::string& gravity, const std::string& body, const std::string& velocity, const std::string& forces,
                   const std::string& rest = "") {
  return R"({"arthron": 1, "name": "thrown", "gravity": )" + gravity + R"(, "bodies": {"body": )" + body +
         R"(}, "joints": {"float": {"type": "free", "parent": "ground", "child": "body", "at": [0, 0, 0], "initial": {"velocity": )" +
         velocity + R"(}}}, "forces": {)" + forces + "}" + rest + "}";
}

Spatial6 velocity_after(Simulation& simulation, double t) {
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(t).ok());
  REQUIRE(simulation.observe().ok());
  return frame_velocity(simulation.plan(), simulation.workspace(), {1});
}

constexpr auto ball = R"({"mass": 2, "com": [0, 0, 0.2], "inertia": [0.008, 0.008, 0.008]})";  // uniform, of radius 0.1

}  // namespace

TEST_CASE("contact: a ball thrown at the road leaves it as Hunt and Crossley's integral says, for any exponent") {
  for (const char* exponent : {"1", "1.5", "2.2"}) {
    CAPTURE(exponent);
    Simulation simulation = tight(
        thrown("[0, 0, 0]", ball, "[0, 0, -2, 0, 0, 0]",
               R"("foot": {"type": "contact", "on": ["body", [0, 0, 0.2]], "radius": 0.1, "stiffness": 1e6, "damping": 0.1, "exponent": )" +
                   std::string(exponent) + "}"),
        1);
    const double c = 0.1, v = 2, w = velocity_after(simulation, 0.9).linear.z;
    CHECK(c * v - std::log(1 + c * v) == doctest::Approx(-c * w - std::log(1 - c * w)).epsilon(1e-6));
    // Which is 1 - (2/3) c v of restitution at small speeds.
    CHECK(w / v == doctest::Approx(1 - 2.0 / 3 * c * v).epsilon(0.02));
  }
}

TEST_CASE("contact: a ball that slides first rolls in the end with 5/7 of its speed") {
  // Moments about the line of contact: none but of weight and normal force, which pass through it. Weight is borne at 1e-4 m of depth.
  Simulation simulation =
      tight(thrown("[0, 0, -9.81]", R"({"mass": 2, "com": [0, 0, 0.1], "inertia": [0.008, 0.008, 0.008]})", "[3, 0, 0, 0, 0, 0]",
                   R"("foot": {"type": "contact", "on": ["body", [0, 0, 0.1]], "radius": 0.1, "stiffness": 2e5,
                              "exponent": 1, "damping": 5, "friction": 0.3})"),
            2);
  const Spatial6 V = velocity_after(simulation, 2);
  CHECK(V.linear.x == doctest::Approx(3 * 5.0 / 7).epsilon(2e-3));
  CHECK(V.angular.y * 0.1 == doctest::Approx(3 * 5.0 / 7).epsilon(2e-3));
}

TEST_CASE("contact: without friction a ball on a slope goes down it with g sin(slope) cos(slope) of horizontal acceleration") {
  // tan(slope) = 0.75: sine 0.6, cosine 0.8. The centre starts where the spring bears the weight.
  const double depth = 2 * 9.81 * 0.8 / 1e5, height = (0.1 - depth) / 0.8;
  Simulation simulation =
      tight(thrown("[0, 0, -9.81]", R"({"mass": 2, "com": [0, 0, )" + std::to_string(height) + R"(], "inertia": [0.008, 0.008, 0.008]})",
                   "[0, 0, 0, 0, 0, 0]",
                   R"("foot": {"type": "contact", "on": ["body", [0, 0, )" + std::to_string(height) +
                       R"(]], "radius": 0.1, "stiffness": 1e5, "exponent": 1, "damping": 1})",
                   R"(, "road": {"height": "=-0.75*x"})"),
            1);
  const Spatial6 V = velocity_after(simulation, 1);
  CHECK(V.linear.x == doctest::Approx(9.81 * 0.6 * 0.8).epsilon(1e-3));
  CHECK(V.linear.z == doctest::Approx(-9.81 * 0.6 * 0.6).epsilon(1e-3));
}

TEST_CASE("bushing: a body tumbling on an undamped one keeps its energy through large turns, and rings with sqrt(k/m)") {
  const std::string mount = R"("mount": {"type": "bushing", "from": ["ground", [0, 0, 0]], "to": ["body", [0, 0, 0]], "x_axis": [1, 1, 0],
      "stiffness": [200, 300, 400], "rotational_stiffness": [4, 5, 6], "preload": [1, 2, 3], "preload_torque": [0.1, 0.2, 0.3]})";
  const std::string lump = R"({"mass": 2, "com": [0.1, 0, 0.05], "inertia": [0.3, 0.4, 0.5]})";
  Simulation simulation = tight(thrown("[0, 0, -9.81]", lump, "[1, 2, 3, 2, -2, 3]", mount), 3);
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.observe().ok());
  CHECK(is_conservative(simulation.plan()));
  const double start = energy(simulation.plan(), simulation.workspace()).total();
  (void)velocity_after(simulation, 3);
  CHECK(energy(simulation.plan(), simulation.workspace()).total() == doctest::Approx(start).epsilon(1e-8));

  Simulation ringing =
      tight(thrown("[0, 0, 0]", R"({"mass": 2, "inertia": [1, 1, 1]})", "[0, 0, 1, 0, 0, 0]",
                   R"("mount": {"type": "bushing", "from": ["ground", [0, 0, 0]], "to": ["body", [0, 0, 0]], "stiffness": 200})"),
            1);
  CHECK(velocity_after(ringing, 0.7).linear.z == doctest::Approx(std::cos(std::sqrt(100) * 0.7)).epsilon(1e-8));
}

TEST_CASE("bump stop: mass on a cubic stop comes back with the speed it came with, and goes as deep as its energy takes it") {
  // k d^2/2 + c d^4/4 = m v^2/2 at the deepest point: with k = 0, d = (2 m v^2 / c)^(1/4).
  const std::string stop =
      R"("stop": {"type": "bump_stop", "from": ["ground", [0, 0, -1]], "to": ["body", [0, 0, 0]], "length": 0.9, "cubic": 4e6})";
  Simulation simulation = tight(thrown("[0, 0, 0]", R"({"mass": 2, "inertia": [1, 1, 1]})", "[0, 0, -2, 0, 0, 0]", stop), 1);
  REQUIRE(simulation.start().ok());
  double deepest = 0;
  for (int i = 0; i <= 2000; ++i) {
    REQUIRE(simulation.advance_to(0.05 + 1e-4 * i).ok());
    REQUIRE(simulation.observe().ok());
    std::array<double, 3> values{};
    force_measure(simulation.plan(), simulation.workspace(), 0, values.data());
    deepest = std::fmax(deepest, values[1]);
  }
  CHECK(deepest == doctest::Approx(std::pow(2 * 2 * 4 / 4e6, 0.25)).epsilon(1e-4));
  CHECK(frame_velocity(simulation.plan(), simulation.workspace(), {1}).linear.z == doctest::Approx(2).epsilon(1e-8));
}

TEST_CASE("tyre: a wheel set down bears its load at the static deflection and rolls on without losing speed") {
  const std::string text = R"({"arthron": 1, "name": "wheel",
    "bodies": {"ballast": {"mass": 300, "com": [0, 0, 0.3], "inertia": [1, 1, 1]},
               "wheel": {"mass": 20, "com": [0, 0, 0.3], "inertia": [0.6, 1, 0.6]},
               "slider": {"mass": 1, "com": [0, 0, 0.3], "inertia": [1, 1, 1]}},
    "joints": {"along": {"type": "prismatic", "parent": "ground", "child": "slider", "at": [0, 0, 0.3], "axis": [1, 0, 0],
                         "initial": {"velocity": 20}},
               "up": {"type": "prismatic", "parent": "slider", "child": "ballast", "at": [0, 0, 0.3], "axis": [0, 0, 1]},
               "bearing": {"type": "revolute", "parent": "ballast", "child": "wheel", "at": [0, 0, 0.3], "axis": [0, 1, 0],
                           "initial": {"velocity": 60}}},
    "forces": {"tyre": {"type": "tyre", "on": ["wheel", [0, 0, 0.3]], "axis": [0, 1, 0], "radius": 0.3, "stiffness": 2e5, "damping": 3000,
                        "longitudinal_stiffness": 8e4, "cornering_stiffness": 6e4}}})";
  Simulation simulation = tight(text, 5);
  REQUIRE(simulation.start().ok());
  double energy_before = 1e300;
  for (int i = 0; i <= 250; ++i) {
    REQUIRE(simulation.advance_to(0.02 * i).ok());
    REQUIRE(simulation.observe().ok());
    const double now = energy(simulation.plan(), simulation.workspace()).total();
    CHECK(now <= energy_before + 1e-6);
    energy_before = now;
  }
  std::array<double, 8> values{};
  force_measure(simulation.plan(), simulation.workspace(), 0, values.data());
  CHECK(values[0] == doctest::Approx(320 * 9.81).epsilon(1e-6));
  CHECK(values[6] == doctest::Approx(320 * 9.81 / 2e5).epsilon(1e-6));
  CHECK(std::abs(values[4]) < 1e-6);
  // Spin and travel met at V: momentum about the contact line is kept but for the sinking of the axle.
  double speed = 0;
  joint_velocity(simulation.plan(), simulation.workspace(), {0}, &speed);
  const double r = 0.3 - 320 * 9.81 / 2e5;
  CHECK(speed == doctest::Approx((321 * 20 * r + 60.0) / (321 * r + 1 / r)).epsilon(2e-3));
}
