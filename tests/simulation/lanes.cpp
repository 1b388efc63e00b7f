#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>

#include "arthron/simulation/lane_run.hpp"
#include "support/loaded.hpp"
#include "support/random_model.hpp"
#include "support/repository.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// The `number`-th variant of a model: other masses, springs and gravity.
Model variant_of(Model model, int number) {
  const double factor = 1 + 0.03 * number;
  for (Body& body : model.bodies) {
    body.mass *= factor;
    for (double* moment : {&body.inertia.xx, &body.inertia.yy, &body.inertia.zz, &body.inertia.xy, &body.inertia.xz, &body.inertia.yz})
      *moment *= factor;
  }
  for (Joint& joint : model.joints)
    for (std::vector<double>* rates : {&joint.stiffness, &joint.damping, &joint.initial_velocity})
      for (double& rate : *rates) rate *= factor;
  model.gravity.z *= 2 - factor;
  return model;
}

/// Simulations, their columns and what they wrote.
struct Fleet {
  std::vector<std::unique_ptr<Simulation>> simulations;
  std::vector<std::unique_ptr<ChannelSet>> channels;
  std::vector<std::vector<double>> values;  // all rows of a variant, one behind the other

  void add(Model model, const std::vector<ChannelRequest>& requests = {}) {
    simulations.push_back(std::make_unique<Simulation>(std::make_shared<const Model>(std::move(model))));
    channels.push_back(std::make_unique<ChannelSet>(simulations.back()->plan(), requests));
    values.emplace_back();
  }
  [[nodiscard]] std::string reason() const {
    std::vector<const Simulation*> list;
    for (const auto& simulation : simulations) list.push_back(simulation.get());
    return lanes_apply(list);
  }
  RunObserver observer(std::size_t i) {
    return {.row = [this, i](double t, std::span<const double> row) {
      values[i].push_back(t);
      values[i].insert(values[i].end(), row.begin(), row.end());
    }};
  }
  std::vector<RunSummary> together() {
    std::vector<LaneVariant> variants;
    for (std::size_t i = 0; i < simulations.size(); ++i) variants.push_back({simulations[i].get(), channels[i].get(), observer(i)});
    return run_on_lanes(variants);
  }
  std::vector<RunSummary> one_by_one() {
    std::vector<RunSummary> summaries;
    for (std::size_t i = 0; i < simulations.size(); ++i) summaries.push_back(run(*simulations[i], *channels[i], observer(i)));
    return summaries;
  }
};

/// Largest difference of two lists, relative to the largest number of the second.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double apart = 0, size = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= apart)) apart = std::abs(a[i] - b[i]);
    size = std::max(size, std::abs(b[i]));
  }
  return apart / size;
}

bool all_keep_momenta(const Model& model, int variants) {
  Fleet all;
  for (int i = 0; i < variants; ++i) all.add(variant_of(model, i));
  return std::all_of(all.simulations.begin(), all.simulations.end(), [](const auto& one) { return one->formulation() == "hdca"; });
}

/// What is known as soon as velocities are, or what takes forces.
enum class Columns { motion, forces };

/// Largest difference of two lists of rows, relative to the largest number of the second, or to one: of forces and accelerations to the
/// largest that has the same unit.
double difference(const std::vector<double>& a, const std::vector<double>& b, const std::vector<ChannelColumn>& columns, Columns of) {
  REQUIRE(a.size() == b.size());
  std::map<std::string, double> apart, size;
  const std::size_t width = columns.size() + 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i % width == 0) continue;
    std::string unit = columns[i % width - 1].unit;
    const bool is_force = unit == "N" || unit == "N m" || unit == "m/s^2" || unit == "rad/s^2";
    if (is_force != (of == Columns::forces)) continue;
    if (!is_force) unit = "";
    if (std::isfinite(a[i]) != std::isfinite(b[i])) return std::numeric_limits<double>::infinity();
    if (!std::isfinite(b[i])) continue;
    size[unit] = std::max({size[unit], std::abs(b[i]), 1.0});
    apart[unit] = std::max(apart[unit], std::abs(a[i] - b[i]));
  }
  double worst = 0;
  for (const auto& [unit, most] : apart) worst = std::max(worst, most / size[unit]);
  return worst;
}

