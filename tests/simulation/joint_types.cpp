#include <doctest/doctest.h>

#include <numbers>
#include <sstream>

#include "arthron/dynamics/observe.hpp"
#include "simulation/models.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

constexpr double g = 9.81;

std::string file(const std::string& bodies, const std::string& joints, const std::string& rest = "") {
  return R"({"arthron": 1, "name": "joints", "bodies": {)" + bodies + R"(}, "joints": {)" + joints + "}" + rest + "}";
}

Vec3 place(const Simulation& simulation, int marker) { return marker_state(simulation.plan(), simulation.workspace(), marker).position; }

void go_to(Simulation& simulation, double t) {
  REQUIRE(simulation.advance_to(t).ok());
  REQUIRE(simulation.observe().ok());
}

constexpr auto stone = R"("stone": {"mass": 2, "com": [0.1, 0.2, -0.3], "inertia": [0.3, 0.4, 0.5, 0.05, -0.02, 0.1]})";
constexpr auto state = R"("initial": {"position": [POSITION 0.3, -0.5, 0.7], "velocity": [VELOCITY 1.1, 0.4, -0.8]})";

std::string with(std::string text, const std::string& word, const std::string& value) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word)) text.replace(at, word.size(), value);
  return text;
}

/// A joint that holds a point: its reaction must be a force alone, and a free body under that force must accelerate alike (Newton, Euler).
struct HeldPoint {
  Loaded held;
  Spatial6 reaction;
  Vec3 point;

  HeldPoint(const std::string& joint, const std::string& position, const std::string& velocity)
      : held(Loaded::text(file(stone,
                               R"("hold": {"parent": "ground", "child": "stone", "at": [0.4, 0.1, 0.2], )" + joint + ", " +
                                   with(with(state, "POSITION", position), "VELOCITY", velocity) + "}",
                               R"(, "markers": {"point": {"body": "stone", "at": [0.4, 0.1, 0.2]}})"))) {
    REQUIRE(held.accelerate().ok());
    reaction = joint_reaction(*held.plan, *held.work, {0});
    point = marker_state(*held.plan, *held.work, 0).position;
  }

  void check_as_free_body() {
    CHECK(norm(reaction.linear) > 0.1);
    CHECK(norm(reaction.angular) < 1e-12 * norm(reaction.linear));
    const Vec3 f = reaction.linear, v = marker_state(*held.plan, *held.work, 0).velocity.linear, moved = point - Vec3{0.4, 0.1, 0.2};
    const auto list = [](const Vec3& a) {
      std::ostringstream text;
      text.precision(17);
      text << a.x << ", " << a.y << ", " << a.z;
      return text.str();
    };
    Loaded free =
        Loaded::text(file(stone,
                          R"("hold": {"type": "free", "parent": "ground", "child": "stone", "at": [0.4, 0.1, 0.2], )" +
                              with(with(state, "POSITION", list(moved) + ","), "VELOCITY", list(v) + ",") + "}",
                          R"(, "forces": {"push": {"type": "force", "on": ["stone", [0.4, 0.1, 0.2]], "force": [)" + list(f) + "]}}"));
    REQUIRE(free.accelerate().ok());
    const Spatial6 difference = frame_acceleration(*free.plan, *free.work, {1}) - frame_acceleration(*held.plan, *held.work, {1});
    CHECK(norm(difference.linear) + norm(difference.angular) < 1e-11);
  }
};

}  // namespace

TEST_CASE("point in plane: the plane pushes along its normal alone, and a free body under that push accelerates alike") {
  HeldPoint puck(R"("type": "point_in_plane", "normal": [1, 2, 3])", "0.2, -0.1,", "0.5, 0.3,");
  CHECK(norm(cross(puck.reaction.linear, Vec3{1, 2, 3})) < 1e-12);
  puck.check_as_free_body();
}

TEST_CASE("point on line: the line pushes across itself alone, and a free body under that push accelerates alike") {
  HeldPoint bead(R"("type": "point_on_line", "axis": [1, 2, 3])", "0.2,", "0.5,");
  CHECK(std::abs(dot(bead.reaction.linear, Vec3{1, 2, 3})) < 1e-12);
  bead.check_as_free_body();
}

TEST_CASE("distance link: it pulls along itself alone, and a free body under that pull accelerates alike") {
  HeldPoint tied(R"("type": "distance", "from": [0.1, 0.3, 0.6])", "0.4, -0.1,", "0.5, 0.3,");
  const Vec3 link = tied.point - Vec3{0.1, 0.3, 0.6};
  CHECK(norm(link) == doctest::Approx(norm(Vec3{0.3, -0.2, -0.4})).epsilon(1e-14));
  CHECK(norm(cross(tied.reaction.linear, link)) < 1e-12);
  tied.check_as_free_body();
}

