#include <doctest/doctest.h>

#include <limits>

#include "arthron/simulation/run.hpp"
#include "support/loaded.hpp"
#include "support/repository.hpp"

/// Source of truth: the same simulation without a break, bit for bit.
using namespace arthron;

namespace {

/// Every file of the repository that runs alone.
std::vector<std::string> all_models() {
  std::vector<std::string> files = test::model_files({"examples", "subsystems"});
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() > 40);
  return files;
}

std::vector<std::string> methods() {
  std::vector<std::string> names;
  for (const IntegratorType& type : integrator_types()) names.emplace_back(type.name);
  return names;
}

/// Rows at multiples of a step that no integrator step falls on.
std::shared_ptr<const Model> model_of(const std::string& file, const std::string& method, double until = 0.0613) {
  Model model = load_model(file, test::builtins());
  model.simulation.integrator.type = method;
  model.simulation.integrator.step = std::min(model.simulation.integrator.step, 5e-4);  // stable on the stiffest model
  model.simulation.until = until;
  model.simulation.output_step = 0.0073;
  return std::make_shared<const Model>(std::move(model));
}

constexpr std::int64_t enough_steps = 20000;

/// Loops, tyres, contacts, quaternions, drives and moving grounds.
const std::vector<std::string> many_sided = {
    ARTHRON_SOURCE_DIR "/examples/vehicle/bump.json", ARTHRON_SOURCE_DIR "/examples/rssr/rssr.json",
    ARTHRON_SOURCE_DIR "/examples/quadruped_walk/quadruped_walk.json", ARTHRON_SOURCE_DIR "/examples/tumbling/tumbling.json",
    ARTHRON_SOURCE_DIR "/subsystems/rigs/corner_rig.json"};

struct Recorded {
  std::vector<std::vector<double>> rows;
  RunSummary summary;
  State state;

  std::string checkpoint;  // the first

  RunObserver observer(double every = std::numeric_limits<double>::infinity()) {
    RunObserver observer;
    observer.row = [this](double t, std::span<const double> values) {
      rows.emplace_back(values.begin(), values.end());
      rows.back().push_back(t);
    };
    observer.checkpoint = [this](const Checkpoint& saved) {
      if (checkpoint.empty()) checkpoint = to_text(saved);
    };
    observer.checkpoint_every = every;
    return observer;
  }
};

/// Everything there is to see, joints of loops and orientations among them.
const std::vector<std::string> everything = {"*"};

ChannelSet channels_of(const Simulation& simulation, const std::vector<std::string>& paths) {
  std::vector<ChannelRequest> requests;
  for (const std::string& path : paths) requests.push_back({path, "", ""});
  return {simulation.plan(), requests};
}

Recorded recorded(const std::shared_ptr<const Model>& model, double checkpoint_every = std::numeric_limits<double>::infinity(),
                  const std::function<bool(double)>& proceed = {}, std::int64_t max_steps = enough_steps,
                  const std::vector<std::string>& paths = everything) {
  Recorded result;
  Simulation simulation(model, max_steps);
  ChannelSet channels = channels_of(simulation, paths);
  RunObserver observer = result.observer(checkpoint_every);
  observer.proceed = proceed;
  result.summary = run(simulation, channels, observer);
  result.state = simulation.state();
  return result;
}

Recorded resumed(const std::shared_ptr<const Model>& model, const std::string& text, const std::vector<std::string>& paths = everything) {
  const Checkpoint checkpoint = parse_checkpoint(text, "checkpoint.json");
  Recorded result;
  Simulation simulation(model, enough_steps);
  ChannelSet channels = channels_of(simulation, paths);
  const Resumption resumption = simulation.resume(checkpoint);
  REQUIRE(resumption.status.ok());
  CHECK(resumption.exact);
  result.summary = go_on(simulation, channels, result.observer(), *checkpoint.run);
  REQUIRE(result.summary.status.ok());
  result.state = simulation.state();
  return result;
}

