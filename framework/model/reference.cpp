#include <algorithm>

#include "arthron/model/describe.hpp"
#include "arthron/model/loading.hpp"
#include "arthron/model/parse_component.hpp"

namespace arthron {

namespace {

const KeyDescription& find(const std::vector<KeyDescription>& keys, const std::string& name) {
  return *std::find_if(keys.begin(), keys.end(), [&](const KeyDescription& key) { return key.name == name; });
}

template <class Type>
std::vector<KeyDescription> own_keys(const Type& type) {
  const JsonReader in = JsonReader::describe();
  if constexpr (requires { type.parse(in); })
    (void)parse_component(type, in);
  else
    (void)type.read(in);
  return in.description();
}

/// Keys of a section whose entries may have a type: those of the entries without one.
std::vector<KeyDescription> untyped_keys(const KeyDescription& section) { return {section.keys.front()}; }

/// "port chassis: mount", for every port that a type builds when keys have their defaults, or stand-ins where they have none. Nothing
/// when the type cannot be built so.
std::vector<std::string> port_notes(const SubsystemType& type) {
  SubsystemBuilder out{std::string(type.name())};
  try {
    type.parse(JsonReader::describe())->build(out);
  } catch (...) {
    return {};
  }
  const Json& built = out.json();
  std::vector<std::string> notes;
  if (!built.is_object() || !built.contains("ports") || !built["ports"].is_object()) return notes;
  for (const auto& [name, port] : built["ports"].get_ref<const Json::object_t&>()) {
    if (!port.is_object()) continue;
    const bool signal = port.contains("signal") && port["signal"].is_string();
    notes.push_back("port " + name + ": " +
                    (port.contains("mount") ? "mount"
                     : signal               ? "signal " + port["signal"].get<std::string>()
                                            : std::string("output")));
  }
  return notes;
}

/// Keys that every joint with a freedom has, described on the first such type; a count is its number of freedoms.
std::vector<KeyDescription> common_joint_keys(const std::vector<KeyDescription>& file, const Registry& registry) {
  const auto& joints = find(file, "joints").keys;
  for (const auto& [name, type] : registry.joints()) {
    if (type->nu() != 1) continue;
    const auto definition =
        std::find_if(joints.begin(), joints.end(), [&](const KeyDescription& joint) { return joint.keys.front().choices.front() == name; });
    std::vector<KeyDescription> keys = definition->keys;
    const auto own = own_keys(*type);
    std::erase_if(keys, [&](const KeyDescription& key) {
      return key.name == "type" || std::any_of(own.begin(), own.end(), [&](const KeyDescription& o) { return o.name == key.name; });
    });
    return keys;
  }
  return {};
}

void add_sections(const std::vector<KeyDescription>& file, std::vector<ReferenceEntry>& entries) {
  std::vector<KeyDescription> names = file;
  for (KeyDescription& section : names) section.keys.clear();
  entries.push_back({"", "file", "", "", std::move(names)});
  for (const std::string name :
       {"units", "parameters", "points", "road", "ports", "subsystems", "grounds", "bodies", "couplings", "markers", "simulate"}) {
    const KeyDescription& section = find(file, name);
    entries.push_back({"", name, "", "", name == "bodies" || name == "subsystems" ? untyped_keys(section) : section.keys});
  }
}

std::string with_unit(const OutputChannel& channel) { return std::string(channel.name) + " [" + std::string(channel.unit) + "]"; }

}  // namespace

std::vector<ReferenceEntry> reference_of(const Registry& registry) {
  const std::vector<KeyDescription> file = describe_file(registry);
  std::vector<ReferenceEntry> entries;
  add_sections(file, entries);
  for (const auto& [name, type] : registry.bodies())
    entries.push_back({"body", name, "a type instead of mass, com and inertia", type->library(), own_keys(*type)});
  for (const auto& [name, type] : registry.subsystems())
    entries.push_back({"subsystem", name, "a type instead of use", type->library(), type->keys(), port_notes(*type)});
  entries.push_back({"", "joints", "keys of every type; with more than one freedom, lists have one entry for each", "",
                     common_joint_keys(file, registry)});
  for (const auto& [name, type] : registry.joints())
    entries.push_back({"joint",
                       name,
                       std::to_string(type->nu()) + (type->nu() == 1 ? " freedom" : " freedoms"),
                       type->library(),
                       own_keys(*type),
                       {},
                       type->example()});
  for (const auto& [name, type] : registry.forces()) {
    ReferenceEntry entry{"force", name, "", type->library(), own_keys(*type), {}, type->example()};
    for (const OutputChannel& channel : type->channels()) entry.notes.push_back("reports " + with_unit(channel));
    for (const OutputChannel& state : type->states()) entry.notes.push_back("keeps the internal state " + with_unit(state));
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string expression_words() {
  std::string text = "+ - * / ^ ( ) < <= > >= == != && || !, and the names\n ";
  for (const std::string& name : Expression::known_names()) text += " " + name;
  return text;
}

}  // namespace arthron
