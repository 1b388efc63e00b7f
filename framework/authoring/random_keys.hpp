#pragma once
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "arthron/component/json_reader.hpp"

namespace arthron {

/// Random keys of components, drawn from what their parse() asks for: a new type joins whatever uses them by existing.
class RandomKeys {
 public:
  using Json = nlohmann::ordered_json;

  explicit RandomKeys(unsigned seed) : random_(seed) {}

  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(double probability) { return number(0, 1) < probability; }
  Json vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }

  /// Keys of a registered type filled at random; handles on the bodies b0, b1, ... or on the ground "shaker".
  template <class Type>
  Json keys_of(const Type& type, int bodies) {
    const JsonReader reader = JsonReader::describe();
    (void)type.parse(reader);
    return keys_of(type.name(), reader.description(), bodies, 0);
  }
  /// The same, with optional keys left out by chance.
  template <class Type>
  Json some_keys_of(const Type& type, int bodies) {
    const JsonReader reader = JsonReader::describe();
    (void)type.parse(reader);
    return keys_of(type.name(), reader.description(), bodies, 0.5);
  }
  /// Of a type whose keys are known; `left_out` is the chance of an optional key to be left out.
  Json keys_of(std::string_view type, const std::vector<KeyDescription>& descriptions, int bodies, double left_out) {
    Json keys{{"type", std::string(type)}};
    fill(keys, descriptions, bodies, left_out);
    return keys;
  }

  [[nodiscard]] static std::string body(int i) { return "b" + std::to_string(i); }

 private:
  void fill(Json& keys, const std::vector<KeyDescription>& descriptions, int bodies, double left_out);
  Json handle(int bodies);
  /// null: the key is left out.
  Json value_of(const KeyDescription& key, int bodies);
  /// Of kinds whose defaults are good where there are some.
  Json required_value_of(const KeyDescription& key, int bodies);

  std::mt19937 random_;
  std::size_t expressions_ = 0;  // drawn so far for one component
};

}  // namespace arthron
