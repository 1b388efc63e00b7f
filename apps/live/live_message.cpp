#include "live/live_message.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "arthron/component/json_document.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/simulation/shortest_text.hpp"

namespace arthron::cli {
namespace {

using Kind = LiveWish::Kind;

const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> list = {{"pause", Kind::pause}, {"resume", Kind::resume},   {"speed", Kind::speed},
                                                   {"set", Kind::set},     {"restart", Kind::restart}, {"stop", Kind::stop}};
  return list;
}

std::string unknown_type(const std::string& type) {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kinds()) names.push_back(name);
  const std::string nearest = nearest_name(type, names);
  return "found the type " + quote_text(type) + "; expected pause, resume, speed, set, restart or stop" +
         (nearest.empty() ? "" : "; did you mean " + quote_text(nearest) + '?');
}

}  // namespace

std::optional<LiveWish> read_wish(const std::string& text, std::string& trouble) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("type") || !json["type"].is_string()) {
    trouble = "found " + quote_text(text) + "; expected a JSON object with a type, such as {\"type\":\"pause\"}";
    return {};
  }
  const std::string type = json["type"];
  const auto kind = kinds().find(type);
  if (kind == kinds().end()) {
    trouble = unknown_type(type);
    return {};
  }
  LiveWish wish{kind->second};
  const nlohmann::json value = json.value("value", nlohmann::json());
  if (wish.kind == Kind::speed) {
    wish.value = value.is_null() && json.contains("value") ? std::numeric_limits<double>::infinity()
                 : value.is_number()                       ? value.get<double>()
                                                           : -1;
    if ((value.is_null() && json.contains("value")) || (wish.value >= slowest && wish.value <= fastest)) return wish;
    trouble = "found a speed that is none; expected a number from " + shortest_text(slowest) + " to " + shortest_text(fastest) +
              ", or null for as fast as it can";
    return {};
  }
  if (wish.kind != Kind::set) return wish;
  if (json.contains("parameter") && json["parameter"].is_string() && value.is_number() && std::isfinite(value.get<double>())) {
    wish.parameter = json["parameter"];
    wish.value = value;
    return wish;
  }
  trouble =
      "found " + quote_text(text) + "; expected a parameter and a number, such as {\"type\":\"set\",\"parameter\":\"rate\",\"value\":4e4}";
  return {};
}

std::string error_message(const std::string& words) {
  return nlohmann::ordered_json{{"type", "error"}, {"message", words}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace arthron::cli
