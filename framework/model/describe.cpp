#include "arthron/model/describe.hpp"

#include <algorithm>
#include <cmath>

#include "arthron/model/loading.hpp"

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

}  // namespace

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

std::string entry_text(const ReferenceEntry& entry) {
  std::string text = entry.heading() + (entry.about.empty() ? "" : ": " + entry.about) + "\n";
  if (!entry.library.empty()) text += "  from " + entry.library + "\n";
  if (entry.keys.empty()) text += "  no keys of its own\n";
  for (const KeyDescription& key : entry.keys) text += key_text(key, "  ");
  for (const std::string& note : entry.notes) text += "  " + note + "\n";
  return text;
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
  std::string text;
  for (const ReferenceEntry& entry : reference_of(registry)) text += entry_text(entry) + "\n";
  return text + "expressions: " + expression_words() + "\n";
}

}  // namespace arthron