TEST_CASE("distance link as tree joint and as cut joint: a conical pendulum keeps its height and its period") {
  // Circle at the angle a of a link of length L: rate^2 = g / (L cos a).
  const double L = 0.8, a = 1.1, rate = std::sqrt(g / (L * std::cos(a))), period = 2 * std::numbers::pi / rate;
  const std::string grain = R"("grain": {"mass": 0.5, "com": [0, 0, -0.8], "inertia": [1e-3, 1e-3, 1e-3]})";
  const std::string arc = std::to_string(L * a), speed = std::to_string(rate * L * std::sin(a));
  const std::string link = R"("link": {"type": "distance", "parent": "ground", "child": "grain", "from": [0, 0, 0], "at": [0, 0, -0.8])";
  const std::string markers = R"(, "markers": {"tip": {"body": "grain", "at": [0, 0, -0.8]}})";

  Simulation tree = tight(
      file(grain, link + R"(, "initial": {"position": [)" + arc + R"(, 0, 0, 0, 0], "velocity": [0, )" + speed + ", 0, 0, 0]}}", markers),
      3 * period);
  REQUIRE(tree.start().ok());
  REQUIRE(tree.observe().ok());
  const Vec3 start = place(tree, 0);
  const auto text = [](double value) { return std::to_string(value); };
  const Vec3 v = marker_state(tree.plan(), tree.workspace(), 0).velocity.linear;
  Simulation cut = tight(file(grain,
                              R"("float": {"type": "free", "parent": "ground", "child": "grain", "at": [0, 0, -0.8],
                                           "initial": {"position": [)" +
                                  text(start.x) + "," + text(start.y) + "," + text(start.z + L) + R"(, 0, 0, 0], "velocity": [)" +
                                  text(v.x) + "," + text(v.y) + "," + text(v.z) + ", 0, 0, 0]}}, " + link + R"(, "cut": true})",
                              markers),
                         3 * period);
  REQUIRE(cut.start().ok());
  for (Simulation* simulation : {&tree, &cut}) {
    // Initial values went through six decimals: 1e-6 of amplitude.
    go_to(*simulation, 2.4 * period);
    CHECK(place(*simulation, 0).z == doctest::Approx(-L * std::cos(a)).epsilon(1e-5));
    CHECK(norm(place(*simulation, 0)) == doctest::Approx(L).epsilon(1e-6));
    go_to(*simulation, 3 * period);
    CHECK(norm(place(*simulation, 0) - start) < 2e-5);
  }
}

TEST_CASE("distance link over the top: as a revolute pendulum that turns over, tree and cut, past the far pole of its coordinates") {
  const std::string bob = R"("bob": {"mass": 1, "com": [0, 0, -0.5], "inertia": [0.01, 0.02, 0.01]})";
  const std::string markers = R"(, "markers": {"tip": {"body": "bob", "at": [0, 0, -0.5]}})";
  // A grain at the end of the link, turning about it freely: the link alone makes the pendulum. 6 m/s at the bottom clear the top.
  Simulation link =
      tight(file(bob, R"("link": {"type": "distance", "parent": "ground", "child": "bob", "from": [0, 0, 0], "at": [0, 0, -0.5],
                                        "initial": {"velocity": [6, 0, 0, 0, 0]}})",
                 markers),
            2);
  Simulation cut = tight(
      file(bob, R"("link": {"type": "distance", "parent": "ground", "child": "bob", "from": [0, 0, 0], "at": [0, 0, -0.5], "cut": true},
                                      "float": {"type": "free", "parent": "ground", "child": "bob", "at": [0, 0, -0.5],
                                                "initial": {"velocity": [6, 0, 0, 0, 0, 0]}})",
           markers),
      2);
  Simulation hinge = tight(file(with(bob, "[0.01, 0.02, 0.01]", "[1e-12, 1e-12, 1e-12]"),
                                R"("hinge": {"type": "revolute", "parent": "ground", "child": "bob", "at": [0, 0, 0],
                                         "axis": [0, -1, 0], "initial": {"velocity": 12}})",
                                markers),
                           2);
  for (Simulation* simulation : {&link, &cut, &hinge}) REQUIRE(simulation->start().ok());
  double highest = -1;
  for (int i = 1; i <= 20; ++i) {
    for (Simulation* simulation : {&link, &cut, &hinge}) go_to(*simulation, 0.1 * i);
    highest = std::fmax(highest, place(hinge, 0).z);
    CHECK(norm(place(link, 0) - place(hinge, 0)) < 1e-7);
    CHECK(norm(place(cut, 0) - place(hinge, 0)) < 1e-7);
  }
  CHECK(highest > 0.45);
}

