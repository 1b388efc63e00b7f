#include "arthron/authoring/random_keys.hpp"

#include <algorithm>
#include <cmath>

namespace arthron {

namespace {

/// The part of a range that is of the order of one, as far as there is one.
std::pair<double, double> usual(const Range& range) {
  const double low = std::max(range.low, 0.1), high = std::min(range.high, low > 1 ? 2 * low : 1.0);
  if (low <= high) return {low, high};
  return {std::isfinite(range.low) ? range.low : range.high - 1, range.high};
}

}  // namespace

void RandomKeys::fill(Json& keys, const std::vector<KeyDescription>& descriptions, int bodies, double left_out) {
  expressions_ = 0;
  for (const KeyDescription& key : descriptions) {
    // What an expression leaves out may be a freedom that nothing moves along.
    if (!key.required && key.kind != KeyDescription::Kind::expression && left_out > 0 && chance(left_out)) continue;
    Json value = value_of(key, bodies);
    if (!value.is_null()) keys[key.name] = std::move(value);
  }
}

RandomKeys::Json RandomKeys::handle(int bodies) {
  const int which = integer(-1, bodies - 1);
  return {which < 0 ? "shaker" : body(which), vector(1)};
}

RandomKeys::Json RandomKeys::value_of(const KeyDescription& key, int bodies) {
  using Kind = KeyDescription::Kind;
  switch (key.kind) {
    case Kind::number:
    case Kind::numbers: {
      const auto [low, high] = usual(key.range);
      return number(low, high);
    }
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
    case Kind::expression: {
      // One variable after the other, so that keys which are columns of something are independent ones, and small for variables below
      // one, so that no angle comes near a quarter of a turn, where three of them lose a freedom.
      const std::string& variable = key.choices[expressions_++ % key.choices.size()];
      return "=" + std::to_string(number(-0.3, 0.3)) + "+0.5*" + variable + "+0.1*sin(" + variable + ")+0.05*cos(" + key.choices.back() +
             ")";
    }
    case Kind::points: {
      Json points = Json::array();
      for (int i = 0; i < 4; ++i) points.push_back({0.6 * i + number(-0.2, 0.2), number(-0.3, 0.3), number(-0.3, 0.3)});
      return points;
    }
    case Kind::choice: return key.choices[integer(0, static_cast<int>(key.choices.size()) - 1)];
    default: return key.required ? required_value_of(key, bodies) : nullptr;
  }
}

RandomKeys::Json RandomKeys::required_value_of(const KeyDescription& key, int bodies) {
  using Kind = KeyDescription::Kind;
  switch (key.kind) {
    case Kind::integer: {
      const double low = std::max(key.range.low, 1.0);
      return integer(static_cast<int>(low), static_cast<int>(std::clamp(key.range.high, low, low + 4)));
    }
    case Kind::flag: return chance(0.5);
    case Kind::body: return "shaker";
    case Kind::inertia: return {0.2, 0.25, 0.3};
    case Kind::table: return Json::array({{-1, -0.8}, {0, 0.1}, {1, 1.2}});
    case Kind::list: return {number(0.1, 1), number(0.1, 1), number(0.1, 1)};
    case Kind::coordinates: {
      Json list = Json::array();
      for (int i = 0; i < key.count; ++i) list.push_back(number(0.1, 1));
      return list;
    }
    case Kind::object: {
      Json object = Json::object();
      fill(object, key.keys, bodies, 0);
      return object;
    }
    default: return nullptr;
  }
}

}  // namespace arthron