void check_equal_runs(const Model& model, int variants, double tolerance) {
  Fleet lanes, alone;
  const std::vector<ChannelRequest> everything{{"*", "", ""}};
  for (int i = 0; i < variants; ++i) lanes.add(variant_of(model, i), everything), alone.add(variant_of(model, i), everything);
  REQUIRE(lanes.reason() == "");
  const std::vector<RunSummary> together = lanes.together(), apart = alone.one_by_one();
  REQUIRE(together.size() == apart.size());
  for (std::size_t i = 0; i < together.size(); ++i) {
    CAPTURE(i);
    CHECK(together[i].status.ok());
    CHECK(together[i].message == apart[i].message);
    CHECK(together[i].rows == apart[i].rows);
    CHECK(together[i].simulated == apart[i].simulated);
    CHECK(together[i].statistics.accepted == apart[i].statistics.accepted);
    CHECK(together[i].statistics.evaluations == apart[i].statistics.evaluations);
    CHECK(together[i].loop_opening <= 2 * apart[i].loop_opening + 1e-14);
    const std::vector<ChannelColumn>& columns = alone.channels[i]->columns();
    CHECK(difference(lanes.values[i], alone.values[i], columns, Columns::motion) < tolerance);
    // Stiff contacts and dampers make forces of rounding.
    CHECK(difference(lanes.values[i], alone.values[i], columns, Columns::forces) < 10 * tolerance);
  }
}

constexpr auto swing = R"json({
  "arthron": 1, "name": "swing",
  "bodies": { "rod": { "mass": 2, "com": [0, 0, -0.5], "inertia": [0.1, 0.1, 0.1] },
              "tip": { "mass": 1, "com": [0, 0, -1.5], "inertia": [0.1, 0.1, 0.1] } },
  "joints": { "hinge": { "type": "revolute", "parent": "ground", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0],
                         "spring": { "stiffness": 1, "damping": 0.1 }, "initial": { "position": 1 } },
              "ball": { "type": "spherical", "parent": "rod", "child": "tip", "at": [0, 0, -1], "initial": { "velocity": [1, 2, 3] } } },
  "simulate": { "until": 0.5, "integrator": { "type": "rk4", "step": 0.01 }, "output": { "step": 0.02 } } })json";

Model swing_with(double stiffness) {
  Model model = parse_model(swing, "swing.json", builtins());
  model.joints[0].stiffness = {stiffness};
  return model;
}

}  // namespace

TEST_CASE("every example that lanes can do runs there as it does alone") {
  int done = 0;
  for (const std::string& file : model_files({"examples"})) {
    CAPTURE(file);
    Model model = load_model(file, builtins());
    model.simulation.until = 0.05, model.simulation.output_step = 0.01;
    model.simulation.integrator.type = "rk4", model.simulation.integrator.step = 5e-4;
    const Simulation simulation(std::make_shared<const Model>(model));
    if (!lanes_apply({&simulation}).empty()) continue;
    check_equal_runs(model, lane_count, 1e-10);
    ++done;
  }
  CHECK(done >= 6);
}

TEST_CASE("adaptive methods take common steps: every example ends where it ends alone, within the tolerance") {
  int done = 0;
  for (const std::string& file : model_files({"examples"})) {
    CAPTURE(file);
    Model model = load_model(file, builtins());
    model.simulation.until = 0.05, model.simulation.output_step = 0.01;
    for (const char* method : {"dopri5", "bs32", "dopri8"}) {
      CAPTURE(method);
      model.simulation.integrator.type = method;
      model.simulation.integrator.relative_tolerance = model.simulation.integrator.absolute_tolerance = 1e-9;
      const Simulation simulation(std::make_shared<const Model>(model));
      if (!lanes_apply({&simulation}).empty()) continue;
      Fleet lanes, alone;
      for (int i = 0; i < lane_count; ++i) lanes.add(variant_of(model, i)), alone.add(variant_of(model, i));
      REQUIRE(lanes.reason() == "");
      const std::vector<RunSummary> together = lanes.together(), apart = alone.one_by_one();
      for (std::size_t i = 0; i < together.size(); ++i) {
        CAPTURE(i);
        CHECK(together[i].status.ok());
        CHECK(together[i].rows == apart[i].rows);
        CHECK(together[i].loop_opening <= 2 * apart[i].loop_opening + 1e-14);
        CHECK(difference(lanes.values[i], alone.values[i]) < 1e-6);
      }
      ++done;
    }
  }
  CHECK(done >= 20);
}

TEST_CASE("random trees over all joint and force types run on lanes as they do alone, with rows between steps") {
  unsigned compared = 0;
  for (unsigned seed = 1; compared < 10; ++seed) {
    CAPTURE(seed);
    Model model = parse_model(RandomModel(builtins(), seed).tree(6).dump(), "random.json", builtins());
    model.simulation.until = 0.02, model.simulation.output_step = 0.0035;
    model.simulation.integrator.type = seed % 2 ? "rk4" : "rk2", model.simulation.integrator.step = 1e-3;
    // Lanes have no velocities for a state.
    if (!all_keep_momenta(model, lane_count + 1)) continue;
    ++compared;
    REQUIRE(seed < 60);
    check_equal_runs(model, lane_count + 1, 1e-9);
  }
}

