#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "arthron/model/load.hpp"
#include "arthron/simulation/channels.hpp"
#include "arthron/simulation/simulation.hpp"
#include "support/random_model.hpp"
#include "support/state_forces.hpp"

/// Left and right run as mirror images. Source of truth: the laws of mechanics do not change under reflection, so a mirrored model in
/// mirrored gravity has every polar quantity reflected, every axial one reflected and reversed, and every scalar the same.
using namespace arthron;
using arthron::test::RandomModel;
using Json = nlohmann::ordered_json;

namespace {

const Registry& types() { return test::state_types(); }

/// A quantity of a model after a while.
struct Measured {
  Quantity::Kind kind;
  std::string element, name;
  std::vector<std::string> components;
  std::vector<double> values;
};

std::vector<Measured> run(const Json& json, double until) {
  Model model = parse_model(json.dump(), "m.json", types());
  model.simulation.integrator.type = "rk4";
  model.simulation.integrator.step = 0.01;
  Simulation simulation(std::make_shared<const Model>(std::move(model)));
  REQUIRE(simulation.start().ok());
  const Status moved = simulation.advance_to(until);
  INFO(describe(moved, simulation.plan(), simulation.workspace(), simulation.state().t));
  REQUIRE(moved.ok());
  REQUIRE(simulation.observe(true).ok());
  std::vector<Measured> all;
  for (const Quantity& quantity : all_quantities(simulation.plan())) {
    all.push_back({quantity.kind, std::string(quantity.element), std::string(quantity.name), {}, {}});
    for (const auto& component : quantity.components) all.back().components.emplace_back(component.name);
    all.back().values.resize(quantity.components.size());
    quantity.read(simulation.plan(), simulation.workspace(), quantity.index, all.back().values.data());
  }
  return all;
}

/// Quantities that a subsystem has, behind all others: three energies, momenta, position and velocity of its mass centre.
constexpr std::size_t of_one_subsystem = 6;

/// Along the freedoms of a joint.
bool is_coordinate(const Measured& quantity) {
  if (quantity.kind != Quantity::Kind::joint) return false;
  for (const char* name : {"position", "velocity", "momentum", "acceleration", "effort"})
    if (quantity.name == name) return true;
  return false;
}

/// -1 where the mirror across `axis` changes the sign of a component.
double sign_of(const Measured& quantity, const std::string& component, int axis) {
  const bool world = quantity.name == "reaction" || quantity.kind == Quantity::Kind::body || quantity.kind == Quantity::Kind::marker ||
                     quantity.kind == Quantity::Kind::subsystem;
  if (!world || component == "w" || component.empty()) return 1;
  const bool axial = quantity.name.starts_with("angular") || quantity.name == "orientation" || component.starts_with("moment") ||
                     component.starts_with("angular");
  const bool across = component.back() - 'x' == axis;
  return across == axial ? 1 : -1;
}

/// Worst difference between the mirrored quantities of both runs, over the size of the numbers.
double mirror_error(const std::vector<Measured>& left, const std::vector<Measured>& right, int axis) {
  REQUIRE(left.size() == right.size());
  double worst = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Measured &a = left[i], &b = right[i];
    REQUIRE(a.element == b.element);
    REQUIRE(a.name == b.name);
    double same = 0, opposite = 0;
    for (std::size_t c = 0; c < a.values.size(); ++c) {
      REQUIRE(std::isfinite(a.values[c]));
      const double image = sign_of(a, a.components[c], axis) * a.values[c], size = 1 + std::abs(image);
      same = std::max(same, std::abs(b.values[c] - image) / size);
      opposite = std::max(opposite, std::abs(b.values[c] + image) / size);
    }
    // Opposite quaternions are one orientation.
    const double error = a.name == "orientation" ? std::min(same, opposite) : same;
    CHECK_MESSAGE(error < 1e-12, a.element << "." << a.name);
    worst = std::max(worst, error);
  }
  return worst;
}

/// Takes away what touches the road, which stays where it is when the model is turned.
void lift_off(Json& part) {
  for (const char* name : {"contact", "tyre"})
    for (const char* number : {"0", "1"}) part["forces"].erase(std::string(name) + number);
}

Json model_of(const Json& part, const Json& gravity, const Json& use) {
  Json entry = use;
  entry["use"] = part;
  return {{"arthron", 1}, {"name", "m"}, {"gravity", gravity}, {"subsystems", {{"s", entry}}}};
}

}  // namespace

TEST_CASE("random subsystems of all joint and force types run as mirror images to 1e-12") {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    RandomModel random(types(), seed);
    Json part = random.tree(10);
    const Json gravity = part["gravity"];
    for (auto& [name, body] : part["bodies"].items()) body["inertia"].insert(body["inertia"].end(), {0.01, -0.02, 0.015});
    for (int i = 0; i < 3; ++i)
      part["markers"]["m" + std::to_string(i)] = {{"body", "b" + std::to_string(3 * i)}, {"at", random.vector(1)}};
    part["bodies"]["b4"]["frame"] = {{"at", random.vector(1)}, {"rotation", {{"axis", random.vector(1)}, {"angle", 0.7}}}};
    const int axis = static_cast<int>(seed % 3);
    if (axis == 2) lift_off(part);
    Json mirrored_gravity = gravity;
    mirrored_gravity[axis] = -gravity[axis].get<double>();
    CAPTURE(seed);
    const auto left = run(model_of(part, gravity, Json::object()), 0.5);
    const auto right = run(model_of(part, mirrored_gravity, {{"mirror", std::string(1, static_cast<char>('x' + axis))}}), 0.5);
    CHECK(mirror_error(left, right, axis) < 1e-12);
  }
}

