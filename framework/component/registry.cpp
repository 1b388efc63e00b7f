#include "arthron/component/registry.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "arthron/component/subsystem.hpp"
#include "arthron/core/diagnostic.hpp"

namespace arthron {

namespace {

using Kind = KeyDescription::Kind;

template <class Type>
const Type* find(const std::map<std::string, std::shared_ptr<Type>>& types, const std::string& name) {
  const auto found = types.find(name);
  return found == types.end() ? nullptr : found->second.get();
}

template <class Type>
void insert(std::map<std::string, std::shared_ptr<Type>>& types, std::shared_ptr<Type> type) {
  std::string name(type->name());
  if (!types.try_emplace(name, std::move(type)).second) throw InternalError("component type \"" + name + "\" is registered twice");
}

/// The words with which an author is told that a key cannot be asked for.
[[noreturn]] void refuse(std::string_view type, const KeyDescription& key, const std::string& why) {
  throw InternalError("component type \"" + std::string(type) + "\" asks for the key \"" + key.name + "\", " + why);
}

void refuse_common_keys(std::string_view type, const std::vector<KeyDescription>& keys, std::span<const std::string_view> common,
                        const std::string& owner) {
  for (const KeyDescription& key : keys)
    if (std::find(common.begin(), common.end(), key.name) != common.end()) refuse(type, key, "which every " + owner + " has");
}

/// Subsystems are built before bodies, points and signals of the user's file are known.
void refuse_outside_names(std::string_view type, const std::vector<KeyDescription>& keys) {
  constexpr Kind outside[] = {Kind::handle,         Kind::handles, Kind::body, Kind::point,     Kind::direction,  Kind::time_function,
                              Kind::time_functions, Kind::points,  Kind::port, Kind::subsystem, Kind::connection, Kind::signal};
  for (const KeyDescription& key : keys) {
    if (std::find(std::begin(outside), std::end(outside), key.kind) != std::end(outside))
      refuse(type, key, "which may name bodies, points or signals of the user's file: these reach a subsystem through its ports");
    refuse_outside_names(type, key.keys);
  }
}

template <class Type>
void merge(std::map<std::string, std::shared_ptr<Type>>& types, const std::map<std::string, std::shared_ptr<Type>>& others,
           std::vector<Registry::Clash>& clashes) {
  for (const auto& [name, type] : others)
    if (const auto [there, fresh] = types.try_emplace(name, type); !fresh && there->second != type)
      clashes.push_back({there->second.get(), type.get()});
}

}  // namespace

std::vector<Registry::Clash> Registry::take_from(const Registry& other) {
  std::vector<Clash> clashes;
  merge(joints_, other.joints_, clashes);
  merge(forces_, other.forces_, clashes);
  merge(bodies_, other.bodies_, clashes);
  merge(subsystems_, other.subsystems_, clashes);
  return clashes;
}

void Registry::for_each(const std::function<void(ComponentType&)>& call) const {
  const auto all = [&](const auto& types) {
    for (const auto& [name, type] : types) call(*type);
  };
  all(joints_), all(forces_), all(bodies_), all(subsystems_);
}

const JointType* Registry::joint(const std::string& name) const { return find(joints_, name); }
const ForceType* Registry::force(const std::string& name) const { return find(forces_, name); }
const BodyType* Registry::body(const std::string& name) const { return find(bodies_, name); }
const SubsystemType* Registry::subsystem(const std::string& name) const { return find(subsystems_, name); }
void Registry::add(std::shared_ptr<JointType> type) { insert(joints_, std::move(type)); }
void Registry::add(std::shared_ptr<ForceType> type) { insert(forces_, std::move(type)); }

void Registry::add(std::shared_ptr<BodyType> type) {
  constexpr std::string_view common[] = {"type", "frame", "shapes"};
  const JsonReader in = JsonReader::describe();
  (void)type->read(in);
  refuse_common_keys(type->name(), in.description(), common, "body");
  insert(bodies_, std::move(type));
}

void Registry::add(std::shared_ptr<SubsystemType> type) {
  const JsonReader in = JsonReader::describe();
  (void)type->parse(in);
  type->keys_ = in.description();
  refuse_common_keys(type->name(), type->keys_, subsystem_keys, "subsystem");
  refuse_outside_names(type->name(), type->keys_);
  insert(subsystems_, std::move(type));
}

}  // namespace arthron
