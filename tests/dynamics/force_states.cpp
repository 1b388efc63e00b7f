#include <doctest/doctest.h>

#include <cmath>

#include "arthron/analysis/inverse_dynamics.hpp"
#include "arthron/analysis/statics.hpp"
#include "arthron/dynamics/lane_dynamics.hpp"
#include "arthron/dynamics/observe.hpp"
#include "support/allocation_count.hpp"
#include "support/closed_graph.hpp"
#include "support/formulations.hpp"
#include "support/state_forces.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// A model with two forces more of each type that has internal states.
Json with_states(Json model, unsigned seed) {
  RandomModel random(state_types(), seed);
  const int bodies = static_cast<int>(model["bodies"].size());
  for (const char* type : {"maxwell", "absorber", "wake"})
    for (const char* number : {"0", "1"})
      model["forces"][std::string(type) + "_" + number] = random.keys_of(*state_types().force(type), bodies);
  return model;
}

Loaded loaded(const Json& json, const Grain& grain = {}) { return Loaded(parse_model(json.dump(), "test.json", state_types()), grain); }

double rate_difference(const std::vector<double>& expected, const std::vector<double>& values) {
  REQUIRE(expected.size() == values.size());
  double worst = 0, scale = 1;
  for (std::size_t i = 0; i < values.size(); ++i) raise(worst, std::abs(expected[i] - values[i])), raise(scale, std::abs(expected[i]));
  return worst / scale;
}

}  // namespace

// Source of truth: the dense oracle for accelerations, HDCA for the rates of internal states.
TEST_CASE("all formulations agree on the rates of internal states, on accelerations they cause, and however a model is divided") {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    const Json json = with_states(seed % 2 ? closed_graph(seed, 9, 2) : RandomModel(builtins(), seed).tree(20), seed);
    const Model model = parse_model(json.dump(), "test.json", state_types());
    CHECK(compile(std::make_shared<const Model>(model))->nx == 2 * (2 + 2 + 3 + 1));
    for (const Grain& grain : {Grain{}, fine_grain})
      check_formulations(model, seed, [&](Model planned) { return compile(std::make_shared<const Model>(std::move(planned)), grain); });
  }
}

TEST_CASE("evaluations with internal states and many handles allocate nothing, in frames of their own too") {
  Json part = with_states(RandomModel(builtins(), 3).tree(20), 3);
  Model model = parse_model(part.dump(), "test.json", state_types());
  for (Force& force : model.forces) force.placement.sign = -1, force.placement.X.p = {0.1, 0.2, 0.3};
  Loaded drawn(std::move(model));
  REQUIRE(drawn.plan->draws_forces);
  std::vector<double> qdot(drawn.state.q.size()), pdot(drawn.state.p.size());
  const Plan* plans[] = {drawn.plan.get()};
  const LanePlan lanes(plans);
  LaneWorkspace work(lanes, per_lane<const std::vector<Signal>*>([&](std::size_t) { return &drawn.work->signals; }));
  std::vector<Lanes> q(drawn.state.q.begin(), drawn.state.q.end()), p(drawn.state.p.begin(), drawn.state.p.end());
  std::vector<Lanes> lane_qdot(q.size()), lane_pdot(p.size());
  const long before = allocations;
  const Status rates = drawn.evaluate(0, drawn.state.q.data(), drawn.state.p.data(), qdot.data(), pdot.data());
  const double stored = energy(*drawn.plan, *drawn.work).potential;
  const Status finite = forces_are_finite(*drawn.plan, *drawn.work);
  const bool on_lanes = evaluate(lanes, 0, q.data(), p.data(), lane_qdot.data(), lane_pdot.data(), work);
  CHECK(allocations == before);
  CHECK(rates.ok());
  CHECK(finite.ok());
  CHECK(std::isfinite(stored));
  CHECK(on_lanes);
}

TEST_CASE("rates of internal states on lanes are those of every variant alone") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    std::vector<Loaded> models;
    std::vector<const Plan*> plans;
    for (int i = 0; i < lane_count; ++i) {
      Json json = with_states(RandomModel(builtins(), seed).tree(12), seed);
      json["forces"]["maxwell_0"]["stiffness"] = 1.0 + i, json["forces"]["wake_1"]["lag"] = 0.1 * (1 + i);
      json["forces"]["maxwell_1"]["extension"] = 0.01 * i;
      models.push_back(loaded(json));
    }
    for (const Loaded& model : models) plans.push_back(model.plan.get());
    const LanePlan plan(plans);
    LaneWorkspace work(plan, per_lane<const std::vector<Signal>*>([&](std::size_t lane) { return &models[lane].work->signals; }));
    std::vector<Lanes> q(models[0].state.q.size()), p(models[0].state.p.size()), qdot = q, pdot = p;
    for (int lane = 0; lane < lane_count; ++lane) {
      const State& state = models[lane].state;
      set_lane(q.data(), lane, state.q.data(), static_cast<int>(q.size()));
      set_lane(p.data(), lane, state.p.data(), static_cast<int>(p.size()));
    }
    REQUIRE(evaluate(plan, 0.1, q.data(), p.data(), qdot.data(), pdot.data(), work));
    for (std::size_t lane = 0; lane < models.size(); ++lane) {
      std::vector<double> own_qdot(q.size()), own_pdot(p.size()), xdot(work.xdot.size()), rates(p.size());
      const State& state = models[lane].state;
      REQUIRE(models[lane].evaluate(0.1, state.q.data(), state.p.data(), own_qdot.data(), own_pdot.data()).ok());
      get_lane(work.xdot.data(), static_cast<int>(lane), xdot.data(), static_cast<int>(xdot.size()));
      get_lane(pdot.data(), static_cast<int>(lane), rates.data(), static_cast<int>(rates.size()));
      CHECK(rate_difference(models[lane].work->xdot, xdot) < 1e-12);
      CHECK(rate_difference(own_pdot, rates) < 1e-11);
    }
  }
}

