#include <doctest/doctest.h>

#include <cmath>

#include "arthron/dynamics/block_module.hpp"
#include "arthron/dynamics/lane_dynamics.hpp"
#include "arthron/dynamics/observe.hpp"
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

TEST_CASE("accelerations of block modules allocate nothing, with redundant loops too") {
  Json json = closed_graph(4, 12, 4);
  json["joints"]["copy"] = json["joints"]["loop0"];
  couple(json, 4);
  Loaded random = Loaded::text(json.dump()), vehicle(load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", builtins()));
  for (Loaded* model : {&random, &vehicle}) {
    REQUIRE(model->accelerate().ok());
    BlockModuleWork modules(*model->plan);
    const long before = allocations;
    const Status status = block_module_accelerations(*model->plan, *model->work, modules);
    CHECK(allocations == before);
    CHECK(status.ok());
  }
}
