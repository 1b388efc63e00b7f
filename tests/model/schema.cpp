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
using AnyJson = nlohmann::json;

namespace {

bool schema_accepts(const AnyJson& model) {
  static const test::PublishedSchema schema(builtins());
  return schema.accepts(model);
}

bool loader_accepts(const AnyJson& model) { return mistakes(model.dump()).empty(); }

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
std::vector<AnyJson> models() { return {AnyJson::parse(full_model), AnyJson::parse(shapes)}; }

/// Visits every object of the model, with its pointer.
void visit_objects(const AnyJson& json, const AnyJson::json_pointer& at, const std::function<void(const AnyJson::json_pointer&)>& visit) {
  const AnyJson& here = json[at];
  if (here.is_object()) visit(at);
  if (!here.is_structured()) return;
  for (const auto& [key, value] : here.items()) visit_objects(json, here.is_array() ? at / std::stoul(key) : at / key, visit);
}

const std::string language_page = "docs/model-format.md";

/// Every key the schema allows anywhere.
std::set<std::string> keys_of(const AnyJson& schema) {
  std::set<std::string> keys;
  if (!schema.is_structured()) return keys;
  if (schema.is_object() && schema.contains("properties"))
    for (const auto& [key, value] : schema["properties"].items()) keys.insert(key);
  for (const AnyJson& nested : schema) keys.merge(keys_of(nested));
  return keys;
}

}  // namespace

TEST_CASE("the schema accepts what the loader accepts") {
  for (const AnyJson& model : models()) {
    CHECK(loader_accepts(model));
    CHECK(schema_accepts(model));
  }
  CHECK(schema_accepts(AnyJson::parse(pendulum())));
}

TEST_CASE("every example and subsystem loads and is valid by the schema") {
  for (const std::string& file : test::model_files({"examples", "subsystems"})) {
    CAPTURE(file);
    std::ifstream stream(file);
    CHECK(schema_accepts(AnyJson::parse(stream)));
    CHECK_NOTHROW((void)load_model(file, builtins()));
  }
}

TEST_CASE("an unknown key in any object is refused by loader and schema") {
  for (const AnyJson& model : models())
    visit_objects(model, AnyJson::json_pointer(), [&](const AnyJson::json_pointer& at) {
      AnyJson changed = model;
      changed[at]["unknown key"] = 1;
      CAPTURE(at.to_string());
      CHECK_FALSE(loader_accepts(changed));
      CHECK_FALSE(schema_accepts(changed));
    });
}

TEST_CASE("a value of the wrong type at any key is refused by loader and schema") {
  for (const AnyJson& model : models())
    visit_objects(model, AnyJson::json_pointer(), [&](const AnyJson::json_pointer& at) {
      for (const auto& [key, value] : model[at].items())
        for (const AnyJson& wrong : {AnyJson(nullptr), value.is_boolean() ? AnyJson("yes") : AnyJson(true)}) {
          AnyJson changed = model;
          changed[at][key] = wrong;
          CAPTURE((at / key).to_string());
          CHECK_FALSE(loader_accepts(changed));
          CHECK_FALSE(schema_accepts(changed));
        }
    });
}

TEST_CASE("a key the schema requires is required by the loader, and the other way round") {
  for (const AnyJson& model : models())
    visit_objects(model, AnyJson::json_pointer(), [&](const AnyJson::json_pointer& at) {
      for (const auto& [key, value] : model[at].items()) {
        AnyJson changed = model;
        changed[at].erase(key);
        CAPTURE((at / key).to_string());
        // No schema sees what others refer to (named things, the frame of "link", a subsystem's number), nor that a force needs force or
        // torque, and a shape a mass or a density.
        const bool named = at.empty() || (at.parent_pointer().empty() && at != AnyJson::json_pointer("/simulate")) ||
                           at.to_string().starts_with("/subsystems/pair/use");
        const bool leant_on = named || at / key == AnyJson::json_pointer("/bodies/link/frame") ||
                              at / key == AnyJson::json_pointer("/forces/push/force") ||
                              (model["name"] == "shapes" && (key == "mass" || key == "density")) ||
                              at / key == AnyJson::json_pointer("/subsystems/pair/repeat");
        if (!leant_on) CHECK(loader_accepts(changed) == schema_accepts(changed));
        if (!schema_accepts(changed)) CHECK_FALSE(loader_accepts(changed));
      }
    });
}

TEST_CASE("lists of the wrong length are refused by loader and schema") {
  const AnyJson model = AnyJson::parse(full_model);
  for (const char* at : {"/gravity", "/bodies/arm/inertia", "/joints/sleeve/spring/stiffness", "/joints/float/initial/velocity",
                         "/joints/elbow/motion", "/forces/strut/from", "/points/pivot", "/grounds/shaker/motion/translation"}) {
    AnyJson changed = model;
    changed[AnyJson::json_pointer(at)].push_back(0);
    CAPTURE(at);
    CHECK_FALSE(loader_accepts(changed));
    CHECK_FALSE(schema_accepts(changed));
  }
}

TEST_CASE("the examples of the documentation are valid by the schema") {
  int examples = 0;
  for (AnyJson fragment : test::fragments(test::page(language_page))) {
    fragment.update({{"arthron", 1}, {"name", "m"}});
    CAPTURE(fragment.dump());
    CHECK(schema_accepts(fragment));
    ++examples;
  }
  CHECK(examples >= 20);
}

TEST_CASE("the documentation names every key") {
  const std::string text = test::page(language_page);
  for (const std::string& key : keys_of(AnyJson::parse(model_schema(builtins()).dump())))
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
