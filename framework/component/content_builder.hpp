#pragma once
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "arthron/component/json_document.hpp"

/// Definitions written in code. What is built is the same JSON that files hold, read by the same loader: every key, expression, check and
/// message is that of docs/model-format.md. Values are whatever JSON is made of: numbers, "=expressions", {lists}, {{"key", value}}.
namespace arthron {

/// One definition of a model on its way: a name in a section. Calls return it, so that they chain; it means the same definition as long as
/// the builder stays where it is.
template <class Self>
class DefinitionBuilder {
 public:
  DefinitionBuilder(Json& root, const std::vector<std::string>& keys) : root_(&root) {
    for (const std::string& key : keys) steps_.push_back({key});
    if (json().is_null()) json() = Json::object();
  }

  /// Any key of the language.
  Self set(const std::string& key, Json value) {
    json()[key] = std::move(value);
    return static_cast<Self&>(*this);
  }
  /// An entry of an object at a key: set("connect", "chassis", "body").
  Self set(const std::string& key, const std::string& name, Json value) {
    json()[key][name] = std::move(value);
    return static_cast<Self&>(*this);
  }
  [[nodiscard]] Json& json() {
    Json* at = root_;
    for (Step& step : steps_) at = &step.from(*at);
    return *at;
  }

  // Keys that many definitions have.
  Self at(Json point) { return set("at", std::move(point)); }
  Self axis(Json direction) { return set("axis", std::move(direction)); }
  Self in(const std::string& body) { return set("in", body); }

 private:
  /// A key of an object, and where it was found last: objects are searched from their beginning, and those of large models are long.
  struct Step {
    std::string key;
    std::ptrdiff_t place = 0;

    Json& from(Json& object) {
      if (object.is_object() && place < std::ssize(object)) {
        auto& [name, value] = *(object.get_ref<Json::object_t&>().begin() + place);
        if (name == key) return value;
      }
      Json& value = object[key];
      auto& members = object.get_ref<Json::object_t&>();
      place = std::ssize(members) - 1;
      while (&(members.begin() + place)->second != &value) --place;
      return value;
    }
  };

  Json* root_;
  std::vector<Step> steps_;
};

/// With no keys but those that many have, and any other by set: grounds, markers, ports, couplings, settings.
struct AnyBuilder : DefinitionBuilder<AnyBuilder> {
  using DefinitionBuilder::DefinitionBuilder;
};

struct BodyBuilder : DefinitionBuilder<BodyBuilder> {
  using DefinitionBuilder::DefinitionBuilder;
  BodyBuilder mass(Json kilograms) { return set("mass", std::move(kilograms)); }
  BodyBuilder com(Json point) { return set("com", std::move(point)); }
  BodyBuilder inertia(Json moments) { return set("inertia", std::move(moments)); }
};

struct JointBuilder : DefinitionBuilder<JointBuilder> {
  using DefinitionBuilder::DefinitionBuilder;
  JointBuilder parent(const std::string& body) { return set("parent", body); }
  JointBuilder child(const std::string& body) { return set("child", body); }
  JointBuilder effort(Json function) { return set("effort", std::move(function)); }
  JointBuilder motion(Json function) { return set("motion", std::move(function)); }
};

struct ForceBuilder : DefinitionBuilder<ForceBuilder> {
  using DefinitionBuilder::DefinitionBuilder;
  ForceBuilder on(const std::string& body, Json point) { return set("on", {body, std::move(point)}); }
  ForceBuilder from(const std::string& body, Json point) { return set("from", {body, std::move(point)}); }
  ForceBuilder to(const std::string& body, Json point) { return set("to", {body, std::move(point)}); }
};

struct UseBuilder : DefinitionBuilder<UseBuilder> {
  using DefinitionBuilder::DefinitionBuilder;
  UseBuilder connect(const std::string& port, Json to) { return set("connect", port, std::move(to)); }
  UseBuilder parameter(const std::string& name, Json value) { return set("parameters", name, std::move(value)); }
  UseBuilder mirror(char axis) { return set("mirror", std::string(1, axis)); }
  UseBuilder rotation(Json axis, Json angle) { return set("rotation", {{"axis", std::move(axis)}, {"angle", std::move(angle)}}); }
  UseBuilder repeat(int count, const std::string& index = "i") { return set("repeat", count).set("index", index); }
};

/// The sections of a file, definition by definition. Self is what chained calls return.
template <class Self>
class ContentBuilder {
 public:
  // Definitions by name: a new one, or the one there is, to be changed.
  BodyBuilder body(const std::string& name) { return {json_, {"bodies", name}}; }
  BodyBuilder body(const std::string& name, const std::string& type) { return body(name).set("type", type); }
  AnyBuilder ground(const std::string& name) { return {json_, {"grounds", name}}; }
  JointBuilder joint(const std::string& name) { return {json_, {"joints", name}}; }
  JointBuilder joint(const std::string& name, const std::string& type) { return joint(name).set("type", type); }
  ForceBuilder force(const std::string& name) { return {json_, {"forces", name}}; }
  ForceBuilder force(const std::string& name, const std::string& type) { return force(name).set("type", type); }
  AnyBuilder coupling(const std::string& name, Json terms) { return section("couplings", name).set("terms", std::move(terms)); }
  AnyBuilder marker(const std::string& name, const std::string& body) { return section("markers", name).set("body", body); }
  AnyBuilder mount(const std::string& name) { return section("ports", name).set("mount", true); }
  AnyBuilder output(const std::string& name, const std::string& body) { return section("ports", name).set("output", body); }
  AnyBuilder signal_input(const std::string& name) { return section("ports", name).set("signal", "input"); }
  AnyBuilder signal_output(const std::string& name, const std::string& channel) {
    return section("ports", name).set("signal", "output").set("channel", channel);
  }
  UseBuilder subsystem(const std::string& name) { return {json_, {"subsystems", name}}; }
  /// One of a registered type, whose keys are set.
  UseBuilder subsystem(const std::string& name, const std::string& type) { return subsystem(name).set("type", type); }
  /// A subsystem by the name of a file, or by a definition as JSON or in another builder.
  UseBuilder use(const std::string& name, Json definition) { return subsystem(name).set("use", std::move(definition)); }
  template <class Other>
  UseBuilder use(const std::string& name, const ContentBuilder<Other>& definition) {
    return use(name, definition.json());
  }

  Self& parameter(const std::string& name, Json value) { return put(json_["parameters"][name], std::move(value)); }
  Self& point(const std::string& name, Json place) { return put(json_["points"][name], std::move(place)); }
  /// Any key of a file: set("gravity", {0, 0, -1.62}).
  Self& set(const std::string& key, Json value) { return put(json_[key], std::move(value)); }

  /// The definition so far: to be read, and changed by hand.
  [[nodiscard]] const Json& json() const { return json_; }
  [[nodiscard]] Json& json() { return json_; }

 protected:
  explicit ContentBuilder(Json definition) : json_(std::move(definition)) {}

 private:
  AnyBuilder section(const std::string& key, const std::string& name) { return {json_, {key, name}}; }
  Self& put(Json& place, Json value) {
    place = std::move(value);
    return static_cast<Self&>(*this);
  }

  Json json_;
};

}  // namespace arthron
