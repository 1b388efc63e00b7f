#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "arthron/dynamics/dense6.hpp"
#include "arthron/formulations/acceleration_based.hpp"
#include "arthron/simulation/simulation.hpp"
#include "support/formulations.hpp"

/// A formulation that the library does not know: one class and one line. Being in the list it is read from JSON, described, and compared
/// with all others by every comparison of this program.
using namespace arthron;
using namespace arthron::test;

namespace {

/// Mq u' = Q of an open tree by Jacobians: A_b = A_b0 + J_b u',   Mq = sum of J_b^T M_b J_b,   Q = tau - sum of J_b^T (M_b A_b0 + bias_b).
class MassMatrix final : public AccelerationBased {
 public:
  MassMatrix() : AccelerationBased("mass-matrix", "velocities; the joint-space inertia of a tree, by Jacobians") {}

  std::vector<Diagnostic> objections(const Plan& plan) const override {
    if (plan.closures.empty()) return {};
    return {{"", 0, "/simulate/formulation", "\"mass-matrix\" for a model with loops or couplings", "another formulation", ""}};
  }
  std::string describe(const Plan& plan) const override { return "formulation: mass-matrix, " + std::to_string(plan.nu) + " freedoms"; }

 protected:
  Status solve(const Plan& plan, Workspace& work) const override {
    const std::size_t bodies = plan.bodies.size();
    std::vector<Eigen::MatrixXd> J(bodies, Eigen::MatrixXd::Zero(6, plan.nu));
    Eigen::MatrixXd inertia = Eigen::MatrixXd::Zero(plan.nu, plan.nu);
    Eigen::VectorXd force = Eigen::Map<const Eigen::VectorXd>(work.tau.data(), plan.nu);
    for (std::size_t b = plan.grounds; b < bodies; ++b) {
      const PlanBody& body = plan.bodies[b];
      const Matrix6 outward = shift(work.body[b].arm).transpose();
      J[b] = outward * J[body.parent];
      for (int c = body.u; c < body.u + body.columns && !body.driven; ++c) J[b].col(c) = dense(work.column[c].H);
      work.A[b] = spatial(outward * dense(work.A[body.parent]) + dense(work.gamma[b]));
      const Matrix6 M = dense(rigid_inertia(body.mass, work.body[b].first_moment, work.body[b].second_moment));
      inertia += J[b].transpose() * M * J[b];
      force -= J[b].transpose() * (M * dense(work.A[b]) + dense(work.bias[b]));
    }
    const Eigen::VectorXd udot = plan.nu > 0 ? Eigen::VectorXd(inertia.llt().solve(force)) : force;
    if (!udot.allFinite()) return {Status::Code::not_finite};
    for (std::size_t b = plan.grounds; b < bodies; ++b) {
      const PlanBody& body = plan.bodies[b];
      work.A[b] = spatial(dense(work.A[b]) + J[b] * udot);
      for (int c = body.u; c < body.u + body.columns; ++c) work.udot[c] = body.driven ? work.drive_acceleration[c] : udot[c];
    }
    return {};
  }
};

[[maybe_unused]] const bool registered = (add_formulation(std::make_unique<MassMatrix>()), true);

Model double_pendulum(const std::string& formulation) {
  return parse_model(R"json({ "arthron": 1, "name": "double pendulum",
    "bodies": { "upper": { "mass": 1, "com": [0.5, 0, 0], "inertia": [0.01, 0.1, 0.1] },
                "lower": { "mass": 2, "com": [1.5, 0, 0.1], "inertia": [0.02, 0.2, 0.2] } },
    "joints": { "shoulder": { "type": "revolute", "parent": "ground", "child": "upper", "at": [0, 0, 0], "axis": [0, 1, 0] },
                "elbow": { "type": "spherical", "parent": "upper", "child": "lower", "at": [1, 0, 0], "initial": { "velocity": [1, 0, 2] } } },
    "simulate": { "until": 2, "formulation": ")json" +
                         formulation + R"json(", "integrator": { "tolerance": 1e-11 } } })json",
                     "test.json", builtins());
}

}  // namespace

TEST_CASE("a formulation of one class and one line is read from JSON, runs, and moves a model as the default does") {
  std::vector<State> ends;
  for (const char* formulation : {"hdca", "mass-matrix"}) {
    Simulation simulation(std::make_shared<const Model>(double_pendulum(formulation)));
    CHECK(simulation.formulation() == formulation);
    REQUIRE(simulation.start().ok());
    REQUIRE(simulation.advance_to(2).ok());
    ends.push_back(simulation.state());
  }
  REQUIRE(ends[0].q.size() == ends[1].q.size());
  for (std::size_t i = 0; i < ends[0].q.size(); ++i) CHECK(std::abs(ends[0].q[i] - ends[1].q[i]) < 1e-8);
}

TEST_CASE("comparisons take it in, `check` describes it, and what it objects to is refused in its words") {
  std::vector<std::string> compared;
  const auto planned = [](Model model) { return compile(std::make_shared<const Model>(std::move(model))); };
  check_formulations(double_pendulum("hdca"), 1, planned);
  for (const Way& way : other_ways()) compared.push_back(way.formulation);
  CHECK(std::count(compared.begin(), compared.end(), "mass-matrix") == 1);
  CHECK(describe_plan(*planned(double_pendulum("mass-matrix"))).find("formulation: mass-matrix, 4 freedoms") != std::string::npos);

  Model loop = load_model(ARTHRON_SOURCE_DIR "/examples/loop4/loop4.json", builtins());
  loop.simulation.formulation = "mass-matrix";
  CHECK_THROWS_WITH_AS((void)planned(loop), doctest::Contains("\"mass-matrix\" for a model with loops or couplings"), ModelError);
}

TEST_CASE("two formulations of one name are a mistake of whoever registers the second") {
  CHECK_THROWS_AS(add_formulation(std::make_unique<MassMatrix>()), InternalError);
}
