#include <doctest/doctest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "model/loading.hpp"
#include "support/documentation.hpp"
#include "support/full_model.hpp"
#include "support/published_schema.hpp"
#include "support/repository.hpp"
#include "support/state_forces.hpp"

using namespace arthron;
using namespace arthron::testing;
using Json = nlohmann::json;

namespace {

bool schema_accepts(const Json& model) {
  static const test::PublishedSchema schema(builtins());
  return schema.accepts(model);
}

bool loader_accepts(const Json& model) { return mistakes(model.dump()).empty(); }

/// A body of every built-in type.
constexpr auto shapes = R"json({
  "arthron": 1, "name": "shapes",
  "bodies": {
    "ball": { "type": "sphere", "radius": 0.2, "com": [0, 0, 0], "mass": 1 },
    "rod": { "type": "cylinder", "from": [0, 0, -0.2], "to": [0, 0, 0.2], "radius": 0.15, "inner_radius": 0.1, "density": 64 },
    "case": { "type": "box", "size": [0.4, 0.4, 0.1], "com": [0, 0, 0], "mass": 1, "frame": { "at": [1, 0, 0] } }
  },
  "joints": {
    "a": { "type": "free", "parent": "ground", "child": "ball", "at": [0, 0, 0] },
    "b": { "type": "free", "parent": "ground", "child": "rod", "at": [0, 0, 0] },
    "c": { "type": "free", "parent": "ground", "child": "case", "at": [0, 0, 0] }
  }
})json";

/// Models that between them use most keys of the language.
std::vector<Json> models() { return {Json::parse(full_model), Json::parse(shapes)}; }

/// Visits every object of the model, with its pointer.
void visit_objects(const Json& json, const Json::json_pointer& at, const std::function<void(const Json::json_pointer&)>& visit) {
  const Json& here = json[at];
  if (here.is_object()) visit(at);
  if (!here.is_structured()) return;
  for (const auto& [key, value] : here.items()) visit_objects(json, here.is_array() ? at / std::stoul(key) : at / key, visit);
}

const std::string language_page = "docs/model-format.md";

/// Every key the schema allows anywhere.
std::set<std::string> keys_of(const Json& schema) {
  std::set<std::string> keys;
  if (!schema.is_structured()) return keys;
  if (schema.is_object() && schema.contains("properties"))
    for (const auto& [key, value] : schema["properties"].items()) keys.insert(key);
  for (const Json& nested : schema) keys.merge(keys_of(nested));
  return keys;
}

}  // namespace

TEST_CASE("the schema accepts what the loader accepts") {
  for (const Json& model : models()) {
    CHECK(loader_accepts(model));
    CHECK(schema_accepts(model));
  }
  CHECK(schema_accepts(Json::parse(pendulum())));
}

TEST_CASE("every example and subsystem loads and is valid by the schema") {
  for (const std::string& file : test::model_files({"examples", "subsystems"})) {
    CAPTURE(file);
    std::ifstream stream(file);
    CHECK(schema_accepts(Json::parse(stream)));
    CHECK_NOTHROW((void)load_model(file, builtins()));
  }
}

TEST_CASE("an unknown key in any object is refused by loader and schema") {
  for (const Json& model : models())
    visit_objects(model, Json::json_pointer(), [&](const Json::json_pointer& at) {
      Json changed = model;
      changed[at]["unknown key"] = 1;
      CAPTURE(at.to_string());
      CHECK_FALSE(loader_accepts(changed));
      CHECK_FALSE(schema_accepts(changed));
    });
}

TEST_CASE("a value of the wrong type at any key is refused by loader and schema") {
  for (const Json& model : models())
    visit_objects(model, Json::json_pointer(), [&](const Json::json_pointer& at) {
      for (const auto& [key, value] : model[at].items())
        for (const Json& wrong : {Json(nullptr), value.is_boolean() ? Json("yes") : Json(true)}) {
          Json changed = model;
          changed[at][key] = wrong;
          CAPTURE((at / key).to_string());
          CHECK_FALSE(loader_accepts(changed));
          CHECK_FALSE(schema_accepts(changed));
        }
    });
}

TEST_CASE("a key the schema requires is required by the loader, and the other way round") {
  for (const Json& model : models())
    visit_objects(model, Json::json_pointer(), [&](const Json::json_pointer& at) {
      for (const auto& [key, value] : model[at].items()) {
        Json changed = model;
        changed[at].erase(key);
        CAPTURE((at / key).to_string());
        // No schema sees what others refer to (named things, the frame of "link", a subsystem's number), nor that a force needs force or
        // torque, and a shape a mass or a density.
        const bool named = at.empty() || (at.parent_pointer().empty() && at != Json::json_pointer("/simulate")) ||
                           at.to_string().starts_with("/subsystems/pair/use");
        const bool leant_on =
            named || at / key == Json::json_pointer("/bodies/link/frame") || at / key == Json::json_pointer("/forces/push/force") ||
            (model["name"] == "shapes" && (key == "mass" || key == "density")) || at / key == Json::json_pointer("/subsystems/pair/repeat");
        if (!leant_on) CHECK(loader_accepts(changed) == schema_accepts(changed));
        if (!schema_accepts(changed)) CHECK_FALSE(loader_accepts(changed));
      }
    });
}

TEST_CASE("lists of the wrong length are refused by loader and schema") {
  const Json model = Json::parse(full_model);
  for (const char* at : {"/gravity", "/bodies/arm/inertia", "/joints/sleeve/spring/stiffness", "/joints/float/initial/velocity",
                         "/joints/elbow/motion", "/forces/strut/from", "/points/pivot", "/grounds/shaker/motion/translation"}) {
    Json changed = model;
    changed[Json::json_pointer(at)].push_back(0);
    CAPTURE(at);
    CHECK_FALSE(loader_accepts(changed));
    CHECK_FALSE(schema_accepts(changed));
  }
}

TEST_CASE("the examples of the documentation are valid by the schema") {
  int examples = 0;
  for (Json fragment : test::fragments(test::page(language_page))) {
    fragment.update({{"arthron", 1}, {"name", "m"}});
    CAPTURE(fragment.dump());
    CHECK(schema_accepts(fragment));
    ++examples;
  }
  CHECK(examples >= 20);
}

TEST_CASE("the documentation names every key") {
  const std::string text = test::page(language_page);
  for (const std::string& key : keys_of(Json::parse(model_schema(builtins()).dump())))
    CHECK_MESSAGE((text.find("`" + key + "`") != std::string::npos || text.find("\"" + key + "\"") != std::string::npos), key);
}

TEST_CASE("the reference of types names every type, section and function") {
  const std::string text = describe_types(builtins());
  for (const auto& [name, type] : builtins().joints()) CHECK(text.find("joint " + name) != std::string::npos);
  for (const auto& [name, type] : builtins().forces()) CHECK(text.find("force " + name) != std::string::npos);
  for (const char* word : {"bodies", "markers", "simulate", "mass", "[kg m^2]", "tolerance", "atan2", "(default 1e-06)"})
    CHECK(text.find(word) != std::string::npos);
}

TEST_CASE("lists of handles and internal states are in the schema and in the reference of types") {
  const nlohmann::ordered_json schema = model_schema(test::state_types());
  const std::string text = schema.dump(), reference = describe_types(test::state_types());
  CHECK(text.find(R"("points":{"type":"array","items":{"$ref":"#/definitions/handle"},"minItems":1})") != std::string::npos);
  CHECK(reference.find("[[body, point], ...]") != std::string::npos);
  CHECK(reference.find("keeps the internal state extension [m]") != std::string::npos);
}
