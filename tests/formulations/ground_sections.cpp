#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "arthron/formulations/joint_space/joint_space.hpp"
#include "arthron/schedule/workers.hpp"
#include "support/loaded.hpp"

/// Loops that come together on the ground, closed in sections by nested dissection. Source of truth: joint space, where all multipliers are
/// found in one dense solution.
using namespace arthron;

namespace {

/// A net of n x n meshes, hung along one edge: rods between the knots, joined by balls.
std::string hanging_net(int n) {
  std::string bodies, joints;
  const auto body = [&](double x, double z) {
    const std::string name = "b" + std::to_string(std::count(bodies.begin(), bodies.end(), '}'));
    bodies += (bodies.empty() ? "\"" : ",\"") + name + R"(": { "mass": 1, "com": [)" + std::to_string(x) + ", 0.01, " + std::to_string(z) +
              R"(], "inertia": [0.1, 0.11, 0.12] })";
    return name;
  };
  const auto ball = [&](const std::string& parent, const std::string& child, double x, double z) {
    const std::string name = "j" + std::to_string(std::count(joints.begin(), joints.end(), '}'));
    joints += (joints.empty() ? "\"" : ",\"") + name + R"(": { "type": "spherical", "parent": ")" + parent + R"(", "child": ")" + child +
              R"(", "at": [)" + std::to_string(x) + ", 0, " + std::to_string(z) + "] }";
  };
  std::vector<std::string> above(n + 1, "ground");
  for (int row = 0; row < n; ++row) {
    std::vector<std::string> down;
    for (int c = 0; c <= n; ++c) down.push_back(body(c, -row - 0.5)), ball(above[c], down.back(), c, -row);
    for (int c = 0; c < n; ++c) {
      const std::string across = body(c + 0.5, -row - 1);
      ball(down[c], across, c, -row - 1), ball(down[c + 1], across, c + 1, -row - 1);
    }
    above = down;
  }
  return R"({ "arthron": 1, "name": "net", "bodies": {)" + bodies + R"(}, "joints": {)" + joints + "} }";
}

}  // namespace

TEST_CASE("a net is closed in sections of the ground: each closure once, as in one dense solution, by any number of workers alike") {
  test::Loaded model = test::Loaded::text(hanging_net(12), "fold");
  const Plan& plan = *model.plan;
  REQUIRE(plan.ground_sections.size() >= 2);
  std::vector<int> closed(plan.closures.size(), 0);
  for (const ClosureNode& node : plan.closure_nodes)
    for (int i = 0; i < node.eliminated; ++i) ++closed[node.closures[i]];
  CHECK(std::count(closed.begin(), closed.end(), 1) == std::ssize(closed));
  std::set<int> parts;
  for (const GroundSection& section : plan.ground_sections) parts.insert(section.parts.begin(), section.parts.end());
  CHECK(parts.size() > 4);

  for (std::size_t i = 0; i < model.state.p.size(); ++i) model.state.p[i] += 0.1 * std::sin(3.0 * static_cast<double>(i));
  REQUIRE(model.accelerate().ok());
  const std::vector<double> found = model.work->udot;
  Workers workers(3);
  model.work->parallel = &workers;
  REQUIRE(model.accelerate().ok());
  CHECK(model.work->udot == found);
  model.work->parallel = nullptr;

  JointSpaceWork dense(plan, MultiplierSolve::whole_system);
  REQUIRE(evaluate_joint_space(plan, 0, model.state.q.data(), model.state.p.data(), *model.work, dense).ok());
  double worst = 0, largest = 0;
  for (std::size_t c = 0; c < found.size(); ++c) {
    worst = std::max(worst, std::abs(found[c] - model.work->udot[c]));
    largest = std::max(largest, std::abs(found[c]));
  }
  CHECK(worst < 1e-9 * largest);
}
