#include "arthron/component/registry.hpp"

#include "arthron/core/diagnostic.hpp"

namespace arthron {

namespace {

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
  return clashes;
}

const JointType* Registry::joint(const std::string& name) const { return find(joints_, name); }
const ForceType* Registry::force(const std::string& name) const { return find(forces_, name); }
void Registry::add(std::shared_ptr<JointType> type) { insert(joints_, std::move(type)); }
void Registry::add(std::shared_ptr<ForceType> type) { insert(forces_, std::move(type)); }

}  // namespace arthron
