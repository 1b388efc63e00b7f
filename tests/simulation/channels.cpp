#include <doctest/doctest.h>

#include <algorithm>

#include "simulation/models.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

constexpr auto mixed = R"json({
  "arthron": 1, "name": "mixed",
  "bodies": { "a": { "mass": 2, "com": [0, 0, 0], "inertia": [1, 1, 1] }, "b": { "mass": 1, "com": [0, 0, 0], "inertia": [1, 1, 1] },
              "c": { "mass": 1, "com": [0, 0, 0], "inertia": [1, 1, 1] } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "a", "at": [0, 0, 0], "axis": [0, 0, 1] },
              "ball": { "type": "spherical", "parent": "a", "child": "b", "at": [0, 0, 0] },
              "tube": { "type": "cylindrical", "parent": "b", "child": "c", "at": [0, 0, 0], "axis": [1, 0, 0] } },
  "forces": { "spring": { "type": "spring_damper", "from": ["ground", [0, 0, 3]], "to": ["a", [0, 0, 0]], "stiffness": 10, "free_length": 1 } } })json";

std::vector<std::string> header(const std::string& text, const std::vector<std::string>& paths) {
  const Simulation simulation(model_of(text));
  std::vector<ChannelRequest> requests;
  for (const std::string& path : paths) requests.push_back({path, "", ""});
  std::vector<std::string> list;
  const ChannelSet channels(simulation.plan(), requests);
  for (const ChannelColumn& column : channels.columns()) list.push_back(column.name + " [" + column.unit + ']');
  return list;
}

using Names = std::vector<std::string>;

std::vector<double> first_row(const std::string& text, const std::vector<std::string>& paths) {
  Simulation simulation(model_of(text));
  std::vector<ChannelRequest> requests;
  for (const std::string& path : paths) requests.push_back({path, "", ""});
  ChannelSet channels(simulation.plan(), requests);
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.observe(channels.needs_accelerations()).ok());
  std::vector<double> row(channels.columns().size());
  channels.read(simulation.plan(), simulation.workspace(), row);
  return row;
}

}  // namespace

TEST_CASE("columns are named by element, quantity and component, with the units of their freedoms") {
  CHECK(header(mixed, {"slide.position", "slide.effort", "slide.momentum"}) ==
        Names{"slide.position [m]", "slide.effort [N]", "slide.momentum [N s]"});
  CHECK(header(mixed, {"ball.velocity"}) == Names{"ball.velocity.x [rad/s]", "ball.velocity.y [rad/s]", "ball.velocity.z [rad/s]"});
  CHECK(header(mixed, {"tube.position"}) == Names{"tube.position.0 [m]", "tube.position.1 [rad]"});
  CHECK(header(mixed, {"a.position.z"}) == Names{"a.position.z [m]"});
  CHECK(header(mixed, {"slide.reaction.moment"}) ==
        Names{"slide.reaction.moment.x [N m]", "slide.reaction.moment.y [N m]", "slide.reaction.moment.z [N m]"});
  CHECK(header(mixed, {"spring.force"}) == Names{"spring.force [N]"});
  CHECK(header(mixed, {"energy"}) == Names{"energy.kinetic [J]", "energy.potential [J]", "energy.total [J]"});
}

TEST_CASE("a bare name, a pattern and a repetition mean what they say") {
  CHECK(header(mixed, {"b"}).size() == 3 + 4 + 3 + 3);
  CHECK(header(mixed, {"ball"}).size() == 6);
  CHECK(header(mixed, {"spring"}) == Names{"spring.force [N]", "spring.length [m]", "spring.rate [m/s]"});
  CHECK(header(mixed, {"*.effort"}).size() == 1 + 3 + 2);
  CHECK(header(mixed, {"*.position.z"}).size() == 4);  // three bodies and the ball
  CHECK(header(mixed, {"a.position", "a.position.x", "a.position"}).size() == 3);
}

TEST_CASE("without a request joints, markers and energy are chosen") {
  CHECK(header(pendulum, {}) == Names{"hinge.position [rad]", "hinge.velocity [rad/s]", "tip.position.x [m]", "tip.position.y [m]",
                                      "tip.position.z [m]", "tip.velocity.x [m/s]", "tip.velocity.y [m/s]", "tip.velocity.z [m/s]",
                                      "energy.kinetic [J]", "energy.potential [J]", "energy.total [J]"});
}

TEST_CASE("every request that names nothing is reported, with its place and the nearest name") {
  const Simulation simulation(model_of(pendulum));
  try {
    const ChannelSet channels(simulation.plan(),
                              {{"tip.positon", "m.json", "/simulate/output/channels/0"}, {"hinge", "", ""}, {"rodd", "", "--channel"}});
    FAIL("accepted");
  } catch (const ModelError& error) {
    REQUIRE(error.diagnostics().size() == 2);
    CHECK(error.diagnostics()[0].pointer == "/simulate/output/channels/0");
    CHECK(error.diagnostics()[0].file == "m.json");
    CHECK(error.diagnostics()[0].suggestion == "tip.position");
    CHECK(error.diagnostics()[1].pointer == "--channel");
    CHECK(error.diagnostics()[1].suggestion == "rod");
  }
}

TEST_CASE("accelerations are asked for only when a channel needs them") {
  const Simulation simulation(model_of(pendulum));
  CHECK_FALSE(ChannelSet(simulation.plan(), {}).needs_accelerations());
  CHECK(ChannelSet(simulation.plan(), {{"hinge.reaction", "", ""}}).needs_accelerations());
}

TEST_CASE("a pendulum let go from rest: acceleration and reaction have their closed forms") {
  // theta = 2: alpha = -(g/l) sin theta; the hinge carries the weight's part along the rod, which points at 2 rad from hanging.
  const double g = 9.81, l = 0.5, m = 2, alpha = -g / l * std::sin(2.0);
  const std::vector<double> row =
      first_row(pendulum, {"hinge.acceleration", "hinge.reaction.force", "tip.position", "rod.angular_acceleration.y", "hinge.effort"});
  CHECK(row[0] == doctest::Approx(alpha));
  const double along = m * g * std::cos(2.0);
  CHECK(row[1] == doctest::Approx(along * std::sin(2.0)));
  CHECK(row[3] == doctest::Approx(along * std::cos(2.0)));
  CHECK(row[4] == doctest::Approx(-l * std::sin(2.0)));
  CHECK(row[6] == doctest::Approx(-l * std::cos(2.0)));
  CHECK(row[7] == doctest::Approx(alpha));
  CHECK(row[8] == 0);
}

TEST_CASE("a spring reports its length and pull") {
  const std::vector<double> row = first_row(mixed, {"spring.force", "spring.length"});
  CHECK(row[0] == doctest::Approx(10 * (3 - 1)));
  CHECK(row[1] == doctest::Approx(3));
}
