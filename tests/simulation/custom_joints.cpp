#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "arthron/components/builtins.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/model/find.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"
#include "support/pose_only.hpp"

using namespace arthron;

namespace {

using Json = nlohmann::ordered_json;

/// A body of 2 kg on one joint, its com at the joint's place in the drawing.
Json on_joint(Json joint, Json gravity = {0, 0, -9.81}) {
  joint["parent"] = "ground", joint["child"] = "body";
  if (!joint.contains("at")) joint["at"] = {0, 0, 0};
  return {{"arthron", 1},
          {"name", "lone"},
          {"gravity", std::move(gravity)},
          {"bodies", {{"body", {{"mass", 2}, {"com", {0, 0, 0}}, {"inertia", {0.01, 0.02, 0.03}}}}}},
          {"joints", {{"joint", std::move(joint)}}},
          {"simulate", {{"until", 3}, {"integrator", {{"type", "dopri5"}, {"relative_tolerance", 1e-12}, {"absolute_tolerance", 1e-12}}}}}};
}

Simulation simulation(const Json& model) {
  static const Registry types = test::pose_only_registry();
  return Simulation(std::make_shared<const Model>(parse_model(model.dump(), "test.json", types)));
}

double total_energy(Simulation& run) {
  REQUIRE(run.observe().ok());
  return energy(run.plan(), run.workspace()).total();
}

std::string refused(const Json& model) {
  try {
    (void)simulation(model);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

// Source of truth: a point on a circle is a pendulum; the built-in revolute moves one.
TEST_CASE("a curve through the points of a circle is a pendulum, to the accuracy of its cubics, and gets better with more points") {
  const auto angle_after = [](int points) {
    Json curve{{"type", "curve"}, {"closed", true}, {"points", Json::array()}, {"initial", {{"velocity", 3}}}};
    for (int i = 0; i < points; ++i) {
      const double a = 2 * std::numbers::pi * i / points;
      curve["points"].push_back({std::sin(a), 0, -std::cos(a)});
    }
    Simulation run = simulation(on_joint(std::move(curve)));
    REQUIRE(run.start().ok());
    const double before = total_energy(run);
    REQUIRE(run.advance_to(3).ok());
    // Third derivatives jump where pieces of the curve meet, which no step size control sees in full: 1e-8 of 9 J.
    CHECK(std::abs(total_energy(run) - before) < 1e-7);
    return run.state().q[0];
  };
  // The com is drawn at the lowest point; a slide turns nothing.
  Json pendulum = on_joint({{"type", "revolute"}, {"at", {0, 0, 1}}, {"axis", {0, -1, 0}}, {"initial", {{"velocity", 3}}}});
  pendulum["bodies"]["body"]["inertia"] = {1e-12, 1e-12, 1e-12};
  Simulation truth = simulation(pendulum);
  REQUIRE(truth.start().ok());
  REQUIRE(truth.advance_to(3).ok());
  const double coarse = std::abs(angle_after(12) - truth.state().q[0]), fine = std::abs(angle_after(96) - truth.state().q[0]);
  CHECK(coarse < 2e-2);
  CHECK(fine < coarse / 100);
}

// Source of truth: the built-in joint.
TEST_CASE("expressions of a screw, of a hinge and of a planar joint move as the built-in joints do") {
  const auto check_equal = [](Json written, Json built_in) {
    Json off_axis = on_joint(std::move(written)), expected = on_joint(std::move(built_in));
    for (Json* model : {&off_axis, &expected}) (*model)["bodies"]["body"]["com"] = {0.2, 0.1, 0.3};
    Simulation a = simulation(off_axis), b = simulation(expected);
    for (Simulation* run : {&a, &b}) {
      REQUIRE(run->start().ok());
      REQUIRE(run->advance_to(1).ok());
    }
    for (std::size_t i = 0; i < a.state().q.size(); ++i) {
      CHECK(a.state().q[i] == doctest::Approx(b.state().q[i]).epsilon(1e-10));
      CHECK(a.state().p[i] == doctest::Approx(b.state().p[i]).epsilon(1e-10));
    }
  };
  const Json moving{{"velocity", 2}};
  check_equal({{"type", "expression"}, {"rx", "=q"}, {"x", "=0.3*q/(2*3.14159265358979323846)"}, {"initial", moving}},
              {{"type", "screw"}, {"axis", {1, 0, 0}}, {"pitch", 0.3}, {"initial", moving}});
  check_equal({{"type", "expression"}, {"ry", "=q"}, {"initial", moving}},
              {{"type", "revolute"}, {"axis", {0, 1, 0}}, {"initial", moving}});
  const Json both{{"velocity", {1, -2}}};
  check_equal({{"type", "expression_2"}, {"z", "=q1"}, {"rz", "=q2"}, {"initial", both}},
              {{"type", "cylindrical"}, {"axis", {0, 0, 1}}, {"initial", both}});
}

TEST_CASE("a body is where it is drawn when coordinates are zero, whatever the pose of its joint is there") {
  Json model = on_joint({{"type", "expression"}, {"x", "=0.7 + 0.1*cos(q)"}, {"rz", "=1 + q"}, {"y", "=q"}}, {0, 0, 0});
  model["bodies"]["body"]["com"] = {0.2, 0.1, 0.3};
  for (const bool reversed : {false, true}) {
    if (reversed) std::swap(model["joints"]["joint"]["parent"], model["joints"]["joint"]["child"]);
    Simulation run = simulation(model);
    REQUIRE(run.start().ok());
    REQUIRE(run.observe().ok());
    // The body's own frame is at its com.
    Channel position = run.channel("body.position"), orientation = run.channel("body.orientation");
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(std::abs(position.value(i) - std::array{0.2, 0.1, 0.3}[i]) < 1e-15);
      CHECK(std::abs(orientation.value(1 + i)) < 1e-15);
    }
  }
}

TEST_CASE("joints with coordinates of their own keep energy, are driven and are sprung like any other") {
  Json crank{{"type", "test/crank"}, {"lead", 0.2}, {"initial", {{"position", 0.5}, {"velocity", 4}}}, {"spring", {{"stiffness", 3}}}};
  Json model = on_joint(crank);
  model["bodies"]["body"]["com"] = {0.4, 0.1, 0.2};
  Simulation run = simulation(model);
  REQUIRE(run.start().ok());
  const double before = total_energy(run);
  REQUIRE(run.advance_to(1).ok());
  CHECK(total_energy(run) == doctest::Approx(before).epsilon(1e-10));

  model["joints"]["joint"] = {
      {"type", "test/crank"}, {"parent", "ground"}, {"child", "body"}, {"at", {0, 0, 0}}, {"motion", "=0.3 + t + t^2"}};
  Simulation driven = simulation(model);
  REQUIRE(driven.start().ok());
  REQUIRE(driven.advance_to(0.5).ok());
  REQUIRE(driven.observe(true).ok());
  CHECK(driven.channel("joint.velocity").value() == doctest::Approx(2).epsilon(1e-12));
  CHECK(driven.channel("joint.acceleration").value() == doctest::Approx(2).epsilon(1e-12));
}

TEST_CASE("a joint that has lost a freedom is named, at the start and on the way") {
  Simulation still = simulation(on_joint({{"type", "expression"}, {"x", "=q^2"}}));
  CHECK(still.start().code == Status::Code::freedom_lost);
  Simulation twice = simulation(on_joint({{"type", "expression_2"}, {"x", "=q1 + q2"}, {"y", "=(q1 + q2)^2"}}));
  const Status status = twice.start();
  CHECK(status.code == Status::Code::freedom_lost);
  CHECK(status.element == 0);
  CHECK(describe(status, twice.plan(), twice.workspace(), 0).find("joint \"joint\" of body \"body\"") != std::string::npos);
  Simulation later =
      simulation(on_joint({{"type", "expression"}, {"x", "=q^3"}, {"initial", {{"position", 1}, {"velocity", -1}}}}, {0, 0, 0}));
  REQUIRE(later.start().ok());
  CHECK(later.advance_to(3).code == Status::Code::freedom_lost);
  CHECK(later.state().t < 1);
}

// Source of truth: the coordinate is the length along the curve, so a child that is driven along it by t has a speed of one.
TEST_CASE("the coordinate of a curve is the length along it, however its points are spaced") {
  Json model = on_joint({{"type", "curve"}, {"points", {{0, 0, 0}, {1, 0, 0}, {1.2, 1, 0}, {3, 1, 2}}}, {"motion", "=t"}});
  Simulation run = simulation(model);
  REQUIRE(run.start().ok());
  for (int i = 1; i <= 50; ++i) {
    REQUIRE(run.advance_to(0.08 * i).ok());
    REQUIRE(run.observe().ok());
    Channel v = run.channel("body.velocity");
    CHECK(std::hypot(v.value(0), v.value(1), v.value(2)) == doctest::Approx(1).epsilon(1e-5));
  }
  CHECK(run.channel("joint.position").columns()[0].unit == "m");
}

TEST_CASE("a joint that ceases to be finite on the way is named") {
  Simulation run =
      simulation(on_joint({{"type", "expression"}, {"x", "=sqrt(1 - q)"}, {"y", "=q"}, {"initial", {{"velocity", 1}}}}, {0, 0, 0}));
  REQUIRE(run.start().ok());
  const Status status = run.advance_to(3);
  CHECK_FALSE(status.ok());
  CHECK(status.element == 0);
}

TEST_CASE("mistakes in curves and expressions are told at their keys") {
  const auto told = [](const Json& joint, const char* words) {
    const std::string text = refused(on_joint(joint));
    CAPTURE(text);
    CHECK(text.find(words) != std::string::npos);
  };
  told({{"type", "expression"}, {"x", "=r"}}, "/joints/joint/x");
  told({{"type", "expression"}, {"x", "=1/q"}}, "a finite value at q = 0");
  told({{"type", "expression_2"}, {"x", "=q1"}}, "no expression of q2");
  told({{"type", "curve"}, {"points", {{0, 0, 0}}}}, "a list of two points or more");
  told({{"type", "curve"}, {"points", {{0, 0, 0}, {0, 0, 0}}}}, "points 0 and 1 in one place");
  told({{"type", "curve"}, {"points", {{0, 0, 0}, {1, 0, 0}}}, {"closed", true}}, "three points or more");
  told({{"type", "curve"}, {"points", {{0, 0, 0}, {1, 0, 0}}}, {"orientation", "along"}, {"bank", {0.1}}}, "2, one for each point");
  told({{"type", "curve"}, {"points", {{0, 0, 0}, {1, 0, 0}}}, {"orientation", "along"}, {"up", {1, 0, 0}}}, "one that stays across it");
  told({{"type", "curve"}, {"points", {{1, 0, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, -1}}}, {"closed", true}, {"orientation", "along"}},
       "one that stays across it");
  told({{"type", "curve"}, {"points", {{0, 0, 0}, {1, 0, 0}}}, {"bank", {0, 0}}}, "does not turn along the curve");
}

// Truth: the way is 1e20 m long there, and the other steps of it are below the rounding of its length.
TEST_CASE("a curve with one point far beyond the others is refused with its place, whichever point it is") {
  for (std::size_t far = 0; far < 4; ++far)
    for (const double distance : {1e20, -1e20, 1e9})
      for (const bool closed : {false, true}) {
        Json points{{0, 0, 0}, {1, 0, 0}, {1.2, 1, 0}, {3, 1, 2}};
        points[far][1] = distance;
        const std::string text = refused(on_joint({{"type", "curve"}, {"points", points}, {"closed", closed}}));
        CAPTURE(far);
        CAPTURE(text);
        CHECK(text.find("/joints/joint/points") != std::string::npos);
        CHECK(text.find("apart on a way of") != std::string::npos);
        CHECK(text.find("a millionth of the way") != std::string::npos);
      }
}

// Truth: a straight line is its own length, on any scale; rounding of the sum over 2 x 64 pieces.
TEST_CASE("a curve may be of any size and have steps down to the bound, and its end is where its last point is") {
  for (const double size : {2e-3, 1.0, 1e19}) {
    CAPTURE(size);
    const Json points{{0, 0, 0}, {1.01e-6 * size, 0, 0}, {size, 0, 0}};
    Simulation run = simulation(on_joint({{"type", "curve"}, {"points", points}, {"initial", {{"position", size}}}}, {0, 0, 0}));
    REQUIRE(run.start().ok());
    REQUIRE(run.observe().ok());
    const double end = frame_pose(run.plan(), run.workspace(), find_body(run.model(), "body")).p.x;
    CHECK(std::abs(end - size) <= 100 * 128 * std::numeric_limits<double>::epsilon() * size);
  }
}

// 64 cubics of 104 bytes for each point: a file of megabytes would become gigabytes.
TEST_CASE("a curve has a bounded number of points") {
  Json points = Json::array();
  for (int i = 0; i <= 10'000; ++i) points.push_back({i, i % 2, 0});
  CHECK(refused(on_joint({{"type", "curve"}, {"points", points}})).find("10001 points; expected at most 10000") != std::string::npos);
}
