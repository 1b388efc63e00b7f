#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "arthron/components/builtins.hpp"
#include "arthron/model/describe.hpp"
#include "support/documentation.hpp"
#include "support/fragment.hpp"

using namespace arthron;
using Json = nlohmann::ordered_json;

namespace {

std::vector<Json> fragments() { return test::fragments(test::page("docs/model-format.md")); }

/// The word that an entry's "type" must be, where there is one.
std::string type_of(const KeyDescription& entry) {
  for (const KeyDescription& key : entry.keys)
    if (key.name == "type" && key.required && key.choices.size() == 1) return key.choices.front();
  return "";
}

/// What is drawn is the same of bodies and grounds.
std::string shared(const std::string& place) {
  const auto shapes = place.find("/shapes");
  return shapes == std::string::npos ? place : place.substr(shapes);
}
/// A key by its place and meaning: types that ask for the same thing share it. Numbered types are one family.
std::string label(const std::string& place, const KeyDescription& key) { return shared(place) + "/" + key.name + " (" + key.help + ")"; }
std::string type_label(const std::string& place, const std::string& type) {
  return shared(place) + "/type: " + std::regex_replace(type, std::regex("_[2-9]$"), "");
}

void collect_keys(const std::vector<KeyDescription>& keys, const std::string& place, std::set<std::string>& labels) {
  for (const KeyDescription& key : keys) {
    if (!key.name.starts_with('*')) labels.insert(label(place, key));
    if (const std::string type = type_of(key); !type.empty()) labels.insert(type_label(place + "/" + key.name, type));
    collect_keys(key.keys, place + "/" + key.name, labels);
  }
}

/// Takes from `labels` those of keys that occur in the JSON.
void strike_out(const Json& json, const std::vector<KeyDescription>& keys, const std::string& place, std::set<std::string>& labels) {
  if (!json.is_object()) return;
  for (const auto& [name, value] : json.items())
    for (const KeyDescription& key : keys) {
      if (key.name != name && !key.name.starts_with('*')) continue;
      const std::string type = type_of(key);
      if (!type.empty() && (!value.is_object() || value.value("type", Json()) != type)) continue;
      labels.erase(label(place, key));
      if (!type.empty()) labels.erase(type_label(place + "/" + key.name, type));
      strike_out(value, key.keys, place + "/" + key.name, labels);
    }
}

}  // namespace

TEST_CASE("every block of JSON of the language's page is part of a model that loads") {
  const test::ReadersFolder folder;
  const std::vector<Json> all = fragments();
  CHECK(all.size() > 20);
  for (const Json& fragment : all) {
    REQUIRE_FALSE(fragment.is_discarded());
    CAPTURE(fragment.dump());
    CHECK(folder.mistakes_of(fragment) == "");
  }
}

// Source of truth: what the loader asks for.
TEST_CASE("every key of the language occurs in an example of its page") {
  const std::vector<KeyDescription> keys = describe_file(builtin_registry());
  std::set<std::string> labels;
  collect_keys(keys, "", labels);
  CHECK(labels.size() > 150);
  for (const Json& fragment : fragments()) strike_out(fragment, keys, "", labels);
  for (const std::string& missing : labels) FAIL_CHECK("no example of " << missing);
}