TEST_CASE("distance link as tie rod: cranks accelerate as with a rod of almost no mass between two balls") {
  const std::string cranks = R"("left": {"mass": 1, "com": [0, 0.1, 0], "inertia": [0.01, 0.02, 0.03]},
                                "right": {"mass": 2, "com": [0.6, 0.2, 0.1], "inertia": [0.02, 0.03, 0.04]})";
  const std::string bearings =
      R"("a": {"type": "revolute", "parent": "ground", "child": "left", "at": [0, 0, 0], "axis": [0, 0, 1], "initial": {"velocity": 2, "keep": true}},
         "b": {"type": "revolute", "parent": "ground", "child": "right", "at": [0.6, 0.1, 0], "axis": [0.2, 0.1, 1]})";
  Loaded link = Loaded::text(
      file(cranks,
           bearings + R"(, "tie": {"type": "distance", "parent": "left", "child": "right", "from": [0, 0.2, 0], "at": [0.6, 0.4, 0.1]})"));
  Loaded rod = Loaded::text(file(
      cranks + R"(, "rod": {"mass": 1e-9, "com": [0.3, 0.3, 0.05], "inertia": [1e-10, 1e-10, 1e-10]})",
      bearings +
          R"(, "inner": {"type": "universal", "parent": "left", "child": "rod", "at": [0, 0.2, 0], "axis": [0, 0, 1], "axis2": [0, 1, 0]},
                                          "outer": {"type": "spherical", "parent": "rod", "child": "right", "at": [0.6, 0.4, 0.1]})"));
  for (Loaded* model : {&link, &rod}) {
    REQUIRE(reanchor(*model->plan, 0, model->state.q.data(), model->state.p.data(), nullptr, nullptr, *model->work).ok());
    REQUIRE(model->accelerate().ok());
  }
  for (int j = 0; j < 2; ++j) {
    double u[2]{}, udot[2]{};
    joint_velocity(*link.plan, *link.work, {j}, &u[0]), joint_velocity(*rod.plan, *rod.work, {j}, &u[1]);
    joint_acceleration(*link.plan, *link.work, {j}, &udot[0]), joint_acceleration(*rod.plan, *rod.work, {j}, &udot[1]);
    CHECK(u[0] == doctest::Approx(u[1]).epsilon(1e-6));
    CHECK(udot[0] == doctest::Approx(udot[1]).epsilon(1e-6));
  }
}

TEST_CASE("constant-velocity joint: the bent shaft turns as fast as the driving one, a universal joint's by tan(out) = tan(in) cos(bend)") {
  const double bend = std::numbers::pi / 6;
  const std::string shafts =
      R"json("in": {"mass": 1, "inertia": [0.01, 0.02, 0.02]}, "out": {"mass": 1, "inertia": [0.01, 0.02, 0.02]})json";
  const std::string bearings =
      R"json("drive": {"type": "revolute", "parent": "ground", "child": "in", "at": [-1, 0, 0], "axis": [1, 0, 0], "motion": "=3*t"},
         "driven": {"type": "revolute", "parent": "ground", "child": "out", "at": [0, 0, 0], "axis": ["=cos(30*deg)", "=sin(30*deg)", 0],
                    "initial": {"velocity": 3}})json";
  const auto turned = [&](const std::string& joint, double t) {
    Simulation simulation =
        tight(file(shafts, bearings + R"json(, "joint": {"parent": "in", "child": "out", "at": [0, 0, 0], )json" + joint + "}"), 2);
    REQUIRE(simulation.start().ok());
    go_to(simulation, t);
    double angle = 0;
    joint_position(simulation.plan(), simulation.workspace(), {1}, &angle);
    return angle;
  };
  const std::string homokinetic = R"json("type": "constant_velocity", "axis": [1, 0, 0], "axis2": ["=cos(30*deg)", "=sin(30*deg)", 0])json";
  // The fork of the driving shaft lies in the plane of both shafts at the start.
  const std::string cardan = R"json("type": "universal", "axis": [0, 1, 0], "axis2": [0, 0, 1])json";
  for (const double t : {0.1, 0.3, 0.5, 1.0, 2.0}) {
    CAPTURE(t);
    CHECK(turned(homokinetic, t) == doctest::Approx(3 * t).epsilon(1e-9));
    CHECK(std::abs(std::sin(turned(cardan, t)) * std::cos(3 * t) * std::cos(bend) - std::sin(3 * t) * std::cos(turned(cardan, t))) < 1e-8);
  }
  CHECK(std::abs(turned(cardan, 0.3) - 0.9) > 0.05);
}
