#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"
#include "arthron/component/plugin_loader.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"
#include "support/formulations.hpp"

using namespace arthron;

namespace {

using Json = nlohmann::ordered_json;

const std::filesystem::path examples = std::filesystem::path(ARTHRON_TEST_PLUGINS).parent_path() / "examples/plugins";

std::string model_of(const std::string& name) { return examples / name / (name + ".json"); }

/// An example as its file has it, with a tight tolerance.
Simulation example(const std::string& name) {
  Model model = load_model(model_of(name), builtin_registry());
  model.simulation.integrator = {"dopri5", 1e-12, 1e-12, 1e-3};
  return Simulation(std::make_shared<const Model>(std::move(model)));
}

double total(Simulation& run) {
  REQUIRE(run.observe().ok());
  return energy(run.plan(), run.workspace()).total();
}

}  // namespace

// Source of truth: the dense oracle.
TEST_CASE("every formulation agrees on every example of a plug-in") {
  for (const char* name : {"screw", "cam", "four_bar", "knee", "rubber"})
    for (unsigned seed = 1; seed <= 3; ++seed) {
      CAPTURE(name);
      test::check_formulations(load_model(model_of(name), builtin_registry()), seed,
                               [](Model model) { return compile(std::make_shared<const Model>(std::move(model))); });
    }
}

// Source of truth: the law of the profile, and conservation of energy.
TEST_CASE("the cam lifts its follower as its profile says, and keeps the energy") {
  Simulation run = example("cam");
  REQUIRE(run.start().ok());
  const double before = total(run);
  Channel angle = run.channel("shaft.position"), lift = run.channel("guide.position");
  for (int i = 1; i <= 20; ++i) {
    REQUIRE(run.advance_to(0.05 * i).ok());
    CHECK(total(run) == doctest::Approx(before).epsilon(1e-9));
    CHECK(std::abs(lift.value() - 0.005 * (1 - std::cos(3 * angle.value()))) < 1e-13);
  }
}

// Source of truth: the same four-bar of four bodies and a loop, with links of a billionth of the coupler's mass.
TEST_CASE("the four-bar packed as one joint moves as the linkage does") {
  Simulation packed = example("four_bar");
  const double crank = 0.1, coupler = 0.4, rocker = 0.3, ground = 0.35, start = 1;
  const double ax = crank * std::cos(start), ay = crank * std::sin(start), dx = ground - ax, dy = -ay, d = std::hypot(dx, dy);
  const double along = (coupler * coupler - rocker * rocker + d * d) / (2 * d), across = std::sqrt(coupler * coupler - along * along);
  const double bx = ax + (along * dx - across * dy) / d, by = ay + (along * dy + across * dx) / d;
  const auto light = [](double x, double y) { return Json{{"mass", 2e-9}, {"com", {x, y, 0}}, {"inertia", {1e-11, 1e-11, 1e-11}}}; };
  const auto hinge = [](const char* parent, const char* child, double x, double y) {
    return Json{{"type", "revolute"}, {"parent", parent}, {"child", child}, {"at", {x, y, 0}}, {"axis", {0, 0, 1}}};
  };
  Json linkage{{"arthron", 1}, {"name", "linkage"}, {"gravity", {0, -9.81, 0}}};
  linkage["bodies"] = {{"crank", light(ax / 2, ay / 2)},
                       {"rocker", light((ground + bx) / 2, by / 2)},
                       {"coupler", {{"mass", 2}, {"com", {0.2, 0.15, 0}}, {"inertia", {0.015, 0.02, 0.03}}}}};
  linkage["joints"] = {{"pivot", hinge("ground", "crank", 0, 0)},
                       {"a", hinge("crank", "coupler", ax, ay)},
                       {"b", hinge("coupler", "rocker", bx, by)},
                       {"foot", hinge("ground", "rocker", ground, 0)}};
  linkage["joints"]["pivot"]["initial"] = {{"velocity", 25}, {"keep", true}};
  Model model = parse_model(linkage.dump(), "linkage.json", builtin_registry());
  model.simulation.integrator = {"dopri5", 1e-11, 1e-11, 1e-3};
  Simulation loop(std::make_shared<const Model>(std::move(model)));
  REQUIRE(packed.start().ok());
  REQUIRE(loop.start().ok());
  REQUIRE(packed.advance_to(1).ok());
  REQUIRE(loop.advance_to(1).ok());
  REQUIRE(packed.observe().ok());
  REQUIRE(loop.observe().ok());
  CHECK(packed.channel("linkage.position").value() == doctest::Approx(loop.channel("pivot.position").value()).epsilon(1e-7));
  Channel of_packed = packed.channel("coupler.position"), of_loop = loop.channel("coupler.position");
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(of_packed.values()[i] - of_loop.values()[i]) < 1e-7);
}

// Source of truth: bones that roll do not slip, so the shank's point of contact is at rest over the thigh.
TEST_CASE("the knee rolls") {
  Registry types = builtin_registry();
  load_plugin(examples / "knee/build/libacme_knee.so", types);
  const Model model = load_model(model_of("knee"), types);
  const Joint& knee = model.joints[1];
  const auto batch = knee.definition->type().make_batch();
  batch->add(*knee.definition, {});
  const double femur = 0.025, tibia = 0.06;
  for (const double q : {-0.5, 0.0, 0.7, 2.0}) {
    Pose<double> X;
    Spatial6 H;
    batch->constants(&X, &H);
    batch->position({0, 1}, &q, &X, &H);
    const Vec3 contact = (femur / (femur + tibia)) * X.p;
    CHECK(norm(H.linear + cross(H.angular, contact - X.p)) < 1e-16);
    CHECK(norm(X.p) == doctest::Approx(femur + tibia).epsilon(1e-15));
  }
}

// Source of truth: at rest the memory has faded, and stiffness and hardening carry the weight.
TEST_CASE("the engine settles where its mounts carry the weight") {
  Model model = load_model(model_of("rubber"), builtin_registry());
  model.simulation.integrator = {"dopri5", 1e-10, 1e-10, 1e-3};
  Simulation run(std::make_shared<const Model>(std::move(model)));
  REQUIRE(run.start().ok());
  REQUIRE(run.advance_to(8).ok());
  REQUIRE(run.observe().ok());
  const auto carried = [](double d) { return 60000 * d + 4e8 * d * d * d; };
  double weight = 0;
  for (const char* mount : {"left", "right", "front"}) {
    weight += carried(run.channel(std::string(mount) + ".deflection").value());
    CHECK(std::abs(run.channel(std::string(mount) + ".memory_z").value()) < 1e-3);
  }
  CHECK(weight == doctest::Approx(120 * 9.81).epsilon(1e-5));
}

TEST_CASE("the checker finds nothing wrong with the examples") {
  for (const std::string name : {"screw", "cam", "four_bar", "knee", "rubber"}) {
    const test::Outcome outcome = test::program({"check-plugin", (examples / name / "build" / ("libacme_" + name + ".so")).string()});
    CAPTURE(outcome.out);
    CHECK(outcome.code == 0);
  }
}
