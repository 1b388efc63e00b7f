#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "arthron/dynamics/observe.hpp"
#include "support/closed_graph.hpp"
#include "support/disagreement.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

void check_all_agree(const std::string& json) {
  Loaded fold = Loaded::text(json, "fold"), pair = Loaded::text(json, "pair"), divided = Loaded::text(json, "auto", fine_grain);
  REQUIRE(fold.accelerate().ok());
  REQUIRE(pair.accelerate().ok());
  REQUIRE(divided.accelerate().ok());
  const DenseSolution dense = dense_accelerations(*fold.plan, *fold.work);
  const double tolerance = recursion_tolerance(*fold.plan);
  CHECK(disagreement(*fold.plan, dense.A, dense.F, dense.udot, *fold.work) < tolerance);
  CHECK(disagreement(*fold.plan, dense.A, dense.F, dense.udot, *pair.work) < tolerance);

  // Velocities of both eliminations return what the initial state was made from, and the momentum self-check holds.
  CHECK(momentum_residual(*fold.plan, *fold.work) < tolerance);
  CHECK(momentum_residual(*pair.plan, *pair.work) < tolerance);
  const DenseSolution dense_divided = dense_accelerations(*divided.plan, *divided.work);
  CHECK(disagreement(*divided.plan, dense_divided.A, dense_divided.F, dense_divided.udot, *divided.work) < tolerance);
  CHECK(momentum_residual(*divided.plan, *divided.work) < tolerance);
  const Model& model = *fold.plan->model;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    std::array<double, 6> u{};
    joint_velocity(*fold.plan, *fold.work, {static_cast<int>(j)}, u.data());
    for (std::size_t i = 0; i < model.joints[j].initial_velocity.size(); ++i)
      CHECK(std::abs(u[i] - model.joints[j].initial_velocity[i]) < 1e3 * tolerance);
  }
}

/// False where a joint runs along cubics: drawn at an end of one, its acceleration has a corner, which no finite difference sees.
bool is_smooth(const Json& model) {
  return std::none_of(model["joints"].begin(), model["joints"].end(), [](const Json& joint) { return joint["type"] == "curve"; });
}

/// du/dt along the flow, by a central difference of fourth order in the direction (1, qdot, pdot).
std::vector<double> flow_acceleration(Loaded& model) {
  const State& s = model.state;
  std::vector<double> qdot(s.q.size()), pdot(s.p.size()), q(s.q.size()), p(s.p.size()), dummy_q(s.q.size()), dummy_p(s.p.size());
  REQUIRE(model.evaluate(s.t, s.q.data(), s.p.data(), qdot.data(), pdot.data()).ok());
  double rate = 1;
  for (const double value : qdot) raise(rate, std::abs(value));
  const double h = 1e-3 / rate;
  std::vector<double> derivative(model.plan->nu, 0);
  for (const auto& [step, weight] : {std::pair{-2, 1.0 / 12}, {-1, -2.0 / 3}, {1, 2.0 / 3}, {2, -1.0 / 12}}) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = s.q[i] + step * h * qdot[i];
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = s.p[i] + step * h * pdot[i];
    normalise(*model.plan, q.data());
    REQUIRE(model.evaluate(s.t + step * h, q.data(), p.data(), dummy_q.data(), dummy_p.data()).ok());
    for (std::size_t i = 0; i < derivative.size(); ++i) derivative[i] += weight * model.work->u[i] / h;
  }
  return derivative;
}

}  // namespace

TEST_CASE("random trees over all joint and force types: folding, pairing and the dense oracle agree on accelerations and reactions") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    check_all_agree(RandomModel(builtins(), seed).tree(1 + static_cast<int>(seed)).dump());
  }
}

