#include "arthron/analysis/inverse_dynamics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "arthron/dynamics/observe.hpp"
#include "arthron/integrate/integrator.hpp"
#include "arthron/simulation/plan_ode.hpp"
#include "support/loaded.hpp"

/// Efforts that inverse dynamics finds for a motion, fed into forward dynamics of the same model without drives, bring this motion about.
using namespace arthron;
using namespace arthron::test;
using Json = nlohmann::ordered_json;

namespace {

struct Drive {
  std::string joint, motion;
};

Json example(const std::string& name) {
  std::ifstream file(ARTHRON_SOURCE_DIR "/examples/" + name + "/" + name + ".json");
  Json model = Json::parse(file);
  for (auto& [path, joint] : model["joints"].items()) joint.erase("initial");
  return model;
}

std::shared_ptr<const Plan> compiled(const Json& json) {
  return compile(std::make_shared<const Model>(parse_model(json.dump(), "test.json", builtins())));
}

std::shared_ptr<const Plan> driven(const std::string& name, const std::vector<Drive>& drives) {
  Json model = example(name);
  for (const Drive& drive : drives) model["joints"][drive.joint]["motion"] = drive.motion;
  return compiled(model);
}

/// The same with efforts as inputs in place of the drives.
std::shared_ptr<const Plan> fed(const std::string& name, const std::vector<Drive>& drives) {
  Json model = example(name);
  for (const Drive& drive : drives) {
    model["ports"]["effort_" + drive.joint] = {{"signal", "input"}, {"default", 0}};
    model["joints"][drive.joint]["effort"] = "=effort_" + drive.joint;
  }
  return compiled(model);
}

int joint_named(const Plan& plan, const std::string& path) {
  for (std::size_t j = 0; j < plan.model->joints.size(); ++j)
    if (plan.model->joints[j].path == path) return static_cast<int>(j);
  FAIL("no such joint");
  return -1;
}

/// Forward dynamics with the efforts of inverse dynamics at every time it is evaluated.
class FedForward final : public Ode {
 public:
  FedForward(const Plan& plan, Workspace& work, InverseDynamics& inverse, const Plan& driven, const std::vector<Drive>& drives)
      : work_(work), inverse_(inverse), forward_(plan, work, {}) {
    for (const Drive& drive : drives) {
      Feed feed{0, joint_named(driven, drive.joint)};
      while (plan.model->signals.at(feed.signal).path != "effort_" + drive.joint) ++feed.signal;
      feeds_.push_back(feed);
    }
  }
  int size() const override { return forward_.size(); }
  Status rhs(double t, const double* y, double* dydt) override {
    if (const Status status = feed(t); !status.ok()) return status;
    return forward_.rhs(t, y, dydt);
  }
  bool after_step(double t, double* y) override { return feed(t).ok() && forward_.after_step(t, y); }
  std::span<double> memory() override { return forward_.memory(); }

 private:
  struct Feed {
    std::size_t signal;
    int joint;
  };
  Status feed(double t) {
    const Status status = inverse_.at(t);
    if (status.ok())
      for (const Feed& feed : feeds_) work_.signals[feed.signal] = {true, inverse_.efforts({feed.joint})[0], 0, t};
    return status;
  }

  Workspace& work_;
  InverseDynamics& inverse_;
  PlanOde forward_;
  std::vector<Feed> feeds_;
};

/// Largest difference of a joint coordinate [rad] between the prescribed motion and the one that its efforts bring about, from momenta that
/// are larger by a part `nudge`.
double reproduction_error(const std::string& name, const std::vector<Drive>& drives, double tolerance, double nudge = 0) {
  constexpr double until = 5;
  const std::shared_ptr<const Plan> prescribed = driven(name, drives), plan = fed(name, drives);
  InverseDynamics inverse(prescribed);
  REQUIRE(inverse.at(0).ok());
  const std::unique_ptr<Workspace> work = make_workspace(*plan);
  State state;
  std::vector<JointStart> starts(plan->joints.size());
  for (std::size_t j = 0; j < starts.size(); ++j) {
    starts[j].position.resize(plan->joints[j].nu), starts[j].velocity.resize(starts[j].position.size());
    joint_position(*prescribed, inverse.workspace(), {static_cast<int>(j)}, starts[j].position.data());
    joint_velocity(*prescribed, inverse.workspace(), {static_cast<int>(j)}, starts[j].velocity.data());
  }
  REQUIRE(assemble(*plan, starts, 0, *work, state).ok());

  for (double& p : state.p) p *= 1 + nudge;

  FedForward ode(*plan, *work, inverse, *prescribed, drives);
  IntegratorSettings settings;
  settings.type = "rkf78";
  settings.relative_tolerance = settings.absolute_tolerance = tolerance;
  const auto integrator = make_integrator(settings, {}, ode);
  std::vector<double> y = state.q;
  y.insert(y.end(), state.p.begin(), state.p.end());
  REQUIRE(integrator->start(0, y).ok());
  double worst = 0;
  while (integrator->time() < until) {
    REQUIRE(integrator->step(until).ok());
    REQUIRE(inverse.at(integrator->time()).ok());
    for (std::size_t j = 0; j < plan->joints.size(); ++j) {
      if (plan->joints[j].closure >= 0) continue;
      std::array<double, 6> there{};
      joint_position(*prescribed, inverse.workspace(), {static_cast<int>(j)}, there.data());
      for (int i = 0; i < plan->joints[j].nu; ++i) {
        const double difference = std::abs(integrator->state()[plan->joints[j].q + i] - there[i]);
        if (!(difference <= worst)) worst = difference;
      }
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("3-RRR manipulator: efforts for a motion of its three arms bring it about for 5 s") {
  const double error = reproduction_error(
      "three_rrr", {{"A1", "=-0.28*(1-cos(0.8*pi*t))"}, {"A2", "=0.47*(1-cos(0.8*pi*t))"}, {"A3", "=-0.41*(1-cos(0.4*pi*t))"}}, 1e-13);
  CHECK(error < 1e-8);
}

TEST_CASE("carpet scraper: the effort for a crank of constant speed turns it at that speed for 5 s, up to what rounding becomes") {
  // Without the drive the motion is unstable: a change of the momenta grows a hundred thousand times as large as at constant speed.
  const std::vector<Drive> drives{{"j1", "=4.7124*t"}};
  constexpr double nudge = 1e-10, rounding = 2.2e-16, steps = 1500;
  const double sensitivity = reproduction_error("carpet_scraper", drives, 1e-14, nudge) / nudge;
  const double error = reproduction_error("carpet_scraper", drives, 1e-15);
  // The weights of the method's stages add up to 4.4 in size: a step rounds as much more.
  constexpr double weights = 4.4;
  CHECK(error < 2 * std::sqrt(steps) * weights * rounding * sensitivity);
  CHECK(error < 1e-7);
}