void check_motion(const Recorded& whole, const Recorded& resumed) {
  CHECK(whole.state.t == resumed.state.t);
  CHECK(whole.state.q == resumed.state.q);
  CHECK(whole.state.p == resumed.state.p);
  CHECK(whole.summary.rows == resumed.summary.rows);
  CHECK(whole.summary.statistics.accepted == resumed.summary.statistics.accepted);
  CHECK(whole.summary.statistics.rejected == resumed.summary.statistics.rejected);
  REQUIRE(whole.rows.size() >= resumed.rows.size());
  REQUIRE(!resumed.rows.empty());
  std::size_t differ = 0;
  for (std::size_t r = 0; r < resumed.rows.size(); ++r)
    differ += whole.rows[whole.rows.size() - resumed.rows.size() + r] != resumed.rows[r];
  CHECK(differ == 0);
}

void check_equal(const Recorded& whole, const Recorded& resumed) {
  check_motion(whole, resumed);
  CHECK(whole.summary.statistics.evaluations == resumed.summary.statistics.evaluations);
  CHECK(whole.summary.energy_start == resumed.summary.energy_start);
  CHECK(whole.summary.energy_end == resumed.summary.energy_end);
  CHECK(whole.summary.energy_drift == resumed.summary.energy_drift);
  CHECK(whole.summary.constraint_error == resumed.summary.constraint_error);
  CHECK(whole.summary.loop_opening == resumed.summary.loop_opening);
  CHECK(whole.summary.loop_opening_rate == resumed.summary.loop_opening_rate);
}

}  // namespace

TEST_CASE("every model of the repository goes on bit for bit from a checkpoint, with every method") {
  for (const std::string& file : all_models())
    for (const std::string& method : methods()) {
      CAPTURE(file);
      CAPTURE(method);
      const auto model = model_of(file, method);
      const Recorded whole = recorded(model, 0.03);
      REQUIRE(whole.summary.status.ok());
      check_equal(whole, resumed(model, whole.checkpoint));
    }
}

TEST_CASE("a run that has ended goes on to a later end as if it had not ended") {
  for (const std::string& file : many_sided)
    for (const std::string method : {"rk2", "rk4", "bs32", "dopri5", "rkf78", "implicit_midpoint", "gauss4"}) {
      CAPTURE(file);
      CAPTURE(method);
      const auto later = model_of(file, method);
      // The last row before the break ends a shorter step: it is another one, and coordinates of cut joints, which are followed from row to
      // row, may differ in their last digit from there on.
      const std::vector<std::string> paths = {"energy", "*.orientation", "*.angular_velocity"};
      const Recorded before = recorded(model_of(file, method, 5 * 0.0073), 1e9, {}, enough_steps, paths);
      check_motion(recorded(later, 1e9, {}, enough_steps, paths), resumed(later, before.checkpoint, paths));
    }
}

TEST_CASE("a run that is interrupted after any step goes on as if it had not been") {
  for (const std::string& file : many_sided)
    for (const std::string method : {"rk4", "dopri5", "rkf78", "gauss4"}) {
      CAPTURE(file);
      CAPTURE(method);
      const auto model = model_of(file, method);
      const Recorded whole = recorded(model);
      for (int last_step = 1; last_step < 24; last_step += 4) {
        CAPTURE(last_step);
        int step = 0;
        const Recorded broken = recorded(model, 1e9, [&](double) { return ++step < last_step; });
        REQUIRE(broken.summary.status.code == (step < last_step ? Status::Code::ok : Status::Code::interrupted));
        if (step == last_step) check_equal(whole, resumed(model, broken.checkpoint));
      }
    }
}

TEST_CASE("a run that has used up its steps goes on from its last good state") {
  const auto model = model_of(many_sided.front(), "dopri5");
  const Recorded whole = recorded(model);
  const std::int64_t enough = whole.summary.statistics.accepted + whole.summary.statistics.rejected;
  const Recorded broken = recorded(model, 1e9, {}, enough / 2);
  REQUIRE(broken.summary.status.code == Status::Code::too_many_steps);
  check_equal(whole, resumed(model, broken.checkpoint));
}

TEST_CASE("where one looks does not change the motion") {
  for (const std::string& file : many_sided) {
    CAPTURE(file);
    const auto model = model_of(file, "dopri5");
    Simulation watched(model), unwatched(model);
    REQUIRE(watched.start().ok());
    REQUIRE(unwatched.start().ok());
    Checkpoint none;
    for (int i = 1; i <= 20; ++i) {
      REQUIRE(watched.advance_to(0.00217 * i).ok());
      REQUIRE(watched.observe(true).ok());
      REQUIRE(watched.save(none).ok());
    }
    REQUIRE(watched.advance_to(0.0613).ok());
    REQUIRE(unwatched.advance_to(0.0613).ok());
    CHECK(watched.state().q == unwatched.state().q);
    CHECK(watched.state().p == unwatched.state().p);
  }
}

