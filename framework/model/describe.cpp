#include "arthron/model/describe.hpp"

#include <algorithm>
#include <cmath>

#include "arthron/model/loading.hpp"
#include "arthron/model/parse_component.hpp"

namespace arthron {

namespace {

using Kind = KeyDescription::Kind;

std::string range_words(const Range& range) {
  if (range.low == range.high) return " " + number_text(range.low);
  std::string words;
  if (std::isfinite(range.low)) words += (range.open_low ? " > " : " >= ") + number_text(range.low);
  if (std::isfinite(range.high)) words += " <= " + number_text(range.high);
  return words;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string kind_words(const KeyDescription& key) {
  const std::string count = std::to_string(key.count);
  switch (key.kind) {
    case Kind::number: return "number" + range_words(key.range);
    case Kind::integer: return "whole number" + range_words(key.range);
    case Kind::vector: return "[x, y, z]";
    case Kind::direction: return "[x, y, z] or [from point, to point]";
    case Kind::point: return "[x, y, z] or point";
    case Kind::handle: return "[body, point]";
    case Kind::handles: return "[[body, point], ...]";
    case Kind::body: return "body, ground or mount";
    case Kind::text: return "text";
    case Kind::flag: return "true or false";
    case Kind::time_function: return "function of t";
    case Kind::table: return "[[x, y], ...]";
    case Kind::inertia: return "list of 3 or 6";
    case Kind::object: return "object";
    case Kind::numbers: return key.count == 1 ? "number" + range_words(key.range) : "number or list of " + count + range_words(key.range);
    case Kind::coordinates: return key.count == 1 ? "number" : "list of " + count;
    case Kind::time_functions: return key.count == 1 ? "function of t" : "list of " + count + " functions of t";
    case Kind::list: return "number or list";
    case Kind::texts: return "list of texts";
    case Kind::expression: return "number or expression of " + joined(key.choices, ", ");
    case Kind::points: return "[[x, y, z] or point, ...]";
    case Kind::vectors: return "[[x, y, z], ...]";
    case Kind::port: return "subsystem.port";
    case Kind::subsystem: return "file or definition";
    case Kind::connection: return "body, subsystem.port or function of t";
    case Kind::signal: return "function of t or signal output";
    case Kind::choice: return joined(key.choices, " | ");
  }
  throw InternalError("every kind of key has words");
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string key_text(const KeyDescription& key, const std::string& indent) {
  std::string line = indent + padded(key.name == "*"     ? "NAME"
                                     : key.name == "*.*" ? "PATH"
                                                         : key.name,
                                     24 - std::min<std::size_t>(indent.size(), 10));
  line += padded(kind_words(key), 38) + (key.name.starts_with('*') && key.help.empty() ? "as many as wanted" : key.help);
  if (!key.unit.empty()) line += " [" + key.unit + "]";
  if (!key.fallback.empty()) line += " (default " + key.fallback + ")";
  if (key.required && !key.name.starts_with('*')) line += " (required)";
  line += "\n";
  for (const KeyDescription& nested : key.keys) line += key_text(nested, indent + "  ");
  return line;
}

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

/// "  port chassis: mount", for every port that a type builds when keys have their defaults, or stand-ins where they have none. Nothing
/// when the type cannot be built so.
std::string ports_text(const SubsystemType& type) {
  SubsystemBuilder out{std::string(type.name())};
  try {
    type.parse(JsonReader::describe())->build(out);
  } catch (...) {
    return "";
  }
  const Json& built = out.json();
  std::string text;
  if (!built.is_object() || !built.contains("ports") || !built["ports"].is_object()) return text;
  for (const auto& [name, port] : built["ports"].get_ref<const Json::object_t&>()) {
    if (!port.is_object()) continue;
    const bool signal = port.contains("signal") && port["signal"].is_string();
    text += "  port " + name + ": " +
            (port.contains("mount") ? "mount"
             : signal               ? "signal " + port["signal"].get<std::string>()
                                    : std::string("output")) +
            "\n";
  }
  return text;
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

std::string origin_text(const ComponentType& type) { return type.library().empty() ? "" : "  from " + type.library() + "\n"; }

}  // namespace

std::string keys_text(const std::vector<KeyDescription>& keys) {
  std::string text;
  for (const KeyDescription& key : keys) text += key_text(key, "  ");
  return text.empty() ? "  no keys of its own\n" : text;
}

std::vector<KeyDescription> describe_file(const Registry& registry) {
  std::vector<Diagnostic> diagnostics;
  const JsonDocument document("{}", "", diagnostics);
  Model model;
  const std::vector<ParameterOverride> none;
  Files files(diagnostics);
  Composition all{model, registry, none, files, diagnostics};
  Loading loading(all, document);
  read_file(loading);
  return loading.in.description();
}

std::string describe_types(const Registry& registry) {
  const std::vector<KeyDescription> file = describe_file(registry);
  std::string text = "file\n";
  for (const KeyDescription& key : file) {
    KeyDescription section = key;
    section.keys.clear();
    text += key_text(section, "  ");
  }
  for (const std::string name :
       {"parameters", "points", "road", "ports", "subsystems", "grounds", "bodies", "couplings", "markers", "simulate"}) {
    const KeyDescription& section = find(file, name);
    text += "\n" + name + "\n" + keys_text(name == "bodies" || name == "subsystems" ? untyped_keys(section) : section.keys);
  }
  for (const auto& [name, type] : registry.bodies())
    text += "\nbody " + name + ": a type instead of mass, com and inertia\n" + keys_text(own_keys(*type));
  for (const auto& [name, type] : registry.subsystems())
    text += "\nsubsystem " + name + ": a type instead of use\n" + keys_text(type->keys()) + ports_text(*type);
  text += "\njoints: keys of every type; with more than one freedom, lists have one entry for each\n" +
          keys_text(common_joint_keys(file, registry));
  for (const auto& [name, type] : registry.joints())
    text += "\njoint " + name + ": " + std::to_string(type->nu()) + (type->nu() == 1 ? " freedom\n" : " freedoms\n") + origin_text(*type) +
            keys_text(own_keys(*type));
  for (const auto& [name, type] : registry.forces()) {
    text += "\nforce " + name + "\n" + origin_text(*type) + keys_text(own_keys(*type));
    for (const OutputChannel& channel : type->channels())
      text += "  reports " + std::string(channel.name) + " [" + std::string(channel.unit) + "]\n";
    for (const OutputChannel& state : type->states())
      text += "  keeps the internal state " + std::string(state.name) + " [" + std::string(state.unit) + "]\n";
  }
  text += "\nexpressions: + - * / ^ ( ) < <= > >= == != && || !, and the names\n ";
  for (const std::string& name : Expression::known_names()) text += " " + name;
  return text + "\n";
}

}  // namespace arthron