TEST_CASE("a variant that fails on lanes ends alone, and no other notices") {
  // A spring of 1e9 N m/rad is beyond what steps of 10 ms can follow.
  Fleet sound, broken;
  for (const double stiffness : {1.0, 2.0, 3.0}) sound.add(swing_with(stiffness));
  for (const double stiffness : {1.0, 1e9, 3.0}) broken.add(swing_with(stiffness));
  const std::vector<RunSummary> good = sound.together(), bad = broken.together();
  CHECK(!bad[1].status.ok());
  CHECK(bad[1].message != "");
  CHECK(bad[1].rows < good[1].rows);
  CHECK(std::isfinite(broken.simulations[1]->state().q[0]));
  for (const std::size_t i : {0u, 2u}) {
    CHECK(bad[i].status.ok());
    CHECK(broken.values[i] == sound.values[i]);
  }
  // It ends where it ends alone.
  Fleet alone;
  alone.add(swing_with(1e9));
  const RunSummary lonely = alone.one_by_one()[0];
  CHECK(bad[1].status.code == lonely.status.code);
  CHECK(bad[1].message == lonely.message);
  CHECK(bad[1].simulated == lonely.simulated);
  CHECK(bad[1].rows == lonely.rows);
  CHECK(bad[1].statistics.rejected == lonely.statistics.rejected);
}

TEST_CASE("a watcher ends its own variant on lanes") {
  Fleet fleet;
  for (const double stiffness : {1.0, 2.0}) fleet.add(swing_with(stiffness));
  std::vector<LaneVariant> variants;
  for (std::size_t i = 0; i < 2; ++i) variants.push_back({fleet.simulations[i].get(), fleet.channels[i].get(), fleet.observer(i)});
  int steps = 0;
  variants[0].observer.proceed = [&](double) { return ++steps < 10; };
  const std::vector<RunSummary> summaries = run_on_lanes(variants);
  CHECK(summaries[0].status.code == Status::Code::interrupted);
  CHECK(summaries[0].simulated == doctest::Approx(0.1));
  CHECK(summaries[1].status.ok());
  CHECK(summaries[1].simulated == 0.5);
}

TEST_CASE("a simulation goes on alone from where lanes have brought it, and from its checkpoint") {
  Fleet fleet;
  fleet.add(swing_with(1)), fleet.add(swing_with(2));
  std::vector<LaneVariant> variants;
  Checkpoint saved;
  for (std::size_t i = 0; i < 2; ++i) variants.push_back({fleet.simulations[i].get(), fleet.channels[i].get(), {}});
  variants[1].observer.checkpoint = [&](Checkpoint checkpoint) { saved = std::move(checkpoint); };
  for (const RunSummary& summary : run_on_lanes(variants)) REQUIRE(summary.status.ok());
  Simulation resumed(std::make_shared<const Model>(swing_with(2)));
  REQUIRE(resumed.resume(saved).status.ok());
  CHECK(resumed.state().t == 0.5);
  CHECK(resumed.state().q == fleet.simulations[1]->state().q);
  REQUIRE(resumed.advance_to(0.6).ok());
  REQUIRE(fleet.simulations[1]->advance_to(0.6).ok());
  CHECK(resumed.state().q == fleet.simulations[1]->state().q);
}

TEST_CASE("lanes say why they do not apply") {
  const auto reason = [](const Model& a, const Model& b) {
    Fleet fleet;
    fleet.add(a), fleet.add(b);
    return fleet.reason();
  };
  const Model model = swing_with(1);
  Model adaptive = model, implicit = model, longer = model, other = model;
  adaptive.simulation.integrator.type = "dopri5";
  longer.simulation.until = 1;
  other.joints[1] = model.joints[0];
  other.joints[1].path = "ball", other.joints[1].parent = model.joints[1].parent, other.joints[1].child = model.joints[1].child;
  CHECK(reason(model, model) == "");
  implicit.simulation.integrator.type = "gauss4";
  CHECK(reason(adaptive, adaptive) == "");
  CHECK(reason(implicit, implicit) == "the method is gauss4, and lanes know explicit Runge-Kutta methods");
  CHECK(reason(model, longer) == "the variants differ in end: 0.5 and 1");
  CHECK(reason(model, other) == "the variants differ in their topology: joint ball of type spherical and revolute");
  Model loop = load_model(ARTHRON_SOURCE_DIR "/examples/loop4/loop4.json", builtins());
  loop.simulation.integrator.type = "rk4";
  CHECK(reason(loop, loop) == "");
  for (Joint& joint : loop.joints) joint.stiffness.assign(static_cast<std::size_t>(joint.definition->type().nu()), 1);
  CHECK(reason(loop, loop) == "");
  Fleet refused;
  refused.add(model), refused.add(longer);
  CHECK_THROWS_AS((void)refused.together(), ModelError);
}
