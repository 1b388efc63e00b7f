#include <cmath>
#include <sstream>

#include "support/mechanisms/checks.hpp"

namespace arthron::test {

namespace {

/// Numbers of a model in other units, key by key: what a type's own keys are measured in, its parse() says.
class UnitChange {
 public:
  UnitChange(const Registry& types, const Units& units) : types_(types), units_(units) {}

  void model(Json& model) const {
    scale(model["gravity"], of("m/s^2"));
    for (auto& [name, body] : model["bodies"].items())
      scale(body["mass"], units_.mass), scale(body["com"], units_.length), scale(body["inertia"], of("kg m^2"));
    for (auto& [name, joint] : model["joints"].items()) this->joint(joint);
    for (auto& [name, force] : model["forces"].items()) own_keys(*types_.force(force["type"].get<std::string>()), force);
  }

 private:
  [[nodiscard]] double symbol(const std::string& name) const {
    if (name == "m") return units_.length;
    if (name == "kg") return units_.mass;
    if (name == "s") return units_.time;
    if (name == "N") return units_.mass * units_.length / (units_.time * units_.time);
    return 1;  // rad, and what has none
  }
  /// Factor of a unit such as "N m s/rad" or "m/s^2".
  [[nodiscard]] double of(const std::string& unit) const {
    double factor = 1;
    const std::size_t slash = unit.find('/');
    for (const auto& [part, sign] :
         {std::pair{unit.substr(0, slash), 1}, std::pair{slash == std::string::npos ? "" : unit.substr(slash + 1), -1}}) {
      std::istringstream words(part);
      for (std::string word; words >> word;) {
        const std::size_t power = word.find('^');
        factor *= std::pow(symbol(word.substr(0, power)), sign * (power == std::string::npos ? 1 : std::stoi(word.substr(power + 1))));
      }
    }
    return factor;
  }
  void scale(Json& value, double factor) const {
    if (value.is_array()) {
      for (Json& entry : value) scale(entry, factor);
    } else if (value.is_string()) {
      std::string expression = value.get<std::string>().substr(1);
      const std::string time = "*" + Json(1 / units_.time).dump() + "*t";
      for (std::size_t at = 0; (at = expression.find("*t", at)) != std::string::npos; at += time.size()) expression.replace(at, 2, time);
      value = "=" + Json(factor).dump() + "*(" + expression + ")";
    } else {
      value = factor * value.get<double>();
    }
  }
  template <class Type>
  void own_keys(const Type& type, Json& keys) const {
    using Kind = KeyDescription::Kind;
    const JsonReader reader = JsonReader::describe();
    (void)type.parse(reader);
    for (const KeyDescription& key : reader.description()) {
      if (!keys.contains(key.name)) continue;
      Json& value = keys[key.name];
      if (key.kind == Kind::point || key.kind == Kind::points)
        scale(value, units_.length);
      else if (key.kind == Kind::handle)
        scale(value[1], units_.length);
      else if (key.kind != Kind::direction && key.kind != Kind::choice && key.kind != Kind::flag && of(key.unit) != 1)
        scale(value, of(key.unit));
    }
  }
  void joint(Json& joint) const {
    const JointType& type = *types_.joint(joint["type"].get<std::string>());
    own_keys(type, joint);
    scale(joint["at"], units_.length);
    std::vector<double> coordinate;
    for (int i = 0; i < type.nu(); ++i) coordinate.push_back(type.unit(i) == "m" ? units_.length : 1);
    const auto each = [&](Json& value, double factor, int power) {
      // One number for all freedoms stands for different ones in other units.
      if (!value.is_array()) value = Json(std::vector<Json>(coordinate.size(), value));
      for (std::size_t i = 0; i < coordinate.size(); ++i) scale(value[i], factor * std::pow(coordinate[i], power));
      if (coordinate.size() == 1) value = Json(value[0]);
    };
    const double energy = of("N m");
    if (joint.contains("motion")) each(joint["motion"], 1, 1);
    if (joint.contains("effort")) each(joint["effort"], energy, -1);
    if (joint.contains("spring")) {
      Json& spring = joint["spring"];
      if (spring.contains("stiffness")) each(spring["stiffness"], energy, -2);
      if (spring.contains("damping")) each(spring["damping"], energy * units_.time, -2);
      if (spring.contains("rest")) each(spring["rest"], 1, 1);
    }
    if (joint.contains("initial")) {
      Json& initial = joint["initial"];
      if (initial.contains("position")) each(initial["position"], 1, 1);
      if (initial.contains("velocity")) each(initial["velocity"], 1 / units_.time, 1);
    }
  }

  const Registry& types_;
  Units units_;
};

}  // namespace

Json in_units(const Registry& types, Json model, const Units& units) {
  UnitChange(types, units).model(model);
  return model;
}

}  // namespace arthron::test
