#include <doctest/doctest.h>

#include <random>

#include "arthron/dynamics/workspace.hpp"
#include "support/closed_graph.hpp"
#include "support/disagreement.hpp"
#include "support/repository.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// The same names in every string and key of a definition, with `prefix` before those of bodies and "trunk" for grounds.
Json renamed(const Json& value, const Json& bodies, const std::string& prefix) {
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    if (bodies.contains(text)) return prefix + text;
    return text == "ground" || text == "shaker" ? Json("trunk") : value;
  }
  if (!value.is_structured()) return value;
  Json result = value.is_array() ? Json::array() : Json::object();
  for (const auto& [key, item] : value.items()) {
    if (value.is_array())
      result.push_back(renamed(item, bodies, prefix));
    else
      result[key] = renamed(item, bodies, prefix);
  }
  return result;
}

/// A body that floats, and on it so many copies of all that the model has.
Json copies_on_trunk(const Json& model, int copies) {
  Json whole{{"arthron", 1}, {"name", "copies"}, {"gravity", model["gravity"]}};
  whole["bodies"]["trunk"] = {{"mass", 20}, {"com", {0.1, 0.2, 0}}, {"inertia", {3, 4, 5}}};
  whole["joints"]["float"] = {{"type", "free"}, {"parent", "ground"}, {"child", "trunk"}, {"at", {0, 0, 0}}};
  for (int i = 0; i < copies; ++i) {
    const std::string prefix = "c" + std::to_string(i) + "_";
    for (const char* kind : {"bodies", "joints", "forces"})
      for (const auto& [name, definition] : model[kind].items()) whole[kind][prefix + name] = renamed(definition, model["bodies"], prefix);
  }
  return whole;
}

/// Whether groups have been computed on SIMD lanes anywhere.
bool was_grouped(const Workspace& work) {
  return std::any_of(work.part.begin(), work.part.end(), [](const PartWork& part) { return part.grouped; });
}

/// Largest difference, in units of the largest number.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, largest = 1e-9;
  for (std::size_t i = 0; i < a.size(); ++i) raise(worst, std::abs(a[i] - b[i])), raise(largest, std::abs(a[i]));
  return worst / largest;
}

struct Rates {
  std::vector<double> q, p;
  explicit Rates(const State& state) : q(state.q.size()), p(state.p.size()) {}
};

