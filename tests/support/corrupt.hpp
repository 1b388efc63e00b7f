#pragma once
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace arthron::testing {

/// Damages JSON texts the way users, editors and disks do. The same seed gives the same damage on every machine.
class Corruptor {
 public:
  explicit Corruptor(std::uint64_t seed) : random_(seed) {}

  /// A damaged copy of a valid JSON text: one to three mistakes, each in the structure or in the bytes.
  std::string damage(const std::string& text) {
    Json json = Json::parse(text);
    const std::size_t mistakes = 1 + pick(3);
    for (std::size_t i = 0; i < mistakes; ++i) damage_structure(json);
    std::string damaged = json.dump(1);
    replace(damaged, "\"@nan\"", "NaN");
    replace(damaged, "\"@overflow\"", "1e999");
    replace(damaged, "\"@deep\"", std::string(100000, '['));
    return pick(4) == 0 ? damage_bytes(damaged) : damaged;
  }

 private:
  using Json = nlohmann::ordered_json;

  std::size_t pick(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

  static void replace(std::string& text, const std::string& what, const std::string& with) {
    for (auto place = text.find(what); place != std::string::npos; place = text.find(what, place + with.size()))
      text.replace(place, what.size(), with);
  }

  static void collect(Json& json, std::vector<Json*>& values) {
    values.push_back(&json);
    if (json.is_structured())
      for (Json& child : json) collect(child, values);
  }

  void damage_structure(Json& json) {
    std::vector<Json*> values;
    collect(json, values);
    Json& victim = *values[pick(values.size())];
    if (victim.is_object() && !victim.empty() && pick(3) > 0)
      damage_object(victim);
    else if (victim.is_array() && !victim.empty() && pick(2) == 0)
      damage_array(victim);
    else if (victim.is_number() && pick(4) > 0)
      victim = strange_number(victim.get<double>());
    else if (victim.is_string() && pick(3) > 0)
      victim = misspelt(victim.get<std::string>());
    else
      victim = strange_value();
  }

  void damage_object(Json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    const std::string key = keys[pick(keys.size())];
    const Json value = object[key];
    if (pick(3) > 0) object.erase(key);
    if (pick(2) == 0) object[misspelt(key)] = value;
  }

  void damage_array(Json& array) {
    switch (pick(3)) {
      case 0: array.erase(pick(array.size())); break;
      case 1: array.push_back(array[pick(array.size())]); break;
      default: std::swap(array[pick(array.size())], array[pick(array.size())]);
    }
  }

  Json strange_number(double number) {
    const std::array<Json, 14> numbers{0,  -number, number * 1e9, number * -1e-9, 1e308,      -1e308, 1e-308, 1e20, 1e15,
                                       -1, 0.5,     1e6,          "@nan",         "@overflow"};
    return numbers[pick(numbers.size())];
  }

  Json strange_value() {
    const std::array<Json, 16> values{nullptr,
                                      true,
                                      false,
                                      0,
                                      -1,
                                      1e300,
                                      "",
                                      "=",
                                      "=1/0",
                                      "=sqrt(-1)",
                                      "=t",
                                      "ground",
                                      Json::array(),
                                      Json::object(),
                                      Json::array({1, 2, 3}),
                                      "@deep"};
    return values[pick(values.size())];
  }

  std::string misspelt(std::string word) {
    if (word.empty()) return "x";
    const std::size_t place = pick(word.size());
    switch (pick(5)) {
      case 0: word.erase(place, 1); break;
      case 1: word.insert(place, 1, 'q'); break;
      case 2: std::swap(word[place], word[(place + 1) % word.size()]); break;
      case 3: word[place] = static_cast<char>(' ' + pick(95)); break;
      default: word += word;
    }
    return word;
  }

  std::string damage_bytes(std::string text) {
    const std::size_t place = pick(text.size());
    switch (pick(4)) {
      case 0: text.resize(place); break;
      case 1: text[place] = static_cast<char>(text[place] ^ (1 << pick(8))); break;
      case 2: text.insert(place, 1, static_cast<char>(pick(256))); break;
      default: text.erase(place, 1 + pick(20));
    }
    return text;
  }

  std::mt19937_64 random_;
};

}  // namespace arthron::testing
