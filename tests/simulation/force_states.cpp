#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "arthron/model/load.hpp"
#include "arthron/simulation/lane_run.hpp"
#include "support/loaded.hpp"
#include "support/random_model.hpp"
#include "support/rows.hpp"
#include "support/state_forces.hpp"

/// Simulations of forces with internal states.
using namespace arthron;
using namespace arthron::test;

namespace {

constexpr double mass = 2, stiffness = 300, damping = 20, extension = 0.05, speed = 0.4;

/// A mass on a Maxwell element, without gravity.
Json block_on_maxwell() {
  Json json{{"arthron", 1}, {"name", "maxwell"}, {"gravity", {0, 0, 0}}};
  json["bodies"]["block"] = {{"mass", mass}, {"inertia", {1, 1, 1}}};
  json["joints"]["slide"] = {{"type", "prismatic"}, {"parent", "ground"}, {"child", "block"},
                             {"at", {1, 0, 0}},     {"axis", {1, 0, 0}},  {"initial", {{"velocity", speed}}}};
  json["forces"]["element"] = {{"type", "maxwell"},      {"a", {"ground", {0, 0, 0}}}, {"b", {"block", {1, 0, 0}}},
                               {"stiffness", stiffness}, {"damping", damping},         {"extension", extension}};
  json["simulate"]["until"] = 0.5;
  json["simulate"]["output"]["step"] = 0.05;
  return json;
}

struct Solution {
  double position, velocity, extension;
};
/// m v' = -k e, e' = v - (k/c) e:   e'' + (k/c) e' + (k/m) e = 0, here with complex roots -a +- i w; the position by integration.
Solution maxwell_at(double t) {
  const double rate = stiffness / damping, square = stiffness / mass, a = rate / 2, w = std::sqrt(square - a * a);
  const double slope = speed - rate * extension, b = (slope + a * extension) / w, decay = std::exp(-a * t);
  const double e = decay * (extension * std::cos(w * t) + b * std::sin(w * t));
  const double de = decay * ((b * w - a * extension) * std::cos(w * t) - (extension * w + a * b) * std::sin(w * t));
  const double integral = -(de - slope + rate * (e - extension)) / square;
  return {e - extension + rate * integral, de + rate * e, e};
}

std::shared_ptr<const Model> model_with(const Json& json, const IntegratorSettings& integrator, const std::string& formulation = "hdca") {
  Model model = parse_model(json.dump(), "test.json", state_types());
  model.simulation.integrator = integrator, model.simulation.formulation = formulation;
  return std::make_shared<const Model>(std::move(model));
}

/// Largest error of position, velocity and extension at the end, all of them of the size of a tenth.
double maxwell_error(const IntegratorSettings& integrator, const std::string& formulation = "hdca") {
  Simulation simulation(model_with(block_on_maxwell(), integrator, formulation));
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(0.5).ok());
  const Solution expected = maxwell_at(0.5);
  const State& state = simulation.state();
  const double velocity = formulation == "hdca" ? state.p[0] / mass : state.p[0];
  return std::max(
      {std::abs(state.q[0] - expected.position), std::abs(velocity - expected.velocity), std::abs(state.x[0] - expected.extension)});
}

std::vector<std::string> methods() {
  std::vector<std::string> names;
  for (const IntegratorType& type : integrator_types()) names.emplace_back(type.name);
  return names;
}

/// Some of everything: a random tree with forces of every type.
Json random_tree(unsigned seed, int bodies) {
  Json json = RandomModel(state_types(), seed).tree(bodies);
  json["simulate"]["until"] = 0.0613;
  json["simulate"]["output"]["step"] = 0.0073;
  return json;
}

}  // namespace

TEST_CASE("a mass on a Maxwell element follows the closed form with every method and formulation") {
  for (const std::string& method : methods()) {
    CAPTURE(method);
    const double tolerance = method == "rk2" || method == "implicit_midpoint" ? 1e-5 : 1e-8;
    CHECK(maxwell_error({method, 1e-11, 1e-11, 5e-4}) < tolerance);
  }
  for (const std::string& formulation : formulation_names()) {
    CAPTURE(formulation);
    CHECK(maxwell_error({"dopri5", 1e-12, 1e-12, 1e-3}, formulation) < 1e-10);
  }
}