/// Rates of single branches and of branches on SIMD lanes, at the given state and at others near it; and what re-anchoring leaves. Returns
/// whether any were grouped.
bool check_rates_agree(Loaded& model, int states = 3) {
  const Plan& plan = *model.plan;
  const auto other = make_workspace(plan);
  State drawn;
  REQUIRE(initial_state(plan, *other, drawn).ok());
  std::mt19937 generator(7);
  std::normal_distribution<double> number;
  double momentum = 1;
  for (const double p : model.state.p) raise(momentum, std::abs(p));
  const double tolerance = recursion_tolerance(plan);
  bool grouped = false;
  for (int k = 0; k < states; ++k) {
    State state = model.state;
    if (k > 0) {
      for (double& q : state.q) q += 0.02 * number(generator);
      for (double& p : state.p) p += 0.02 * momentum * number(generator);
      normalise(plan, state.q.data());
    }
    Rates alone(state), together(state);
    REQUIRE(evaluate(plan, 0.1, state.q.data(), state.p.data(), alone.q.data(), alone.p.data(), *model.work).ok());
    other->q = model.work->q;  // where cut joints are looked for
    REQUIRE(evaluate_rates(plan, 0.1, state.q.data(), state.p.data(), together.q.data(), together.p.data(), *other).ok());
    CHECK(apart(alone.q, together.q) < tolerance);
    CHECK(apart(alone.p, together.p) < tolerance);
    for (std::size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
      CHECK(size(Spatial6(model.work->body[b].V) - Spatial6(other->body[b].V)) <
            tolerance * (1 + size(Spatial6(model.work->body[b].V))) * 1e2);
      CHECK(norm(Vec3(model.work->body[b].X_WB.p) - Vec3(other->body[b].X_WB.p)) < 1e-12 * (1 + norm(Vec3(model.work->body[b].X_WB.p))));
    }
    grouped = grouped || was_grouped(*other);
    if (plan.closures.empty()) continue;
    std::vector<double> anchored = state.p;
    REQUIRE(reanchor(plan, 0.1, state.q.data(), anchored.data(), together.q.data(), together.p.data(), *other).ok());
    REQUIRE(evaluate(plan, 0.1, state.q.data(), anchored.data(), alone.q.data(), alone.p.data(), *model.work).ok());
    CHECK(apart(alone.q, together.q) < tolerance);
    CHECK(apart(alone.p, together.p) < tolerance);

    // After a step: bodies that were placed on SIMD lanes to look for openings stay where they are.
    constexpr int most_steps = 20;
    other->q = model.work->q;
    if (!place_and_project(plan, 0.1, state.q.data(), 0, most_steps, *other).placed) continue;
    model.work->q = other->q;
    anchored = state.p;
    std::vector<double> in_place = state.p;
    REQUIRE(reanchor_in_place(plan, in_place.data(), together.q.data(), together.p.data(), *other).ok());
    REQUIRE(evaluate(plan, 0.1, state.q.data(), anchored.data(), alone.q.data(), alone.p.data(), *model.work).ok());
    CHECK(apart(alone.q, together.q) < tolerance);
    REQUIRE(evaluate(plan, 0.1, state.q.data(), in_place.data(), alone.q.data(), alone.p.data(), *model.work).ok());
    CHECK(apart(alone.q, together.q) < tolerance);
    CHECK(apart(alone.p, together.p) < tolerance);
  }
  return grouped;
}

/// A tilted chain of a hinge and a ball whose end another ball ties to a second hinge, and a rod that leads to the trunk: four rows within,
/// one without.
Json wishbone() {
  Json model;
  model["gravity"] = {1, -2, -9};
  for (const char* name : {"lower", "upright", "upper"})
    model["bodies"][name] = {{"mass", 2}, {"com", {0.3, 0.1, 0.2}}, {"inertia", {0.2, 0.3, 0.25}}};
  Json& joints = model["joints"];
  joints["hinge"] = {{"type", "revolute"}, {"parent", "ground"}, {"child", "lower"}, {"at", {0, 0, 0}}, {"axis", {1, 0.1, 0}}};
  joints["ball"] = {{"type", "spherical"}, {"parent", "lower"}, {"child", "upright"}, {"at", {0, 0.5, 0}}};
  joints["upper_hinge"] = {{"type", "revolute"}, {"parent", "ground"}, {"child", "upper"}, {"at", {0, 0.1, 0.3}}, {"axis", {1, 0, 0.1}}};
  joints["top"] = {{"type", "spherical"}, {"parent", "upper"}, {"child", "upright"}, {"at", {0, 0.45, 0.3}}, {"cut", true}};
  joints["rod"] = {{"type", "distance"},       {"parent", "ground"},     {"child", "upright"},
                   {"from", {-0.2, 0.1, 0.1}}, {"at", {-0.2, 0.5, 0.1}}, {"cut", true}};
  model["forces"]["spring"] = {
      {"type", "spring_damper"}, {"from", {"ground", {0, 0.2, 0.5}}}, {"to", {"lower", {0, 0.3, 0}}}, {"stiffness", 3000}, {"damping", 50},
      {"free_length", 0.5}};
  return model;
}

}  // namespace