TEST_CASE("each joint type alone, forward and reversed: folding, pairing and the dense oracle agree") {
  for (const auto& [name, type] : builtins().joints()) {
    for (const bool reversed : {false, true}) {
      CAPTURE(name);
      CAPTURE(reversed);
      RandomModel random(builtins(), 7);
      Json model = random.tree(3);
      Json joint = random.keys_of(*type, 3);
      joint["at"] = {0.1, 0.2, 0.3};
      joint["parent"] = reversed ? "b1" : "b0";
      joint["child"] = reversed ? "b0" : "b1";
      model["joints"]["j1"] = joint;
      model["joints"]["j2"]["parent"] = "b1", model["joints"]["j2"]["child"] = "b2";
      check_all_agree(model.dump());
    }
  }
}

TEST_CASE("acceleration along the Hamiltonian flow equals that of the dense oracle on random trees") {
  for (unsigned seed = 101; seed <= 140; ++seed) {
    CAPTURE(seed);
    const Json json = RandomModel(builtins(), seed).tree(2 + static_cast<int>(seed - 100) * 58 / 40);
    if (!is_smooth(json)) continue;
    Loaded model = Loaded::text(json.dump());
    const std::vector<double> flow = flow_acceleration(model);
    REQUIRE(model.accelerate().ok());
    const DenseSolution dense = dense_accelerations(*model.plan, *model.work);
    double scale = 1;
    for (const double value : dense.udot) raise(scale, std::abs(value));
    // Rounding of u over the step, 1e-15 / 1e-3 a unit of conditioning, and the stencil's h^4.
    for (std::size_t c = 0; c < flow.size(); ++c) CHECK(std::abs(flow[c] - dense.udot[c]) / scale < 1e-7);
  }
}

namespace {

void check_closed(const Json& json, unsigned seed, const Grain& grain = {}) {
  Loaded model = Loaded::text(json.dump(), "auto", grain);
  // Any momenta will do: phase one projects them onto the closures. Small ones keep the finite difference sharp.
  for (std::size_t i = 0; i < model.state.p.size(); ++i) model.state.p[i] = 0.1 * std::sin(3.0 * static_cast<double>(i) + seed);
  const std::vector<double> flow = is_smooth(json) ? flow_acceleration(model) : std::vector<double>();
  REQUIRE(model.accelerate().ok());
  const DenseSolution dense = dense_accelerations(*model.plan, *model.work);
  double scale = 1;
  for (const double value : dense.udot) raise(scale, std::abs(value));
  for (std::size_t c = 0; c < dense.udot.size(); ++c) CHECK(std::abs(dense.udot[c] - model.work->udot[c]) / scale < 1e-8);
  for (std::size_t c = 0; c < flow.size(); ++c) CHECK(std::abs(flow[c] - dense.udot[c]) / scale < 1e-6);
}

}  // namespace

TEST_CASE("random closed graphs: accelerations of folding, of the Hamiltonian flow and of the dense oracle agree") {
  for (unsigned seed = 201; seed <= 230; ++seed) {
    CAPTURE(seed);
    for (const Grain& grain : {Grain{}, fine_grain})
      check_closed(closed_graph(seed, 6 + static_cast<int>(seed % 7), 1 + static_cast<int>(seed % 4)), seed, grain);
  }
}

TEST_CASE("random closed graphs with coupled joints agree in the same way") {
  for (unsigned seed = 301; seed <= 330; ++seed) {
    CAPTURE(seed);
    Json model = closed_graph(seed, 8 + static_cast<int>(seed % 7), 1 + static_cast<int>(seed % 3));
    couple(model, seed);
    for (const Grain& grain : {Grain{}, fine_grain}) check_closed(model, seed, grain);
  }
}

TEST_CASE("random graphs with a driven tree joint in a coupling and a driven cut joint agree in the same way") {
  for (unsigned seed = 331; seed <= 360; ++seed) {
    CAPTURE(seed);
    const Json model = driven_graph(seed);
    for (const Grain& grain : {Grain{}, fine_grain}) check_closed(model, seed, grain);
  }
}
