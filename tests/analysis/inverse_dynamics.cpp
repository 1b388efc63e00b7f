#include "arthron/analysis/inverse_dynamics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "arthron/dynamics/observe.hpp"
#include "arthron/formulations/joint_space/joint_space.hpp"
#include "support/closed_graph.hpp"
#include "support/disagreement.hpp"

/// Efforts from motions, against forward dynamics and closed forms.
using namespace arthron;
using namespace arthron::test;

namespace {

constexpr double tolerance = 1e-9;

Json example(const std::string& name) {
  std::ifstream file(ARTHRON_SOURCE_DIR "/examples/" + name + "/" + name + ".json");
  return Json::parse(file);
}

std::shared_ptr<const Plan> compiled(const Json& json) {
  return compile(std::make_shared<const Model>(parse_model(json.dump(), "test.json", builtins())));
}

int joint_named(const Plan& plan, const std::string& path) {
  for (std::size_t j = 0; j < plan.model->joints.size(); ++j)
    if (plan.model->joints[j].path == path) return static_cast<int>(j);
  FAIL("no such joint");
  return -1;
}

/// Efforts of all joints as forward dynamics reports them.
std::vector<double> reported_efforts(const Plan& plan, const Workspace& work) {
  std::vector<double> efforts(plan.nu_all, 0);
  for (std::size_t j = 0; j < plan.joints.size(); ++j) joint_effort(plan, work, {static_cast<int>(j)}, efforts.data() + plan.joints[j].u);
  return efforts;
}

double difference(std::span<const double> a, std::span<const double> b) {
  REQUIRE(a.size() == b.size());
  double worst = 0, scale = 1e-9;
  for (std::size_t i = 0; i < a.size(); ++i) raise(worst, std::abs(a[i] - b[i])), raise(scale, std::abs(a[i]));
  return worst / scale;
}

/// The 3-RRR manipulator with the three arms on the ground driven, or fewer of them.
Json driven_manipulator(int drives = 3) {
  Json model = example("three_rrr");
  const char* motions[] = {"=0.3*sin(2*t)", "=0.2*sin(3*t)", "=0.25*sin(t)"};
  const char* joints[] = {"A1", "A2", "A3"};
  for (int i = 0; i < drives; ++i) model["joints"][joints[i]]["motion"] = motions[i];
  return model;
}

Json driven_scraper() {
  Json model = example("carpet_scraper");
  model["joints"]["j1"].erase("initial");
  model["joints"]["j1"]["motion"] = "=4.7124*t";
  return model;
}

/// Efforts at some times, against those that phase one and folding report for the same positions.
void check_against_forward(const Json& json) {
  const std::shared_ptr<const Plan> plan = compiled(json);
  InverseDynamics inverse(plan);
  const std::unique_ptr<Workspace> work = make_workspace(*plan);
  State state;
  REQUIRE(initial_state(*plan, *work, state).ok());
  const std::vector<double> momenta(plan->nu, 0.3);  // of no consequence where drives determine the motion
  for (int i = 0; i <= 20; ++i) {
    const double t = 0.03 * i;
    CAPTURE(t);
    REQUIRE(inverse.at(t).ok());
    REQUIRE(evaluate_accelerations(*plan, t, inverse.q().data(), momenta.data(), *work).ok());
    CHECK(difference(reported_efforts(*plan, *work), inverse.efforts()) < tolerance);
    CHECK(difference(work->udot, inverse.workspace().udot) < tolerance);
    CHECK(difference(work->u, inverse.workspace().u) < tolerance);
  }
}

}  // namespace

TEST_CASE("trees: the accelerations of forward dynamics need the efforts there are") {
  for (unsigned seed = 601; seed <= 630; ++seed) {
    CAPTURE(seed);
    Loaded model = Loaded::text(RandomModel(builtins(), seed).tree(1 + static_cast<int>(seed - 600)).dump());
    REQUIRE(model.accelerate().ok());
    const std::vector<double> reported = reported_efforts(*model.plan, *model.work);
    std::vector<double> efforts(model.plan->nu_all, 0);
    inverse_dynamics(*model.plan, model.work->udot.data(), *model.work, efforts.data());
    CHECK(difference(reported, efforts) < tolerance);
  }
}

TEST_CASE("trees: efforts for any accelerations bring these about") {
  for (unsigned seed = 631; seed <= 650; ++seed) {
    CAPTURE(seed);
    Loaded model = Loaded::text(RandomModel(builtins(), seed).tree(1 + static_cast<int>(seed - 630)).dump());
    REQUIRE(model.accelerate().ok());
    const Plan& plan = *model.plan;
    JointSpaceWork own(plan, MultiplierSolve::subsystems);
    std::vector<double> wanted(plan.nu_all, 0), efforts(wanted.size(), 0);
    for (std::size_t c = 0; c < wanted.size(); ++c)
      wanted[c] = c < static_cast<std::size_t>(plan.nu) ? std::sin(7.0 * static_cast<double>(c) + seed) : model.work->udot[c];
    inverse_dynamics(plan, wanted.data(), *model.work, efforts.data());
    std::copy(efforts.begin(), efforts.end(), model.work->tau.begin());
    REQUIRE(joint_space_accelerations(plan, *model.work, own).ok());
    CHECK(difference(wanted, model.work->udot) < tolerance);
  }
}