TEST_CASE("a car's corners are a SIMD group: bodies, cut joints and forces, whoever made the files") {
  const Loaded car(load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", builtins()));
  REQUIRE(car.plan->groups.size() == 1);
  const SimdGroup& group = car.plan->groups[0];
  CHECK(group.branches == 4);
  CHECK(group.bodies.size() == 5);                     // two arms, upright, wheel, half of the anti-roll bar
  CHECK(group.cuts.size() == 3);                       // upper ball, rod, drop link
  CHECK(group.top().rows - group.top().closing == 1);  // the rod leads to the rack, or the body
  CHECK(group.forces.size() == 5);                     // spring, damper, two stops, tyre
}

TEST_CASE("check says what is computed on SIMD lanes") {
  const Loaded car(load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", builtins()));
  CHECK(describe_plan(*car.plan).find("\nSIMD groups: 4 branches of 5 bodies, 3 cut joints, 5 forces\n") != std::string::npos);
  const Loaded pendulum(load_model(ARTHRON_SOURCE_DIR "/examples/pendulum/pendulum.json", builtins()));
  CHECK(describe_plan(*pendulum.plan).find("grouped") == std::string::npos);
}

TEST_CASE("every model of the repository: branches on SIMD lanes have the rates of single ones") {
  int models = 0;
  for (const std::string& file : model_files({"examples", "subsystems"})) {
    CAPTURE(file);
    Model given = load_model(file, builtins());
    if (given.simulation.formulation != "hdca") continue;
    Loaded model(std::move(given));
    if (model.plan->groups.empty()) continue;
    check_rates_agree(model);
    ++models;
  }
  CHECK(models > 4);
}

TEST_CASE("copies of random trees on a floating body, over all joint and force types: on lanes as one by one") {
  int grouped = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Json tree = RandomModel(builtins(), seed).tree(1 + static_cast<int>(seed % 7));
    for (auto& [name, joint] : tree["joints"].items()) joint.erase("motion");
    Loaded model = Loaded::text(copies_on_trunk(tree, 3 + static_cast<int>(seed % 4)).dump());
    grouped += check_rates_agree(model);
  }
  CHECK(grouped > 20);  // where hinges prevail, branches go faster alone
}

TEST_CASE("copies of random closed graphs on a floating body: on lanes as one by one") {
  int grouped = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Json graph = closed_graph(seed, 3 + static_cast<int>(seed % 5), 1 + static_cast<int>(seed % 3));
    for (auto& [name, joint] : graph["joints"].items())
      if (joint.contains("cut")) joint.erase("spring");
    Loaded model = Loaded::text(copies_on_trunk(graph, 2 + static_cast<int>(seed % 4)).dump());
    grouped += check_rates_agree(model);
  }
  CHECK(grouped > 10);
}

TEST_CASE("two, three, four and nine corners: lanes that are left over change nothing") {
  for (const int corners : {2, 3, 4, 9}) {
    CAPTURE(corners);
    Loaded model = Loaded::text(copies_on_trunk(wishbone(), corners).dump());
    REQUIRE(model.plan->groups.size() == static_cast<std::size_t>((corners + 2) / 4));
    CHECK(model.plan->groups[0].branches == std::min(corners, 4));
    CHECK(check_rates_agree(model));
  }
}

TEST_CASE("a SIMD group whose closures depend on one another is computed one by one") {
  // All axes are parallel: the ball that closes the loop holds one direction too many.
  Json model = wishbone();
  model["joints"]["hinge"]["axis"] = model["joints"]["upper_hinge"]["axis"] = {1, 0, 0};
  model["joints"]["ball"] = {{"type", "revolute"}, {"parent", "lower"}, {"child", "upright"}, {"at", {0, 0.5, 0}}, {"axis", {1, 0, 0}}};
  model["joints"].erase("rod");
  Loaded loops = Loaded::text(copies_on_trunk(model, 4).dump());
  REQUIRE(loops.plan->groups.size() == 1);
  CHECK_FALSE(check_rates_agree(loops));
}

TEST_CASE("momenta that are not finite are refused where there are groups") {
  Json model = wishbone();
  model["joints"].erase("top"), model["joints"].erase("rod");
  Loaded four = Loaded::text(copies_on_trunk(model, 4).dump());
  State state = four.state;
  Rates rates(state);
  state.p.back() = std::numeric_limits<double>::quiet_NaN();
  CHECK(evaluate_rates(*four.plan, 0, state.q.data(), state.p.data(), rates.q.data(), rates.p.data(), *four.work).code ==
        Status::Code::not_finite);
}
