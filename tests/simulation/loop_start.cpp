#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "simulation/models.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

constexpr double r = 0.3, l = 0.8;

/// Slider crank along x, drawn with the crank upright; `crank` and `slide` are more keys of those joints.
std::string slider_crank(const std::string& crank, const std::string& slide = "") {
  return R"json({ "arthron": 1, "name": "slider_crank",
  "bodies": { "crank": { "mass": 1, "com": [0, 0.15, 0], "inertia": [0.01, 0.01, 0.01] },
              "rod": { "mass": 2, "com": [0.3, 0.15, 0], "inertia": [0.1, 0.1, 0.1] },
              "piston": { "mass": 3, "com": [0.7416198487095663, 0, 0], "inertia": [0.01, 0.01, 0.01] } },
  "points": { "pin": [0, 0.3, 0], "wrist": [0.7416198487095663, 0, 0] },
  "joints": { "main": { "type": "revolute", "parent": "ground", "child": "crank", "at": [0, 0, 0], "axis": [0, 0, 1])json" +
         crank + R"json( },
              "big_end": { "type": "revolute", "parent": "crank", "child": "rod", "at": "pin", "axis": [0, 0, 1] },
              "small_end": { "type": "revolute", "parent": "rod", "child": "piston", "at": "wrist", "axis": [0, 0, 1] },
              "bore": { "type": "prismatic", "parent": "ground", "child": "piston", "at": "wrist", "axis": [1, 0, 0])json" +
         slide + "} } }";
}

struct Start {
  Status status;
  double angle = 0, speed = 0, stroke = 0, piston_speed = 0;
};

Start start(const std::string& text, const std::string& slide_name = "bore") {
  Simulation simulation(model_of(text));
  Start result;
  result.status = simulation.start();
  if (!result.status.ok()) return result;
  REQUIRE(simulation.observe().ok());
  ChannelSet channels(simulation.plan(), {{"main", "", ""}, {slide_name, "", ""}});
  std::vector<double> row(4);
  channels.read(simulation.plan(), simulation.workspace(), row);
  result.angle = row[0], result.speed = row[1], result.stroke = row[2], result.piston_speed = row[3];
  return result;
}

/// Piston position from the drawn one, and its velocity over the crank's, with the crank `turned` from upright (closed form).
double stroke(double turned) {
  const double angle = std::numbers::pi / 2 + turned;
  return r * std::cos(angle) + std::sqrt(l * l - std::pow(r * std::sin(angle), 2)) - std::sqrt(l * l - r * r);
}
double gain(double turned) {
  const double angle = std::numbers::pi / 2 + turned, s = r * std::sin(angle);
  return -s - s * r * std::cos(angle) / std::sqrt(l * l - s * s);
}

}  // namespace

TEST_CASE("a kept joint keeps its value while a loop is closed, and the others follow the closed form") {
  const Start kept = start(slider_crank(R"(, "initial": { "position": -0.5, "velocity": 7, "keep": true })"));
  REQUIRE(kept.status.ok());
  CHECK(kept.angle == -0.5);
  CHECK(kept.stroke == doctest::Approx(stroke(-0.5)).epsilon(1e-12));
  CHECK(kept.speed == doctest::Approx(7).epsilon(1e-12));
  CHECK(kept.piston_speed == doctest::Approx(7 * gain(-0.5)).epsilon(1e-12));
}

TEST_CASE("without keep all joints of a loop share the correction, and still close it") {
  const Start start_of = start(slider_crank(R"(, "initial": { "position": -0.5, "velocity": 7 })"));
  REQUIRE(start_of.status.ok());
  CHECK(start_of.angle > -0.5);
  CHECK(start_of.angle < 0);
  CHECK(start_of.stroke == doctest::Approx(stroke(start_of.angle)).epsilon(1e-12));
  CHECK(start_of.speed > 0);
  CHECK(start_of.speed < 7);
  CHECK(start_of.piston_speed == doctest::Approx(start_of.speed * gain(start_of.angle)).epsilon(1e-12));
}

TEST_CASE("a loop that kept joints leave no way to close is refused with its gap, joint and bodies") {
  // Crank towards the bore, piston 0.1 m beyond its dead centre at r + l.
  const std::string text =
      slider_crank(R"(, "initial": { "position": -1.5707963267948966, "keep": true })",
                   R"(, "initial": { "position": )" + std::to_string(r + l + 0.1 - std::sqrt(l * l - r * r)) + R"(, "keep": true })");
  Simulation simulation(model_of(text));
  const Status status = simulation.start();
  CHECK(status.code == Status::Code::not_closed);
  const std::string words = describe(status, simulation.plan(), simulation.workspace(), 0);
  CAPTURE(words);
  for (const char* word : {"stays open by 100 mm", "degrees", "\"main\" (kept)", "\"bore\" (kept)", "\"rod\""})
    CHECK(words.find(word) != std::string::npos);
}

TEST_CASE("kept velocities that a loop does not admit are refused") {
  const std::string text =
      slider_crank(R"(, "initial": { "velocity": 1, "keep": true })", R"(, "initial": { "velocity": 1, "keep": true })");
  CHECK(start(text).status.code == Status::Code::contradictory_drives);
  const std::string admitted =
      slider_crank(R"(, "initial": { "velocity": 1, "keep": true })", R"(, "initial": { "velocity": -0.3, "keep": true })");
  CHECK(start(admitted).status.ok());
}

TEST_CASE("a loop in which every joint is kept is the user's mistake") {
  std::string text = slider_crank(R"(, "initial": { "keep": true })", R"(, "initial": { "keep": true })");
  for (const char* joint : {"\"at\": \"pin\"", "\"parent\": \"rod\", \"child\": \"piston\", \"at\": \"wrist\""}) {
    const std::size_t at = text.find(joint);
    REQUIRE(at != std::string::npos);
    text.insert(at, R"("initial": { "keep": true }, )");
  }
  CHECK_THROWS_AS((void)start(text), ModelError);
}
