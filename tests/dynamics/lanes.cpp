#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "arthron/dynamics/lane_dynamics.hpp"
#include "support/loaded.hpp"
#include "support/random_model.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// The same model with other numbers: every mass, place, direction and start differs.
Json varied(Json model, RandomModel& random) {
  const auto vary = [&](Json& value, double size) {
    if (value.is_number()) value = value.get<double>() + random.number(-size, size);
    if (value.is_array())
      for (Json& part : value)
        if (part.is_number()) part = part.get<double>() + random.number(-size, size);
  };
  for (auto& [name, body] : model["bodies"].items()) {
    const double factor = random.number(0.8, 1.2);
    body["mass"] = body["mass"].get<double>() * factor;
    for (Json& moment : body["inertia"]) moment = moment.get<double>() * factor;
    vary(body["com"], 0.05);
  }
  const bool axes = random.chance(0.5);
  for (auto& [name, joint] : model["joints"].items()) {
    vary(joint["at"], 0.05);
    for (const char* key : {"axis", "axis2", "normal"})
      if (axes && joint.contains(key)) vary(joint[key], 0.02);
    if (joint.contains("pitch")) vary(joint["pitch"], 0.05);
    if (joint.contains("spring")) vary(joint["spring"]["stiffness"], 0.5), vary(joint["spring"]["damping"], 0.001);
    if (joint.contains("initial")) vary(joint["initial"]["position"], 0.1), vary(joint["initial"]["velocity"], 0.1);
  }
  for (auto& [name, force] : model["forces"].items())
    for (const char* key : {"stiffness", "free_length", "radius", "exponent"})
      if (force.contains(key) && force[key].is_number()) force[key] = force[key].get<double>() * random.number(1, 1.1);
  return model;
}

/// Up to lane_count variants, one by one and together.
struct Variants {
  std::vector<Loaded> models;
  std::unique_ptr<LanePlan> plan;
  std::unique_ptr<LaneWorkspace> work;
  std::vector<Lanes> q, p, qdot, pdot;

  explicit Variants(const std::vector<std::string>& texts) {
    std::vector<const Plan*> plans;
    for (const std::string& text : texts) models.push_back(Loaded::text(text));
    for (const Loaded& model : models) plans.push_back(model.plan.get());
    plan = std::make_unique<LanePlan>(plans);
    work = std::make_unique<LaneWorkspace>(*plan,
                                           per_lane<const std::vector<Signal>*>([&](std::size_t lane) { return &of(lane).work->signals; }));
    q.resize(models[0].state.q.size()), p.resize(models[0].state.p.size()), qdot = q, pdot = p;
    for (int lane = 0; lane < lane_count; ++lane) {
      const State& state = of(lane).state;
      set_lane(q.data(), lane, state.q.data(), static_cast<int>(q.size()));
      set_lane(p.data(), lane, state.p.data(), static_cast<int>(p.size()));
    }
  }
  Loaded& of(std::size_t lane) { return models[std::min(lane, models.size() - 1)]; }
  bool operator()(double t) { return evaluate(*plan, t, q.data(), p.data(), qdot.data(), pdot.data(), *work); }

  /// Largest difference from evaluating one by one, relative to the largest rate.
  double difference(double t) {
    double worst = 0;
    for (std::size_t lane = 0; lane < models.size(); ++lane) {
      std::vector<double> own_qdot(q.size()), own_pdot(p.size());
      const State& state = models[lane].state;
      REQUIRE(models[lane].evaluate(t, state.q.data(), state.p.data(), own_qdot.data(), own_pdot.data()).ok());
      const auto compare = [&](const std::vector<Lanes>& together, const std::vector<double>& alone) {
        double size = 1, apart = 0;
        for (std::size_t i = 0; i < alone.size(); ++i) {
          size = std::max(size, std::abs(alone[i]));
          const double difference = std::abs(together[i][static_cast<int>(lane)] - alone[i]);
          if (!(difference <= apart)) apart = difference;
        }
        if (!(apart / size <= worst)) worst = apart / size;
      };
      compare(qdot, own_qdot), compare(pdot, own_pdot);
    }
    return worst;
  }
};

/// Both run the same recursion, so that they differ by rounding alone: 100 units a body, amplified by the conditioning, taken as 1e2.
double rounding(const Plan& plan) { return 1e2 * static_cast<double>(plan.bodies.size()) * 2.2e-16 * 1e2; }

std::vector<std::string> variants_of(const Json& model, RandomModel& random, int count = lane_count) {
  std::vector<std::string> texts{model.dump()};
  while (static_cast<int>(texts.size()) < count) texts.push_back(varied(model, random).dump());
  return texts;
}

}  // namespace

TEST_CASE("random trees over all joint and force types: variants on lanes move as they do one by one") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    RandomModel random(builtins(), seed);
    Variants variants(variants_of(random.tree(1 + static_cast<int>(seed)), random));
    for (const double t : {0.0, 0.7}) {
      REQUIRE(variants(t));
      CHECK(variants.difference(t) < rounding(*variants.models[0].plan));
    }
  }
}

TEST_CASE("lanes left over repeat the last variant") {
  RandomModel random(builtins(), 5);
  Variants variants(variants_of(random.tree(8), random, 2));
  REQUIRE(variants(0));
  for (const Lanes& rate : variants.pdot)
    for (int lane = 2; lane < lane_count; ++lane) CHECK(rate[lane] == rate[1]);
}

TEST_CASE("a lane that fails leaves the others alone, to the last bit") {
  RandomModel random(builtins(), 11);
  Variants variants(variants_of(random.tree(12), random));
  REQUIRE(variants(0));
  const std::vector<Lanes> qdot = variants.qdot, pdot = variants.pdot;
  variants.q[0].set(2, std::numeric_limits<double>::quiet_NaN());
  variants.p.back().set(2, std::numeric_limits<double>::infinity());
  CHECK(!variants(0));
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(lane_count); ++lane) CHECK(variants.work->status[lane].ok() == (lane != 2));
  CHECK(variants.work->status[2].code == Status::Code::not_finite);
  for (const int lane : {0, 1, 3}) {
    for (std::size_t i = 0; i < qdot.size(); ++i) CHECK(variants.qdot[i][lane] == qdot[i][lane]);
    for (std::size_t i = 0; i < pdot.size(); ++i) CHECK(variants.pdot[i][lane] == pdot[i][lane]);
  }
}
