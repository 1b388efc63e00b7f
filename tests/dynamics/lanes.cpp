#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "arthron/dynamics/lane_dynamics.hpp"
#include "support/closed_graph.hpp"
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
    // Evaluations one by one do not follow the turns of cut joints either.
    for (std::size_t lane = 0; lane < work->alone.size(); ++lane) work->alone[lane]->q = of(lane).work->q;
    q.resize(models[0].state.q.size()), p.resize(models[0].state.p.size()), qdot = q, pdot = p;
    take_states();
  }
  Loaded& of(std::size_t lane) { return models[std::min(lane, models.size() - 1)]; }
  /// Changes the state of every model, coordinates by so much and momenta by their own size.
  void shake(unsigned seed, double of_coordinates) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> number;
    for (Loaded& model : models) {
      double largest = 1;
      for (const double momentum : model.state.p) largest = std::max(largest, std::abs(momentum));
      for (double& coordinate : model.state.q) coordinate += of_coordinates * number(generator);
      for (double& momentum : model.state.p) momentum += 0.3 * largest * number(generator);
      normalise(*model.plan, model.state.q.data());
    }
    take_states();
  }
  void take_states() {
    for (int lane = 0; lane < lane_count; ++lane) {
      const State& state = of(lane).state;
      set_lane(q.data(), lane, state.q.data(), static_cast<int>(q.size()));
      set_lane(p.data(), lane, state.p.data(), static_cast<int>(p.size()));
    }
  }
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

/// Largest difference of one lane from a list, relative to the largest number of the list, or to one.
double lane_difference(const std::vector<Lanes>& together, std::size_t lane, const std::vector<double>& alone) {
  double size = 1, apart = 0;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    size = std::max(size, std::abs(alone[i]));
    const double difference = std::abs(together[i][static_cast<int>(lane)] - alone[i]);
    if (!(difference <= apart)) apart = difference;
  }
  return apart / size;
}

/// Projection and re-anchoring of variants that have come open, against one by one.
void check_upkeep(Variants& variants, double t, double allowed) {
  constexpr int most_steps = 3;
  std::vector<Lanes> q = variants.q, p = variants.p, qdot = variants.qdot, pdot = variants.pdot;
  const LaneProjection projection = project(*variants.plan, t, q.data(), Lanes(0), most_steps, *variants.work);
  REQUIRE(reanchor_in_place(*variants.plan, t, p.data(), qdot.data(), pdot.data(), *variants.work));
  for (std::size_t lane = 0; lane < variants.models.size(); ++lane) {
    CAPTURE(lane);
    Loaded& model = variants.models[lane];
    State state = model.state;
    const Projection alone = project(*model.plan, t, state.q.data(), 0, most_steps, *model.work);
    CHECK(projection.error_before[static_cast<int>(lane)] == doctest::Approx(alone.error_before).epsilon(1e-9).scale(1e-3));
    CHECK(std::abs(projection.error[static_cast<int>(lane)] - alone.error) < 1e-6 * alone.error_before + 1e-13);
    CHECK(lane_difference(q, lane, state.q) < allowed);
    std::vector<double> own_qdot(q.size()), own_pdot(p.size());
    REQUIRE(reanchor(*model.plan, t, state.q.data(), state.p.data(), own_qdot.data(), own_pdot.data(), *model.work).ok());
    CHECK(lane_difference(p, lane, state.p) < allowed);
    CHECK(lane_difference(qdot, lane, own_qdot) < allowed);
    CHECK(lane_difference(pdot, lane, own_pdot) < allowed);
  }
}

/// Evaluations of variants with loops, whose momenta do not fit these, and what keeps the loops closed. False where lanes do not apply.
bool check_closed(const Json& json, RandomModel& random, unsigned seed) {
  const Loaded first = Loaded::text(json.dump());
  if (!lanes_apply(*first.plan).empty()) return false;
  Variants variants(variants_of(json, random));
  const double allowed = 1e2 * rounding(*variants.models[0].plan);
  variants.shake(seed, 0);
  for (const double t : {0.0, 0.7}) {
    REQUIRE(variants(t));
    CHECK(variants.difference(t) < allowed);
  }
  variants.shake(seed + 1, 1e-4);
  check_upkeep(variants, 0, 10 * allowed);
  return true;
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

TEST_CASE(
    "random closed graphs over all joint types, loaded, with couplings: variants on lanes move as they do one by one, and close as "
    "exactly") {
  int closed = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Json graph = closed_graph(seed, 3 + static_cast<int>(seed % 11), 1 + static_cast<int>(seed % 3));
    RandomModel random(builtins(), seed);
    if (seed % 3 == 0) couple(graph, seed);
    closed += check_closed(graph, random, seed);
  }
  CHECK(closed == 60);
}

TEST_CASE("driven joints in couplings, driven cut joints and grounds that move, around loops") {
  int closed = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Json graph = driven_graph(seed);
    graph["grounds"]["shaker"]["motion"] = {{"translation", {"=0.1*sin(3*t)", 0, "=0.2*t"}}};
    graph["joints"]["tie"] = {{"type", "spherical"}, {"parent", "shaker"}, {"child", "b6"}, {"at", {0.3, 0.2, 0.1}}, {"cut", true}};
    RandomModel random(builtins(), seed);
    closed += check_closed(graph, random, seed);
  }
  CHECK(closed == 12);
}

TEST_CASE("redundant rows of four-bars of 3D hinges, and loops drawn more than once: each lane finds its rank") {
  for (const int cranks : {2, 3, 5}) {
    CAPTURE(cranks);
    RandomModel random(builtins(), 1);
    Variants variants(std::vector<std::string>(lane_count, parallel_cranks(cranks).dump()));
    variants.shake(3, 0);
    // The third lies flat: all links are in one line, and more rows depend on one another than elsewhere.
    const double flat = -std::atan2(0.8, 0.3);
    const Plan& plan = *variants.models[2].plan;
    for (std::size_t j = 0; j < plan.joints.size(); ++j)
      if (plan.joints[j].closure < 0) variants.models[2].state.q[plan.joints[j].q] = plan.model->joints[j].path[0] == 'f' ? flat : -flat;
    variants.take_states();
    REQUIRE(variants(0.0));
    CHECK(variants.difference(0) < 1e2 * rounding(plan));
    check_upkeep(variants, 0, 1e3 * rounding(plan));
  }
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    RandomModel random(builtins(), seed);
    const Json graph = repeated_loops(seed);
    Variants variants(std::vector<std::string>(lane_count, graph.dump()));
    variants.shake(seed, 0);
    REQUIRE(variants(0.0));
    CHECK(variants.difference(0) < 1e2 * rounding(*variants.models[0].plan));
  }
}

TEST_CASE("a lane whose loop fails leaves the others alone, to the last bit") {
  Variants variants(std::vector<std::string>(lane_count, parallel_cranks(3).dump()));
  variants.shake(5, 0);
  REQUIRE(variants(0));
  const std::vector<Lanes> qdot = variants.qdot, pdot = variants.pdot;
  variants.q[0].set(1, std::numeric_limits<double>::quiet_NaN());
  CHECK(!variants(0));
  for (const int lane : {0, 2, 3}) {
    for (std::size_t i = 0; i < qdot.size(); ++i) CHECK(variants.qdot[i][lane] == qdot[i][lane]);
    for (std::size_t i = 0; i < pdot.size(); ++i) CHECK(variants.pdot[i][lane] == pdot[i][lane]);
  }
}
