#pragma once
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "arthron/component/registry.hpp"

/// Random but valid models, drawn from whatever is registered: a new joint or force type joins every test that uses them by existing.
namespace arthron::test {

using Json = nlohmann::ordered_json;

class RandomModel {
 public:
  RandomModel(const Registry& registry, unsigned seed) : registry_(registry), random_(seed) {}

  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(double probability) { return number(0, 1) < probability; }
  Json vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }

  /// A tree of `bodies` bodies over all joint types, a third of the joints reversed, some driven, with springs, stops, friction, drives,
  /// efforts, forces of all types and a moving ground, in a random state.
  Json tree(int bodies) {
    Json model{{"arthron", 1}, {"name", "random"}, {"gravity", vector(10)}};
    model["grounds"]["shaker"]["motion"] = {{"translation", {"=0.1*sin(3*t)", "=0.2*t", 0}},
                                            {"rotation", {"=0.3*cos(t)", 0.1, "=0.2*t^2"}}};
    for (int i = 0; i < bodies; ++i) {
      model["bodies"][body(i)] = rigid_body();
      model["joints"]["j" + std::to_string(i)] =
          joint(i == 0 || chance(0.1) ? (chance(0.5) ? "ground" : "shaker") : body(integer(std::max(0, i - 4), i - 1)), body(i));
    }
    for (const auto& [name, type] : registry_.forces())
      for (int k = 0; k < 2; ++k) model["forces"][name + std::to_string(k)] = keys_of(*type, bodies);
    return model;
  }

  /// Keys of a registered type filled at random, as its parse() asks for them.
  template <class Type>
  Json keys_of(const Type& type, int bodies) {
    const JsonReader reader = JsonReader::describe();
    (void)type.parse(reader);
    Json keys{{"type", std::string(type.name())}};
    for (const KeyDescription& key : reader.description()) {
      Json value = value_of(key, bodies);
      if (!value.is_null()) keys[key.name] = std::move(value);
    }
    return keys;
  }

 private:
  static std::string body(int i) { return "b" + std::to_string(i); }

  Json rigid_body() {
    // Moments of a random ellipsoid satisfy the triangle inequality.
    const double mass = number(0.5, 3), a = number(0.05, 0.3), b = number(0.05, 0.3), c = number(0.05, 0.3);
    return {{"mass", mass}, {"com", vector(1)}, {"inertia", {mass * (b + c), mass * (a + c), mass * (a + b)}}};
  }

  Json joint(const std::string& inboard, const std::string& outboard) {
    auto entry = registry_.joints().begin();
    std::advance(entry, integer(0, static_cast<int>(registry_.joints().size()) - 1));
    const JointType& type = *entry->second;
    Json joint = keys_of(type, 0);
    const bool reversed = chance(0.35);
    joint["parent"] = reversed ? outboard : inboard;
    joint["child"] = reversed ? inboard : outboard;
    joint["at"] = vector(1);
    if (type.nu() > 0) add_motion(type, joint);
    return joint;
  }

  void add_motion(const JointType& type, Json& joint) {
    const auto per_freedom = [&](auto make) {
      Json list = Json::array();
      for (int i = 0; i < type.nu(); ++i) list.push_back(make());
      return type.nu() == 1 ? list[0] : list;
    };
    if (chance(0.15)) {
      joint["motion"] =
          per_freedom([&] { return "=" + std::to_string(number(-0.5, 0.5)) + "+0.3*sin(" + std::to_string(number(0.5, 2)) + "*t)"; });
      return;
    }
    if (chance(0.3)) {
      joint["spring"]["damping"] = number(0, 2);
      joint["spring"]["stiffness"] = number(1, 20);
    }
    if (chance(0.3)) joint["effort"] = per_freedom([&] { return "=" + std::to_string(number(-3, 3)) + "*cos(2*t)"; });
    if (chance(0.15)) joint["friction"] = {{"effort", number(0, 2)}, {"static_effort", number(0, 2)}, {"speed", number(0.5, 1)}};
    if (chance(0.15))
      joint["drive"] = {{"target", per_freedom([&] { return "=" + std::to_string(number(-1, 1)) + "*sin(t)"; })},
                        {"stiffness", number(1, 20)},
                        {"damping", number(0, 2)}};
    if (chance(0.15))
      joint["limits"] = {
          {"upper", per_freedom([&] { return Json(number(-0.5, 0.5)); })}, {"stiffness", number(1, 20)}, {"damping", number(0, 0.5)}};
    joint["initial"] = {{"position", per_freedom([&] { return Json(number(-1, 1)); })},
                        {"velocity", per_freedom([&] { return Json(number(-1, 1)); })}};
  }

  Json handle(int bodies) {
    const int which = integer(-1, bodies - 1);
    return {which < 0 ? "shaker" : body(which), vector(1)};
  }

  Json value_of(const KeyDescription& key, int bodies) {
    using Kind = KeyDescription::Kind;
    switch (key.kind) {
      case Kind::number:
      case Kind::numbers: return number(std::max(key.range.low, 0.1), std::min(key.range.high, 1.0));
      case Kind::vector:
      case Kind::direction:
      case Kind::point: return vector(1);
      case Kind::handle: return handle(bodies);
      case Kind::handles: {
        Json list = Json::array();
        for (int i = integer(1, 12); i > 0; --i) list.push_back(handle(bodies));
        return list;
      }
      case Kind::time_function: return "=2*sin(3*t)";
      case Kind::time_functions: return {"=2*sin(3*t)", 1, "=t"};
      case Kind::choice: return key.choices[static_cast<std::size_t>(integer(0, static_cast<int>(key.choices.size()) - 1))];
      default: return nullptr;  // optional extras stay at their defaults
    }
  }

  const Registry& registry_;
  std::mt19937 random_;
};

}  // namespace arthron::test