namespace {

/// Twenty masses on slides of their own, in one wake.
Json flock() {
  Json json{{"arthron", 1}, {"name", "flock"}, {"gravity", {0, 0, 0}}};
  Json points = Json::array();
  for (int i = 0; i < 20; ++i) {
    const std::string name = "m" + std::to_string(i);
    json["bodies"][name] = {{"mass", 1 + i}, {"inertia", {1, 1, 1}}};
    json["joints"]["s" + std::to_string(i)] = {{"type", "prismatic"}, {"parent", "ground"}, {"child", name},
                                               {"at", {0, i, 0}},     {"axis", {1, 0, 0}},  {"initial", {{"velocity", 0.1 * i}}}};
    points.push_back({name, {0, i, 0}});
  }
  json["forces"]["wake"] = {{"type", "wake"}, {"points", points}, {"drag", 3}, {"lag", 0.5}};
  return json;
}

}  // namespace

// Source of truth: the force's law written out, f_i = -c (v_i - w / 2) on masses that move alone.
TEST_CASE("a force acts on twenty handles") {
  for (const Grain& grain : {Grain{}, fine_grain}) {
    Loaded model = loaded(flock(), grain);
    model.work->x = {0.7, 0, 0};
    std::vector<double> qdot(20), pdot(20);
    REQUIRE(model.evaluate(0, model.state.q.data(), model.state.p.data(), qdot.data(), pdot.data()).ok());
    double mean = 0;
    for (std::size_t j = 0; j < 20; ++j) {
      const double v = 0.1 * static_cast<double>(j), expected = -3 * (v - 0.35);
      mean += v / 20;
      CHECK(pdot[model.plan->joints[j].u] == doctest::Approx(expected).epsilon(1e-13));
    }
    CHECK(model.work->xdot[0] == doctest::Approx((mean - 0.7) / 0.5).epsilon(1e-13));
    CHECK(model.work->xdot[1] == 0);
  }
}

// Source of truth: at rest a Maxwell element pulls with what its spring holds at the start; k (l - rest) = k_m e0 balances it.
TEST_CASE("statics and inverse dynamics take internal states as they are at the start") {
  Json json{{"arthron", 1}, {"name", "held"}, {"gravity", {0, 0, 0}}};
  json["bodies"]["block"] = {{"mass", 2}, {"inertia", {1, 1, 1}}};
  json["joints"]["slide"] = {{"type", "prismatic"}, {"parent", "ground"}, {"child", "block"}, {"at", {1, 0, 0}}, {"axis", {1, 0, 0}}};
  json["forces"]["element"] = {
      {"type", "maxwell"}, {"a", {"ground", {0, 0, 0}}}, {"b", {"block", {1, 0, 0}}}, {"stiffness", 100}, {"damping", 5},
      {"extension", 0.2}};
  Json sprung = json;
  sprung["joints"]["slide"]["spring"] = {{"stiffness", 400}};
  Loaded model = loaded(sprung);
  Statics statics(*model.plan);
  double q = 0;
  REQUIRE(statics.settle(0, &q, *model.work).status.ok());
  CHECK(q == doctest::Approx(-100 * 0.2 / 400).epsilon(1e-12));

  json["joints"]["slide"]["motion"] = "=0.1*t^2";
  InverseDynamics inverse(compile(std::make_shared<const Model>(parse_model(json.dump(), "test.json", state_types()))));
  REQUIRE(inverse.at(0.5).ok());
  CHECK(inverse.efforts({0})[0] == doctest::Approx(2 * 0.2 + 100 * 0.2).epsilon(1e-12));
}

TEST_CASE("statics and inverse dynamics name a force that is not finite") {
  Registry types = state_types();
  types.add_force<Faulty>();
  Json json{{"arthron", 1}, {"name", "faulty"}};
  json["bodies"]["block"] = {{"mass", 2}, {"inertia", {1, 1, 1}}};
  json["joints"]["slide"] = {{"type", "prismatic"}, {"parent", "ground"}, {"child", "block"},
                             {"at", {1, 0, 0}},     {"axis", {1, 0, 0}},  {"spring", {{"stiffness", 10}}}};
  json["forces"]["push"] = {{"type", "force"}, {"on", {"block", {1, 0, 0}}}, {"force", {1, 0, 0}}};
  json["forces"]["bad"] = {{"type", "faulty"}, {"on", {"block", {1, 0, 0}}}, {"until", 0}};
  const auto plan = [&] { return compile(std::make_shared<const Model>(parse_model(json.dump(), "test.json", types))); };
  const auto resting = plan();
  const auto work = make_workspace(*resting);
  double q = 0;
  const Status rest = Statics(*resting).settle(0, &q, *work).status;
  CHECK(rest.code == Status::Code::not_finite);
  CHECK(rest.element == element_of_force(*resting, 1));

  json["joints"]["slide"].erase("spring");
  json["joints"]["slide"]["motion"] = "=t";
  json["bodies"]["rider"] = {{"mass", 1}, {"inertia", {1, 1, 1}}};
  json["joints"]["hinge"] = {{"type", "revolute"}, {"parent", "block"}, {"child", "rider"},
                             {"at", {1, 0, 0}},    {"axis", {0, 1, 0}}, {"motion", "=t"}};
  InverseDynamics inverse(plan());
  const Status moving = inverse.at(0.1);
  CHECK(moving.code == Status::Code::not_finite);
  CHECK(moving.element == element_of_force(*resting, 1) + 1);
}
