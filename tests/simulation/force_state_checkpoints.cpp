#include <doctest/doctest.h>

#include <fstream>

#include "arthron/model/load.hpp"
#include "arthron/simulation/run.hpp"
#include "support/random_model.hpp"
#include "support/state_forces.hpp"

/// Internal states of forces in checkpoints. Source of truth: the same simulation without a break, bit for bit.
using namespace arthron;
using namespace arthron::test;

namespace {

/// A spatial loop with a Maxwell element, an absorber and a wake.
Json looped() {
  std::ifstream file(ARTHRON_SOURCE_DIR "/examples/rssr/rssr.json");
  Json json = Json::parse(file);
  RandomModel random(state_types(), 7);
  const std::string first = json["bodies"].begin().key();
  for (const char* type : {"maxwell", "absorber", "wake"}) {
    Json keys = random.keys_of(*state_types().force(type), 1);
    for (auto& [name, value] : keys.items()) {
      if (name == "points")
        value = Json::parse(R"([["NAME", [0.1, 0.2, 0.3]], ["NAME", [0.3, 0.2, 0.1]]])"), value[0][0] = value[1][0] = first;
      if (name == "a") value = {"ground", {0.5, 0.4, 1.3}};
      if (name == "b") value = {first, {0.1, 0.2, 0.3}};
    }
    json["forces"][type] = keys;
  }
  json["simulate"]["until"] = 0.0613, json["simulate"]["output"]["step"] = 0.0073;
  return json;
}

std::shared_ptr<const Model> model_with(const Json& json, const std::string& method) {
  Model model = parse_model(json.dump(), ARTHRON_SOURCE_DIR "/examples/rssr/test.json", state_types());
  model.simulation.integrator.type = method, model.simulation.integrator.step = 5e-4;
  return std::make_shared<const Model>(std::move(model));
}

std::string checkpoint_at(Simulation& simulation, double t) {
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(t).ok());
  Checkpoint checkpoint;
  REQUIRE(simulation.save(checkpoint).ok());
  return to_text(checkpoint);
}

std::string mistake_of(Simulation& simulation, const std::string& text) {
  try {
    (void)simulation.resume(parse_checkpoint(text, "state.json"));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("resuming with internal states goes on bit for bit, with every method") {
  for (const IntegratorType& type : integrator_types()) {
    CAPTURE(type.name);
    const auto model = model_with(looped(), std::string(type.name));
    Simulation whole(model), later(model);
    const std::string text = checkpoint_at(whole, 0.0237);
    const Resumption resumption = later.resume(parse_checkpoint(text, "state.json"));
    REQUIRE(resumption.status.ok());
    CHECK(resumption.exact);
    CHECK(later.state().x == whole.state().x);
    REQUIRE(whole.advance_to(0.0613).ok());
    REQUIRE(later.advance_to(0.0613).ok());
    CHECK(later.state().q == whole.state().q);
    CHECK(later.state().p == whole.state().p);
    REQUIRE(later.state().x.size() == 7);
    CHECK(later.state().x == whole.state().x);
  }
}

TEST_CASE("another method, formulation or cut takes internal states over as they are") {
  Simulation first(model_with(looped(), "rk4"));
  const std::string text = checkpoint_at(first, 0.0237);
  Json json = looped();
  json["simulate"]["formulation"] = "slm";
  for (const auto& model : {model_with(looped(), "dopri5"), model_with(json, "rk4")}) {
    Simulation other(model);
    const Resumption resumption = other.resume(parse_checkpoint(text, "state.json"));
    REQUIRE(resumption.status.ok());
    CHECK_FALSE(resumption.exact);
    CHECK(other.state().x == first.state().x);
  }
}

TEST_CASE("checkpoints whose internal states do not fit are refused with the force's name") {
  Simulation simulation(model_with(looped(), "rk4"));
  const std::string text = checkpoint_at(simulation, 0.01);
  const auto changed = [&](const auto& change) {
    Json json = Json::parse(text);
    change(json);
    return mistake_of(simulation, json.dump());
  };
  CHECK(mistake_of(simulation, text) == "");
  CHECK(changed([](Json& json) { json["forces"]["wake"]["type"] = "maxwell"; }).find("/forces/wake/type") != std::string::npos);
  CHECK(changed([](Json& json) {
          json["forces"]["wake"]["states"] = {1, 2};
        }).find("found 2 numbers; expected 3, as force \"wake\" has") != std::string::npos);
  CHECK(changed([](Json& json) { json["forces"].erase("wake"); }).find("found no internal states of force \"wake\"") != std::string::npos);
  CHECK(changed([](Json& json) { json["forces"]["wakes"] = json["forces"]["wake"]; }).find("/forces/wakes") != std::string::npos);
  CHECK(changed([](Json& json) { json["integrator"]["step"]["state"].erase(0); }).find("/integrator/step/state") != std::string::npos);

  // As programs wrote them that knew no internal states.
  const auto old = [](Json& json) { json["arthron_checkpoint"] = 1, json.erase("forces"); };
  CHECK(changed(old).find("found no internal states of force \"maxwell\"") != std::string::npos);
  Json stateless = looped();
  stateless.erase("forces");
  Simulation without(model_with(stateless, "rk4"));
  Json json = Json::parse(checkpoint_at(without, 0.01));
  CHECK_FALSE(json.contains("forces"));
  json["arthron_checkpoint"] = 1;
  const Resumption resumption = without.resume(parse_checkpoint(json.dump(), "state.json"));
  CHECK(resumption.exact);
}

TEST_CASE("a subsystem's internal states move into another model") {
  const auto model = [](double x) {
    Json part{{"bodies", {{"block", {{"mass", 2}, {"inertia", {1, 1, 1}}}}}}};
    part["joints"]["slide"] = {{"type", "prismatic"}, {"parent", "ground"}, {"child", "block"}, {"at", {1, 0, 0}}, {"axis", {1, 0, 0}}};
    part["forces"]["element"] = {
        {"type", "maxwell"}, {"a", {"ground", {0, 0, 0}}}, {"b", {"block", {1, 0, 0}}}, {"stiffness", 100}, {"damping", 5},
        {"extension", x}};
    Json json{{"arthron", 1}, {"name", "two"}};
    json["subsystems"]["left"]["use"] = part, json["subsystems"]["right"]["use"] = part;
    return std::make_shared<const Model>(parse_model(json.dump(), "test.json", state_types()));
  };
  Simulation first(model(0.1)), second(model(0.3));
  REQUIRE(first.start().ok());
  REQUIRE(first.advance_to(0.1).ok());
  Checkpoint part;
  REQUIRE(first.save("left", part).ok());
  REQUIRE(part.forces.size() == 1);
  CHECK(part.forces[0].path == "element");
  const Checkpoint read = parse_checkpoint(to_text(part), "left.json");
  REQUIRE(second.start().ok());
  const Resumption resumption = second.restore({{"right", read}});
  REQUIRE(resumption.status.ok());
  CHECK(resumption.exact);
  CHECK(second.state().x == std::vector<double>{0.3, 0, first.state().x[0], first.state().x[1]});

  Checkpoint whole;
  REQUIRE(first.save(whole).ok());
  const Checkpoint right = whole.part("right");
  REQUIRE(right.forces.size() == 1);
  CHECK(right.forces[0].states == std::vector<double>{first.state().x[2], first.state().x[3]});
}