TEST_CASE("a driven rod: effort is moment of inertia by acceleration and weight by lever") {
  const Json model{{"arthron", 1},
                   {"name", "rod"},
                   {"gravity", {0, -9.81, 0}},
                   {"bodies", {{"rod", {{"mass", 2}, {"com", {0.5, 0, 0}}, {"inertia", {0.01, 0.2, 0.2}}}}}},
                   {"joints",
                    {{"hinge",
                      {{"type", "revolute"},
                       {"parent", "ground"},
                       {"child", "rod"},
                       {"at", {0, 0, 0}},
                       {"axis", {0, 0, 1}},
                       {"motion", "=0.4*sin(3*t)"}}}}}};
  InverseDynamics inverse(compiled(model));
  for (const double t : {0.0, 0.2, 1.0}) {
    REQUIRE(inverse.at(t).ok());
    const double angle = 0.4 * std::sin(3 * t), acceleration = -3.6 * std::sin(3 * t);
    CHECK(inverse.efforts()[0] == doctest::Approx((0.2 + 2 * 0.25) * acceleration + 2 * 9.81 * 0.5 * std::cos(angle)).epsilon(1e-14));
  }
}

TEST_CASE("closed loops: efforts of drives are those that forward dynamics reports") {
  check_against_forward(driven_manipulator());
  check_against_forward(driven_scraper());
}

TEST_CASE("closed loops driven at a cut joint, with springs and a coupling, too") {
  Json model = example("carpet_scraper");
  for (auto& [name, joint] : model["joints"].items()) {
    joint.erase("initial");
    if (name == "j8")
      joint["motion"] = "=0.2*sin(2*t)";
    else
      joint["spring"] = {{"stiffness", 3}, {"damping", 0.2}};
  }
  REQUIRE(model["joints"]["j8"]["cut"] == true);
  check_against_forward(model);

  Json coupled = driven_manipulator(2);
  coupled["couplings"]["gear"]["terms"] = {{"A1", 0.5}, {"A3", -1.0}};
  check_against_forward(coupled);
}

TEST_CASE("far ahead and back, loops stay closed in their own way") {
  const std::shared_ptr<const Plan> plan = compiled(driven_scraper());
  InverseDynamics near(plan), far(plan);
  for (int i = 0; i <= 300; ++i) REQUIRE(near.at(0.01 * i).ok());
  REQUIRE(far.at(0).ok());
  REQUIRE(far.at(3).ok());
  CHECK(difference(near.efforts(), far.efforts()) < 1e-9);
  for (int i = 299; i >= 50; --i) REQUIRE(near.at(0.01 * i).ok());
  REQUIRE(far.at(0.5).ok());
  CHECK(difference(near.q(), far.q()) < 1e-9);
}

TEST_CASE("drives that do not determine the motion: a joint that they leave free is named") {
  const std::shared_ptr<const Plan> plan = compiled(driven_manipulator(2));
  InverseDynamics inverse(plan);
  const Status status = inverse.at(0);
  CHECK(status.code == Status::Code::not_determined);
  REQUIRE(status.element >= 0);
  CHECK_FALSE(plan->joints[status.element].driven);

  // Two pendulums, of which one is driven.
  Json two{{"arthron", 1}, {"name", "two"}};
  for (const char* name : {"a", "b"}) {
    two["bodies"][name] = {{"mass", 1}, {"com", {0.5, 0, 0}}, {"inertia", {0.1, 0.1, 0.1}}};
    two["joints"][std::string("hinge_") + name] = {
        {"type", "revolute"}, {"parent", "ground"}, {"child", name}, {"at", {0, 0, 0}}, {"axis", {0, 1, 0}}};
  }
  two["joints"]["hinge_a"]["motion"] = "=sin(t)";
  const std::shared_ptr<const Plan> pendulums = compiled(two);
  const Status free = InverseDynamics(pendulums).at(0.3);
  CHECK(free.code == Status::Code::not_determined);
  CHECK(free.element == joint_named(*pendulums, "hinge_b"));
}

TEST_CASE("drives that contradict each other are refused") {
  Json model = driven_scraper();
  model["joints"]["j2"]["motion"] = "=t";
  const Status status = InverseDynamics(compiled(model)).at(0);
  CHECK((status.code == Status::Code::contradictory_drives || status.code == Status::Code::not_closed));
}