TEST_CASE("methods keep their order with internal states") {
  struct Case {
    std::string method;
    int order;
    double step;
  };
  for (const auto& [method, order, step] :
       {Case{"rk2", 2, 1e-3}, Case{"rk4", 4, 4e-3}, Case{"implicit_midpoint", 2, 1e-3}, Case{"gauss4", 4, 4e-3}}) {
    CAPTURE(method);
    const double coarse = maxwell_error({method, 1e-6, 1e-6, step}), fine = maxwell_error({method, 1e-6, 1e-6, step / 2});
    CHECK(std::log2(coarse / fine) == doctest::Approx(order).epsilon(0.2 / order));
  }
}

// Source of truth: energy is conserved; what the damper has taken is an internal state of its own.
TEST_CASE("stored energy of internal states and what they have dissipated balance") {
  const Rows rows = rows_of(model_with(block_on_maxwell(), {"dopri5", 1e-11, 1e-11, 1e-3}), {"energy.total", "element.dissipated"});
  REQUIRE(rows.values.size() == 11);
  const double start = mass * speed * speed / 2 + stiffness * extension * extension / 2;
  CHECK(rows.values.front()[0] == doctest::Approx(start).epsilon(1e-14));
  for (const std::vector<double>& row : rows.values) CHECK(row[0] + row[1] == doctest::Approx(start).epsilon(1e-9));
  CHECK(rows.values.back()[1] > 0.5 * start);
  CHECK_FALSE(rows.summary.conservative);
}

TEST_CASE("internal states are channels of their force, with units, and can be fed back") {
  Json json = block_on_maxwell();
  json["ports"]["measured"] = {{"signal", "output"}, {"channel", "element.extension"}};
  json["ports"]["used"] = {{"signal", "input"}, {"default", "measured"}};
  json["bodies"]["other"] = {{"mass", 1}, {"inertia", {1, 1, 1}}};
  json["joints"]["follower"] = {{"type", "prismatic"}, {"parent", "ground"}, {"child", "other"},
                                {"at", {1, 1, 0}},     {"axis", {1, 0, 0}},  {"effort", "=1000*used"}};
  Simulation simulation(model_with(json, {"rk4", 1e-6, 1e-6, 1e-3}));
  REQUIRE(simulation.start().ok());
  Channel element = simulation.channel("element"), acceleration = simulation.channel("follower.acceleration");
  REQUIRE(element.columns().size() == 3);
  CHECK(element.columns()[0].name == "element.force");
  CHECK(element.columns()[1].name == "element.extension");
  CHECK(element.columns()[1].unit == "m");
  CHECK(element.columns()[2].name == "element.dissipated");
  REQUIRE(simulation.advance_to(0.1).ok());
  REQUIRE(simulation.observe().ok());
  CHECK(element.value(1) == simulation.state().x[0]);
  CHECK(element.value(0) == doctest::Approx(stiffness * simulation.state().x[0]).epsilon(1e-14));
  CHECK(acceleration.value() == doctest::Approx(1000 * simulation.state().x[0]).epsilon(1e-12));
}

namespace {

/// Follows a signal late, in units of its own.
struct Filter {
  static constexpr std::string_view type = "filter";
  static constexpr std::array<OutputChannel, 1> states{{{"pressure", "Pa"}}};
  double unit;
  static Filter parse(const JsonReader& in) { return in.handle({"on"}), Filter{in.number({"unit"}, Range::positive())}; }
  void state_sizes(double* size) const { *size = unit; }
  void state_rates(const Instant& now, const HandleState*, const double* x, double* xdot) const {
    *xdot = 20 * (unit * std::sin(30 * now.t) - *x);
  }
  void load(const Instant&, const HandleState*, const double*, Spatial6* wrench) const { *wrench = {}; }
};

struct Sizeless {
  static constexpr std::string_view type = "sizeless";
  static constexpr std::array<OutputChannel, 1> states{{{"x", "1"}}};
  static Sizeless parse(const JsonReader& in) { return in.handle({"on"}), Sizeless{}; }
  void state_sizes(double* size) const { *size = 0; }
  void state_rates(const Instant&, const HandleState*, const double*, double* xdot) const { *xdot = 0; }
  void load(const Instant&, const HandleState*, const double*, Spatial6* wrench) const { *wrench = {}; }
};

}  // namespace

