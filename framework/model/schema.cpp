#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "arthron/component/units.hpp"
#include "arthron/model/describe.hpp"
#include "arthron/model/load.hpp"

namespace arthron {

namespace {

using Schema = nlohmann::ordered_json;
using Kind = KeyDescription::Kind;

Schema reference(const std::string& name) { return {{"$ref", "#/definitions/" + name}}; }
Schema list_of(const Schema& item, int count) { return {{"type", "array"}, {"items", item}, {"minItems", count}, {"maxItems", count}}; }
Schema either(std::initializer_list<Schema> schemas) { return {{"anyOf", schemas}}; }

/// A number with a unit: whose symbol, where it is a single one, is of the dimension wanted.
Schema quantity_pattern(std::string_view unit) {
  constexpr auto number = "^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *";
  std::string symbols;
  if (unit.empty()) symbols = "[A-Za-z%°µ-]+";
  for (const std::string& symbol : unit_symbols())
    if (!unit.empty() && unit_of_symbol(symbol)->dimension == read_unit(unit).unit->dimension)
      symbols += (symbols.empty() ? "" : "|") + symbol;
  // Of several symbols together no pattern tells what they measure.
  if (symbols.empty()) symbols = "(?!)";
  return {{"type", "string"}, {"pattern", number + ("(?![eE][-+0-9])((" + symbols + ") *$|[A-Za-z%(°µ1].*[ */^0-9)²³·])")}};
}

/// Of numbers in these units.
Schema quantity_reference(std::string_view unit) {
  const auto& dimensions = dimensions_of(unit);
  const std::string_view name = dimensions && dimensions->size() == 1 ? quantity_name(dimensions->front()) : std::string_view();
  return reference(name.empty() ? "quantity" : "quantity_" + std::string(name));
}

Schema number_schema(const Range& range, std::string_view unit, const char* type = "number") {
  Schema number{{"type", type}};
  if (range.low == range.high) return {{"const", range.low}};
  if (std::isfinite(range.low)) number[range.open_low ? "exclusiveMinimum" : "minimum"] = range.low;
  if (std::isfinite(range.high)) number["maximum"] = range.high;
  return either({number, reference("expression"), quantity_reference(unit)});
}

Schema object_schema(const std::vector<KeyDescription>& keys);

Schema value_schema(const KeyDescription& key) {
  const Schema number = number_schema(key.range, key.unit);
  switch (key.kind) {
    case Kind::number:
    case Kind::expression: return number;
    case Kind::points: return {{"type", "array"}, {"items", reference("point")}, {"minItems", 2}};
    case Kind::vectors: return {{"type", "array"}, {"items", reference("vector")}};
    case Kind::integer: {
      const Schema integer = number_schema(key.range, key.unit, "integer");
      return key.choices.empty() ? integer : either({integer, {{"enum", key.choices}}});
    }
    case Kind::vector: return reference("vector");
    case Kind::direction: return reference("direction");
    case Kind::point: return reference("point");
    case Kind::handle: return reference("handle");
    case Kind::handles: return {{"type", "array"}, {"items", reference("handle")}, {"minItems", 1}};
    case Kind::body: return reference("path");
    case Kind::port: return reference("port");
    case Kind::subsystem: return either({{{"type", "string"}, {"minLength", 1}}, reference("content")});
    case Kind::connection:
    case Kind::signal: return either({reference("path"), reference("time_function")});
    case Kind::text: return {{"type", "string"}};
    case Kind::choice: return {{"enum", key.choices}};
    case Kind::flag: return {{"type", "boolean"}};
    case Kind::time_function: return reference("time_function");
    case Kind::table: return reference("curve");
    case Kind::inertia: return either({list_of(number, 3), list_of(number, 6), reference("expression")});
    case Kind::object: return object_schema(key.keys);
    case Kind::numbers: return either({number, list_of(number, key.count)});
    case Kind::coordinates:
      if (key.count == 3) return either({list_of(number, 3), reference("expression")});
      return key.count == 1 ? either({number, list_of(number, 1)}) : list_of(number, key.count);
    case Kind::list: return either({number, {{"type", "array"}, {"items", number}}});
    case Kind::time_functions:
      if (key.count == 3) return either({list_of(reference("time_function"), 3), reference("expression")});
      return key.count == 1 ? either({reference("time_function"), list_of(reference("time_function"), 1)})
                            : list_of(reference("time_function"), key.count);
    case Kind::texts: return {{"type", "array"}, {"items", {{"type", "string"}}}};
  }
  return true;
}

Schema described_schema(const KeyDescription& key) {
  Schema schema = value_schema(key);
  std::string text = key.help;
  if (!key.unit.empty()) text += (text.empty() ? "[" : " [") + key.unit + "]";
  if (!key.fallback.empty()) text += "; default " + key.fallback;
  // Draft 7 ignores whatever stands beside a $ref.
  if (schema.contains("$ref")) schema = {{"allOf", {schema}}};
  if (!text.empty()) schema["description"] = text;
  return schema;
}

/// The word that a definition's "type" must be, or "".
std::string type_of(const KeyDescription& definition) {
  for (const KeyDescription& key : definition.keys)
    if (key.name == "type" && key.required && key.choices.size() == 1) return key.choices.front();
  return "";
}

/// A key described more than once: told apart by "type" where there is one, so that a validator's message is about the type meant.
Schema alternatives_schema(const std::vector<const KeyDescription*>& alternatives) {
  if (alternatives.size() == 1) return described_schema(*alternatives.front());
  Schema words = Schema::array(), branches = Schema::array(), untyped = Schema::array();
  for (const KeyDescription* alternative : alternatives) {
    const std::string type = type_of(*alternative);
    const Schema schema = described_schema(*alternative);
    if (type.empty()) {
      untyped.push_back(schema);
      continue;
    }
    words.push_back(type);
    branches.push_back({{"if", {{"properties", {{"type", {{"const", type}}}}}, {"required", {"type"}}}}, {"then", schema}});
  }
  if (words.empty()) return {{"anyOf", untyped}};
  const Schema typed{{"type", "object"}, {"required", {"type"}}, {"properties", {{"type", {{"enum", words}}}}}, {"allOf", branches}};
  if (untyped.empty()) return typed;
  return {{"if", {{"required", {"type"}}}}, {"then", typed}, {"else", {{"anyOf", untyped}}}};
}

Schema object_schema(const std::vector<KeyDescription>& keys) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const KeyDescription*>> by_name;
  for (const KeyDescription& key : keys) {
    if (!by_name.contains(key.name)) order.push_back(key.name);
    by_name[key.name].push_back(&key);
  }
  Schema schema{{"type", "object"}, {"properties", Schema::object()}, {"additionalProperties", false}};
  for (const std::string& name : order) {
    const auto& alternatives = by_name[name];
    if (name.starts_with('*')) {
      schema["propertyNames"] = reference(name == "*" ? "name" : "deep_path");
      schema["additionalProperties"] = alternatives_schema(alternatives);
      continue;
    }
    schema["properties"][name] = alternatives_schema(alternatives);
    if (alternatives.front()->required) schema["required"].push_back(name);
  }
  return schema;
}

Schema definitions() {
  const Schema number = reference("number"), pair = list_of(number, 2);
  const Schema length = number_schema(Range::any(), "m");
  const Schema points{{"type", "array"}, {"items", pair}, {"minItems", 2}};
  const Schema table{{"type", "object"},
                     {"required", {"table"}},
                     {"properties", {{"table", points}, {"interpolation", {{"enum", {"smooth", "linear"}}}}}},
                     {"additionalProperties", false}};
  Schema all{{"name", {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]{0,63}$"}}},
             {"path", {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]{0,63}(\\.[A-Za-z_][A-Za-z0-9_]{0,63})?$"}}},
             {"deep_path", {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]{0,63}(\\.[A-Za-z_][A-Za-z0-9_]{0,63})*$"}}},
             {"port", {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]{0,63}\\.[A-Za-z_][A-Za-z0-9_]{0,63}$"}}},
             {"expression", {{"type", "string"}, {"pattern", "^="}}},
             {"quantity", quantity_pattern("")},
             {"number", either({{{"type", "number"}}, reference("expression"), reference("quantity")})},
             {"vector", either({list_of(number, 3), reference("expression")})},
             {"point", either({list_of(length, 3), reference("expression"), reference("path")})},
             {"direction", either({reference("vector"), list_of(reference("point"), 2), reference("port")})},
             {"handle", {{"type", "array"}, {"items", {reference("path"), reference("point")}}, {"minItems", 2}, {"maxItems", 2}}},
             {"curve", either({points, table})},
             {"time_function", either({number, table})}};
  for (const QuantityKind& kind : quantity_kinds()) all["quantity_" + std::string(kind.name)] = quantity_pattern(kind.unit);
  return all;
}

}  // namespace

nlohmann::ordered_json schema_of(const std::string& title, const std::vector<KeyDescription>& keys) {
  Schema schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}, {"definitions", definitions()}};
  schema.update(object_schema(keys));
  return schema;
}

nlohmann::ordered_json model_schema(const Registry& registry) {
  // What a file says and what a definition within a file says differ in what they must say.
  Schema content = object_schema(describe_file(registry)), shared = definitions();
  const Schema required = content["required"];
  content.erase("required");
  shared["content"] = std::move(content);
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "Arthron model"},
          {"definitions", std::move(shared)},
          {"allOf", {reference("content")}},
          {"required", required}};
}

}  // namespace arthron
