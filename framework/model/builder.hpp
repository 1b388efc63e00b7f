#pragma once
#include <string>
#include <utility>
#include <vector>

#include "arthron/component/json_document.hpp"
#include "arthron/model/load.hpp"

/// Models built in code. What is built is the same JSON definition that files hold, read by the same loader: every key, expression, check
/// and message is that of docs/model-format.md. Values are whatever JSON is made of: numbers, "=expressions", {lists}, {{"key", value}}.
namespace arthron {

/// One definition of a model on its way: a name in a section. Calls return it, so that they chain; it means the same definition as long as
/// the builder stays where it is.
template <class Self>
class DefinitionBuilder {
 public:
  DefinitionBuilder(Json& root, std::vector<std::string> keys) : root_(&root), keys_(std::move(keys)) {
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
    for (const std::string& key : keys_) at = &(*at)[key];
    return *at;
  }

  // Keys that many definitions have.
  Self at(Json point) { return set("at", std::move(point)); }
  Self axis(Json direction) { return set("axis", std::move(direction)); }
  Self in(const std::string& body) { return set("in", body); }

 private:
  Json* root_;
  std::vector<std::string> keys_;
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

class ModelBuilder {
 public:
  explicit ModelBuilder(const std::string& name) : json_{{"arthron", 1}, {"name", name}} {}
  /// Goes on from what a file says. Throws ModelError when it cannot be read as JSON.
  [[nodiscard]] static ModelBuilder from_file(const std::string& file);

  // Definitions by name: a new one, or the one there is, to be changed.
  BodyBuilder body(const std::string& name) { return {json_, {"bodies", name}}; }
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
  /// A subsystem: the name of a file, or a definition as JSON.
  UseBuilder use(const std::string& name, Json definition) { return subsystem(name).set("use", std::move(definition)); }
  UseBuilder use(const std::string& name, const ModelBuilder& definition) { return use(name, definition.json()); }
  UseBuilder subsystem(const std::string& name) { return {json_, {"subsystems", name}}; }
  AnyBuilder simulate() { return {json_, {"simulate"}}; }

  ModelBuilder& parameter(const std::string& name, Json value) { return set("parameters", name, std::move(value)); }
  ModelBuilder& point(const std::string& name, Json place) { return set("points", name, std::move(place)); }
  /// Any key of a file: set("gravity", {0, 0, -1.62}).
  ModelBuilder& set(const std::string& key, Json value);

  /// The definition so far: to be read, and changed by hand.
  [[nodiscard]] const Json& json() const { return json_; }
  [[nodiscard]] Json& json() { return json_; }
  /// Writes it as a model file. Throws ModelError when that cannot be written.
  void save(const std::string& file) const;

  /// The model. Files it uses are looked for from `folder`; when none is given from that of the file it began with, or from where the
  /// program runs. Throws ModelError with every mistake, named by the model's name and JSON pointers.
  [[nodiscard]] Model build(const Registry& registry, const std::string& folder = "",
                            const std::vector<ParameterOverride>& overrides = {}) const;

 private:
  explicit ModelBuilder(Json definition, std::string folder) : json_(std::move(definition)), folder_(std::move(folder)) {}
  AnyBuilder section(const std::string& key, const std::string& name) { return {json_, {key, name}}; }
  ModelBuilder& set(const std::string& section, const std::string& name, Json value);

  Json json_;
  std::string folder_;
};

}  // namespace arthron