// Source of truth: a state of size 1e5 with a tolerance in units of it takes the steps that the same state takes in units of its own.
TEST_CASE("the absolute tolerance counts in units of the sizes of states") {
  Registry types = builtin_registry();
  types.add_force<Filter>();
  std::vector<std::int64_t> steps;
  for (const double unit : {1.0, 65536.0, 1e5}) {
    Json json = block_on_maxwell();
    json["forces"] = {{"filter", {{"type", "filter"}, {"on", {"block", {1, 0, 0}}}, {"unit", unit}}}};
    Model model = parse_model(json.dump(), "test.json", types);
    model.simulation.integrator = {"dopri5", 1e-6, 1e-6, 1e-3};
    Simulation simulation(std::make_shared<const Model>(std::move(model)));
    REQUIRE(simulation.start().ok());
    REQUIRE(simulation.advance_to(0.5).ok());
    steps.push_back(simulation.statistics().evaluations);
    const double w = 30, r = 20, t = 0.5, n = r * r + w * w;
    const double exact = r * (r * std::sin(w * t) - w * std::cos(w * t) + w * std::exp(-r * t)) / n;
    CHECK(simulation.state().x[0] / unit == doctest::Approx(exact).epsilon(1e-4));
  }
  CHECK(steps[1] == steps[0]);
  CHECK(std::abs(static_cast<double>(steps[2] - steps[0])) < 0.1 * static_cast<double>(steps[0]));
}

TEST_CASE("sizes of states that are none are refused with the force") {
  Registry types = builtin_registry();
  types.add_force<Sizeless>();
  Json json = block_on_maxwell();
  json["forces"] = {{"filter", {{"type", "sizeless"}, {"on", {"block", {1, 0, 0}}}}}};
  const auto model = std::make_shared<const Model>(parse_model(json.dump(), "test.json", types));
  CHECK_THROWS_WITH_AS(Simulation{model}, doctest::Contains("/forces/filter"), ModelError);
}

// Source of truth: one worker, bit for bit.
TEST_CASE("1, 2 and 8 workers give bitwise equal internal states") {
  for (const char* formulation : {"hdca", "dca"}) {
    CAPTURE(formulation);
    const auto after_a_while = [&](int threads) {
      Model model = parse_model(random_tree(5, 40).dump(), "test.json", state_types());
      model.simulation.formulation = formulation, model.simulation.threads = threads;
      model.simulation.integrator = {"rk4", 1e-6, 1e-6, 0.002};
      auto simulation = std::make_unique<Simulation>(std::make_shared<const Model>(std::move(model)), 1000000, fine_grain);
      REQUIRE(simulation->start().ok());
      REQUIRE(simulation->advance_to(0.02).ok());
      return simulation;
    };
    const auto serial = after_a_while(1);
    REQUIRE(serial->plan().parts.size() > 2);
    REQUIRE(serial->state().x.size() == 16);
    for (const int threads : {2, 8}) {
      const auto parallel = after_a_while(threads);
      CHECK(parallel->state().q == serial->state().q);
      CHECK(parallel->state().p == serial->state().p);
      CHECK(parallel->state().x == serial->state().x);
    }
  }
}

// Source of truth: every variant run alone.
TEST_CASE("runs on lanes give the internal states of every variant alone") {
  const auto variant = [](int number) {
    Json json = random_tree(4, 12);
    json["forces"]["maxwell0"]["stiffness"] = 1 + number, json["forces"]["maxwell0"]["extension"] = 0.01 * number;
    return model_with(json, {"rk4", 1e-6, 1e-6, 1e-3});
  };
  const int variants = lane_count + 1;
  std::vector<std::unique_ptr<Simulation>> together, alone;
  std::vector<std::unique_ptr<ChannelSet>> channels;
  std::vector<LaneVariant> lanes;
  for (int i = 0; i < variants; ++i) {
    together.push_back(std::make_unique<Simulation>(variant(i))), alone.push_back(std::make_unique<Simulation>(variant(i)));
    channels.push_back(std::make_unique<ChannelSet>(together.back()->plan(), std::vector<ChannelRequest>{}));
    lanes.push_back({together.back().get(), channels.back().get(), {}});
  }
  for (const RunSummary& summary : run_on_lanes(lanes)) REQUIRE(summary.status.ok());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    CAPTURE(i);
    REQUIRE(alone[i]->start().ok());
    REQUIRE(alone[i]->advance_to(0.0613).ok());
    const State &a = together[i]->state(), &b = alone[i]->state();
    REQUIRE(a.x.size() == 16);
    for (std::size_t k = 0; k < a.x.size(); ++k) CHECK(a.x[k] == doctest::Approx(b.x[k]).epsilon(1e-11));
    for (std::size_t k = 0; k < a.p.size(); ++k) CHECK(a.p[k] == doctest::Approx(b.p[k]).epsilon(1e-10));
  }
}

