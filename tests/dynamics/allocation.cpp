#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "arthron/analysis/inverse_dynamics.hpp"
#include "arthron/dynamics/lane_dynamics.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/dynamics/velocity_state.hpp"
#include "support/allocations.hpp"
#include "support/closed_graph.hpp"

using namespace arthron;
using namespace arthron::test;

TEST_CASE("evaluations allocate nothing after make_workspace") {
  const std::string json = RandomModel(builtins(), 3).tree(40).dump();
  for (const char* elimination : {"fold", "pair"}) {
    CAPTURE(elimination);
    Loaded model = Loaded::text(json, elimination);
    std::vector<double> qdot(model.state.q.size()), pdot(model.state.p.size());
    const long before = allocations;
    const Status rates = model.evaluate(0, model.state.q.data(), model.state.p.data(), qdot.data(), pdot.data());
    const Status accelerations = model.accelerate();
    CHECK(allocations == before);
    CHECK(rates.ok());
    CHECK(accelerations.ok());
  }
}

TEST_CASE("evaluations by subsystems allocate nothing, with loops that leave them") {
  Model given = load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", builtins());
  given.simulation.elimination = "modular";
  Loaded car(std::move(given));
  std::vector<double> qdot(car.state.q.size()), pdot(car.state.p.size());
  const long before = allocations;
  const Status rates = car.evaluate(0, car.state.q.data(), car.state.p.data(), qdot.data(), pdot.data());
  CHECK(allocations == before);
  CHECK(rates.ok());
}

TEST_CASE("evaluations of every formulation allocate nothing, with redundant loops too") {
  for (const char* name : {"carpet_scraper", "fourbar_ladder", "excavator", "pendulum16"}) {
    for (const std::string& formulation : formulation_names()) {
      CAPTURE(name);
      CAPTURE(formulation);
      Model given = load_model(std::string(ARTHRON_SOURCE_DIR "/examples/") + name + '/' + name + ".json", builtins());
      given.simulation.formulation = formulation;
      Loaded model(std::move(given));
      std::vector<double> qdot(model.state.q.size()), pdot(model.state.p.size());
      const long before = allocations;
      const Status status =
          model.plan->formulation->rates(*model.plan, 0, model.state.q.data(), model.state.p.data(), qdot.data(), pdot.data(), *model.work);
      CHECK(allocations == before);
      CHECK(status.ok());
    }
  }
}

TEST_CASE("rates of branches on SIMD lanes, and velocities alone, allocate nothing") {
  Loaded car(load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", builtins()));
  std::vector<double> qdot(car.state.q.size()), pdot(car.state.p.size());
  const long before = allocations;
  const Status status = evaluate_rates(*car.plan, 0, car.state.q.data(), car.state.p.data(), qdot.data(), pdot.data(), *car.work);
  const Status again = find_velocities(*car.plan, 0, car.state.q.data(), car.state.p.data(), *car.work);
  CHECK(allocations == before);
  CHECK(status.ok());
  CHECK(again.ok());
  CHECK(car.work->part[0].grouped);
}

TEST_CASE("inverse dynamics allocates nothing after the first time") {
  std::ifstream file(ARTHRON_SOURCE_DIR "/examples/carpet_scraper/carpet_scraper.json");
  Json json = Json::parse(file);
  json["joints"]["j1"].erase("initial");
  json["joints"]["j1"]["motion"] = "=2*t";
  InverseDynamics inverse(compile(std::make_shared<const Model>(parse_model(json.dump(), "test.json", builtins()))));
  REQUIRE(inverse.at(0).ok());
  const long before = allocations;
  const Status status = inverse.at(0.1);
  CHECK(allocations == before);
  CHECK(status.ok());
}

TEST_CASE("evaluations on lanes allocate nothing") {
  Loaded model = Loaded::text(RandomModel(builtins(), 3).tree(40).dump());
  const Plan* plans[] = {model.plan.get()};
  const LanePlan plan(plans);
  LaneWorkspace work(plan, per_lane<const std::vector<Signal>*>([&](std::size_t) { return &model.work->signals; }));
  std::vector<Lanes> q(model.state.q.begin(), model.state.q.end()), p(model.state.p.begin(), model.state.p.end());
  std::vector<Lanes> qdot(q.size()), pdot(p.size());
  const long before = allocations;
  const bool ok = evaluate(plan, 0.1, q.data(), p.data(), qdot.data(), pdot.data(), work);
  const bool normalised = normalise(plan, q.data());
  CHECK(allocations == before);
  CHECK(ok);
  CHECK(normalised);
}

TEST_CASE("evaluations with inputs and measurements allocate nothing") {
  constexpr auto text = R"json({ "arthron": 1, "name": "m",
    "ports": { "place": { "signal": "output", "channel": "slide.position" }, "x": { "signal": "input", "default": "place" },
               "push": { "signal": "input", "default": "=sin(t)" } },
    "bodies": { "block": { "mass": 2, "inertia": [1, 1, 1] } },
    "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "block", "at": [0, 0, 0], "axis": [1, 0, 0],
                           "effort": "=2*push - 3*x", "initial": { "position": 0.5 } } } })json";
  const std::shared_ptr<Plan> plan = compile(std::make_shared<const Model>(parse_model(text, "test.json", builtins())));
  const std::vector<SignalSource>& signals = plan->model->signals;
  REQUIRE(signals.size() == 3);
  const auto reader = [](const Plan& p, const Workspace& w, int joint, double* values) { joint_position(p, w, JointIndex{joint}, values); };
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (!signals[i].input) plan->sensors.push_back({static_cast<int>(i), reader, 0, 0});
  const auto work = make_workspace(*plan);
  State state;
  REQUIRE(initial_state(*plan, *work, state).ok());
  double qdot = 0, pdot = 0;
  const long before = allocations;
  const Status as_drawn = evaluate(*plan, 1, state.q.data(), state.p.data(), &qdot, &pdot, *work);
  const double followed = pdot;
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (signals[i].path == "push") work->signals[i] = {true, 4, 1, 0.5};
  const Status set = evaluate(*plan, 1, state.q.data(), state.p.data(), &qdot, &pdot, *work);
  CHECK(allocations == before);
  REQUIRE(as_drawn.ok());
  REQUIRE(set.ok());
  CHECK(followed == doctest::Approx(2 * std::sin(1.0) - 3 * 0.5).epsilon(1e-14));
  CHECK(pdot == doctest::Approx(2 * 4.5 - 3 * 0.5).epsilon(1e-14));
}