TEST_CASE("a turned and moved subsystem of all joint and force types runs as the one at the origin does") {
  // Source of truth: mechanics does not depend on where a model stands. Scalars are compared; rounding grows with the offset of 3 m.
  for (unsigned seed = 21; seed <= 26; ++seed) {
    RandomModel random(types(), seed);
    Json part = random.tree(6);
    lift_off(part);
    const Vec3 g{part["gravity"][0], part["gravity"][1], part["gravity"][2]};
    const Vec3 turned = axis_rotation((1.0 / 3) * Vec3{2, -1, 2}, 0.8) * g;
    const auto plain = run(model_of(part, part["gravity"], Json::object()), 0.3);
    const auto moved = run(
        model_of(part, {turned.x, turned.y, turned.z}, {{"at", {1, -2, 2}}, {"rotation", {{"axis", {2, -1, 2}}, {"angle", 0.8}}}}), 0.3);
    CAPTURE(seed);
    REQUIRE(plain.size() == moved.size());
    int compared = 0;
    for (std::size_t i = 0; i < plain.size(); ++i)
      for (std::size_t c = 0; c < plain[i].values.size(); ++c) {
        if (!is_coordinate(plain[i]) && plain[i].kind != Quantity::Kind::force && plain[i].name != "kinetic") continue;
        CAPTURE(plain[i].element);
        CHECK(std::abs(moved[i].values[c] - plain[i].values[c]) < 1e-9 * (1 + std::abs(plain[i].values[c])));
        ++compared;
      }
    CHECK(compared > 20);
  }
}

TEST_CASE("a mirror image of a mirror image is the original") {
  RandomModel random(types(), 31);
  Json part = random.tree(6);
  const Json nested{{"subsystems", {{"t", {{"use", part}}}}}}, mirrored{{"subsystems", {{"t", {{"use", part}, {"mirror", "y"}}}}}};
  const auto once = run(model_of(nested, part["gravity"], Json::object()), 0.3);
  const auto twice = run(model_of(mirrored, part["gravity"], {{"mirror", "y"}}), 0.3);
  REQUIRE(once.size() == twice.size());
  for (std::size_t i = 0; i < once.size(); ++i)
    for (std::size_t c = 0; c < once[i].values.size(); ++c)
      CHECK(std::abs(once[i].values[c] - twice[i].values[c]) < 1e-12 * (1 + std::abs(once[i].values[c])));
}

TEST_CASE("a subsystem at the origin runs to the bit as the same model written flat") {
  for (unsigned seed = 41; seed <= 44; ++seed) {
    RandomModel random(types(), seed);
    const Json part = random.tree(8);
    const auto flat = run(part, 0.3);
    const auto nested = run(model_of(part, part["gravity"], Json::object()), 0.3);
    REQUIRE(nested.size() == flat.size() + of_one_subsystem);
    for (std::size_t i = 0; i < flat.size(); ++i) {
      const bool of_the_whole = flat[i].kind == Quantity::Kind::energy || flat[i].kind == Quantity::Kind::subsystem;
      if (!of_the_whole) CHECK(nested[i].element == "s." + flat[i].element);
      CHECK(nested[i].values == flat[i].values);
    }
  }
}

TEST_CASE("a road is the world's, wherever the file stands that touches it") {
  // The same ball written in place, and drawn at its own origin, turned, mirrored and moved there.
  const auto ball = [](const Json& at) -> Json {
    return {{"bodies", {{"ball", {{"mass", 1}, {"com", at}, {"inertia", {0.1, 0.1, 0.1}}}}}},
            {"joints", {{"float", {{"type", "free"}, {"parent", "ground"}, {"child", "ball"}, {"at", at}}}}},
            {"forces",
             {{"touch",
               {{"type", "contact"}, {"on", {"ball", at}}, {"radius", 0.3}, {"stiffness", 5000}, {"friction", 0.5}, {"damping", 0.3}}}}}};
  };
  const Json road{{"height", "=0.1*sin(x) + 0.2*y"}}, gravity{0, 0, -9.81}, place{2, 1, 0.8};
  Json flat = ball(place), nested = model_of(ball({0, 0, 0}), gravity, {{"at", place}, {"mirror", "y"}});
  nested["subsystems"]["s"]["rotation"] = {{"axis", {1, 2, 3}}, {"angle", 0.7}};
  for (Json* model : {&flat, &nested})
    (*model)["road"] = road, (*model)["gravity"] = gravity, (*model)["arthron"] = 1, (*model)["name"] = "m";
  const auto a = run(flat, 0.5), b = run(nested, 0.5);
  REQUIRE(b.size() == a.size() + of_one_subsystem);
  int compared = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].kind != Quantity::Kind::force && !(a[i].kind == Quantity::Kind::body && a[i].name.find("velocity") != std::string::npos))
      continue;
    for (std::size_t c = 0; c < a[i].values.size(); ++c, ++compared) CHECK(b[i].values[c] == doctest::Approx(a[i].values[c]).epsilon(1e-9));
  }
  CHECK(compared == 10);
}

TEST_CASE("closed loops run as mirror images to 1e-12") {
  for (const char* example : {"rssr", "double_loop"}) {
    CAPTURE(example);
    const Json part = ARTHRON_SOURCE_DIR "/examples/" + std::string(example) + "/" + example + ".json";
    auto left = run(model_of(part, {1, 2, -9.81}, Json::object()), 0.5);
    auto right = run(model_of(part, {1, -2, -9.81}, {{"mirror", "y"}}), 0.5);
    const auto of_loops = [](const Measured& quantity) { return quantity.kind == Quantity::Kind::joint && !is_coordinate(quantity); };
    for (auto* side : {&left, &right}) std::erase_if(*side, of_loops);
    CHECK(mirror_error(left, right, 1) < 1e-12);
  }
}