// Source of truth: conservation of energy, and a tight Dormand-Prince run.
TEST_CASE("symplectic methods keep the energy of a conservative force with internal states, in closed loops too") {
  std::ifstream file(ARTHRON_SOURCE_DIR "/examples/fourbar_ladder/fourbar_ladder.json");
  Json json = Json::parse(file);
  const auto body = json["bodies"].begin().key();
  json["forces"]["absorber"] = {
      {"type", "absorber"}, {"a", {"ground", {0.3, -1.2, 0.4}}}, {"b", {body, {0, 0, 0}}}, {"stiffness", 20}, {"mass", 0.5}};
  json["simulate"]["until"] = 1, json["simulate"]["output"]["step"] = 0.05;
  for (const char* method : {"implicit_midpoint", "gauss4"}) {
    CAPTURE(method);
    const Rows rows = rows_of(model_with(json, {method, 1e-10, 1e-10, 1e-3}), {"absorber.place", "absorber.speed"});
    const Rows tight = rows_of(model_with(json, {"dopri5", 1e-11, 1e-11, 1e-3}), {"absorber.place", "absorber.speed"});
    CHECK(rows.summary.conservative);
    REQUIRE(rows.summary.loops > 0);
    const bool fourth = std::string(method) == "gauss4";
    CHECK(rows.summary.energy_drift < (fourth ? 1e-8 : 1e-3));
    for (std::size_t r = 0; r < rows.values.size(); ++r)
      for (std::size_t c = 0; c < 2; ++c) CHECK(std::abs(rows.values[r][c] - tight.values[r][c]) < (fourth ? 1e-7 : 1e-3));
  }
}

namespace {

/// A block with a force that fails at 0.2 s.
std::shared_ptr<const Model> faulty_model(const char* method, const std::string& formulation, const char* where, const char* kind,
                                          const char* on = "block") {
  static const Registry types = [] {
    Registry all = state_types();
    all.add_force<Faulty>();
    return all;
  }();
  Json json = block_on_maxwell();
  json["forces"]["bad"] = {{"type", "faulty"}, {"on", {on, {1, 0, 0}}}, {"until", 0.2}, {"where", where}, {"kind", kind}};
  Model model = parse_model(json.dump(), "test.json", types);
  model.simulation.integrator = {method, 1e-6, 1e-6, 1e-3}, model.simulation.formulation = formulation;
  return std::make_shared<const Model>(std::move(model));
}

void check_named(const RunSummary& summary, const std::vector<std::vector<double>>& rows) {
  CHECK(summary.status.code == Status::Code::not_finite);
  CHECK(summary.message.find("force \"bad\" ceases to be finite at t = ") == 0);
  REQUIRE(rows.size() >= 3);
  for (const std::vector<double>& row : rows)
    for (const double value : row) CHECK(std::isfinite(value));
}

}  // namespace

TEST_CASE("a load or a rate that is not finite ends a run with the force's name, and no row shows it") {
  for (const char* where : {"load", "rate"})
    for (const char* kind : {"nan", "infinity"}) {
      CAPTURE(where);
      CAPTURE(kind);
      const auto run_it = [&](const std::shared_ptr<const Model>& model) {
        Simulation simulation(model, 100000);
        ChannelSet channels(simulation.plan(), {{"*", "", ""}});
        std::vector<std::vector<double>> rows;
        const RunSummary summary =
            run(simulation, channels, {[&](double, std::span<const double> row) { rows.emplace_back(row.begin(), row.end()); }, {}});
        check_named(summary, rows);
      };
      for (const std::string& method : methods()) {
        CAPTURE(method);
        run_it(faulty_model(method.c_str(), "hdca", where, kind));
      }
      for (const std::string& formulation : formulation_names()) {
        CAPTURE(formulation);
        run_it(faulty_model("rk4", formulation, where, kind));
      }
      run_it(faulty_model("rk4", "hdca", where, kind, "ground"));
    }
}

TEST_CASE("on lanes a force that is not finite is named, in every variant that has one") {
  Simulation bad(faulty_model("rk4", "hdca", "rate", "nan")), worse(faulty_model("rk4", "hdca", "load", "infinity"));
  std::vector<ChannelSet> channels;
  for (const Simulation* simulation : {&bad, &worse}) channels.emplace_back(simulation->plan(), std::vector<ChannelRequest>{});
  const std::vector<RunSummary> summaries = run_on_lanes({{&bad, &channels[0], {}}, {&worse, &channels[1], {}}});
  for (const RunSummary& summary : summaries) {
    CHECK(summary.status.code == Status::Code::not_finite);
    CHECK(summary.message.find("force \"bad\" ceases to be finite at t = ") == 0);
  }
}