TEST_CASE("a changed model goes on from the saved state with a new start of the method") {
  Model changed = load_model(many_sided.front(), test::builtins(), {{"car.front.wheel_damping", 2000}});
  changed.simulation = model_of(many_sided.front(), "dopri5")->simulation;
  const Checkpoint checkpoint = parse_checkpoint(recorded(model_of(many_sided.front(), "dopri5"), 0.03).checkpoint, "checkpoint.json");
  Simulation simulation(std::make_shared<const Model>(std::move(changed)));
  const Resumption resumption = simulation.resume(checkpoint);
  REQUIRE(resumption.status.ok());
  CHECK_FALSE(resumption.exact);
  Checkpoint taken_over;
  REQUIRE(simulation.save(taken_over).ok());
  CHECK(taken_over.t == checkpoint.t);
  for (std::size_t j = 0; j < checkpoint.joints.size(); ++j) {
    CHECK(taken_over.joints[j].momentum == checkpoint.joints[j].momentum);
    CHECK(taken_over.joints[j].coordinates == checkpoint.joints[j].coordinates);
  }
  CHECK(simulation.advance_to(0.05).ok());
}

TEST_CASE("another method takes over the saved state") {
  const std::string text = recorded(model_of(many_sided[1], "dopri5"), 0.03).checkpoint;
  Simulation simulation(model_of(many_sided[1], "bs32"));
  const Resumption resumption = simulation.resume(parse_checkpoint(text, "checkpoint.json"));
  REQUIRE(resumption.status.ok());
  CHECK_FALSE(resumption.exact);
  CHECK(simulation.advance_to(0.05).ok());
}

TEST_CASE("a checkpoint's text reads back as the same text") {
  for (const std::string method : {"dopri5", "rk4", "adams"}) {
    const std::string text = recorded(model_of(many_sided.front(), method), 0.03).checkpoint;
    CHECK(to_text(parse_checkpoint(text, "checkpoint.json")) == text);
  }
}

TEST_CASE("inputs that a program sets are part of a checkpoint, those it has just set too") {
  const std::string vehicle = ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json";
  const auto steer = [](Simulation& simulation, int from, int to) {
    const Input wheel = simulation.input("steering_wheel");
    for (int i = from; i < to; ++i) {
      if (i % 2 == 0) wheel.set(0.01 * i, i % 3);
      REQUIRE(simulation.advance_to(0.0041 * (i + 1)).ok());
    }
  };
  for (const std::string& method : methods())
    for (const bool just_set : {false, true}) {
      CAPTURE(method);
      CAPTURE(just_set);
      const auto model = model_of(vehicle, method);
      Simulation whole(model), later(model);
      REQUIRE(whole.start().ok());
      steer(whole, 0, 8);
      if (just_set) whole.input("steering_wheel").set(0.3);
      Checkpoint checkpoint;
      REQUIRE(whole.save(checkpoint).ok());
      const Resumption resumption = later.resume(parse_checkpoint(to_text(checkpoint), "checkpoint.json"));
      REQUIRE(resumption.status.ok());
      CHECK(resumption.exact);
      for (Simulation* simulation : {&whole, &later}) {
        REQUIRE(simulation->advance_to(0.035).ok());
        steer(*simulation, 9, 14);
      }
      CHECK(whole.state().q == later.state().q);
      CHECK(whole.state().p == later.state().p);
    }
}

TEST_CASE("a checkpoint with an input that the model does not have is refused with the nearest one") {
  const auto model = model_of(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", "rk4");
  Simulation simulation(model);
  REQUIRE(simulation.start().ok());
  simulation.input("steering_wheel").set(0.1);
  Checkpoint checkpoint;
  REQUIRE(simulation.save(checkpoint).ok());
  checkpoint.inputs->front().path = "steering_weel";
  CHECK_THROWS_WITH_AS(static_cast<void>(simulation.resume(parse_checkpoint(to_text(checkpoint), "checkpoint.json"))),
                       doctest::Contains("found \"steering_weel\"; expected a signal input of the model; did you mean \"steering_wheel\"?"),
                       ModelError);
}
