#include <map>
#include <nlohmann/json.hpp>

#include "arthron/model/describe.hpp"

namespace arthron {

namespace {

using Sample = nlohmann::ordered_json;
using Kind = KeyDescription::Kind;

/// Text in a cell of a table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '*') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

void add_rows(const std::vector<KeyDescription>& keys, const std::string& path, std::string& text) {
  for (const KeyDescription& key : keys) {
    const std::string name = path + (key.name == "*" ? "NAME" : key.name == "*.*" ? "PATH" : key.name);
    const bool entry = key.name.starts_with('*');
    // Entries of a section are what the heading says.
    if (!entry || !path.empty() || key.keys.empty()) {
      const std::string standard = entry ? "" : key.required ? "required" : key.fallback.empty() ? "" : "`" + key.fallback + "`";
      const std::string help = entry && key.help.empty() ? "as many as wanted" : key.help;
      text += "| `" + name + "` | " + cell(kind_words(key)) + " | " + cell(key.unit) + " | " + standard + " | " + cell(help) + " |\n";
    }
    add_rows(key.keys, entry && path.empty() ? "" : name + ".", text);
  }
}

Sample sample_number(const Range& range) {
  const double low = range.low > 0 ? range.low : 0, high = range.high;
  return low < 1 && high >= 1 ? 1 : low > 0 ? low : high;
}

/// A value that the n-th key of this kind may have; null for kinds that no component is asked for. Directions and points differ from one
/// another.
Sample sample_of(const KeyDescription& key, std::size_t n) {
  switch (key.kind) {
    case Kind::number:
    case Kind::numbers: return sample_number(key.range);
    case Kind::integer: return static_cast<long>(sample_number(key.range).get<double>());
    case Kind::vector:
    case Kind::direction: return {n % 3 == 1 ? 1 : 0, n % 3 == 2 ? 1 : 0, n % 3 == 0 ? 1 : 0};
    case Kind::point: return {n + 1, 0, 0};
    case Kind::handle: return Sample::array({"arm", {0, 0, 0}});
    case Kind::handles: return Sample::array({Sample::array({"arm", {0, 0, 0}})});
    case Kind::body: return "ground";
    case Kind::text: return "text";
    case Kind::flag: return true;
    case Kind::choice: return key.choices.front();
    case Kind::time_function: return "=sin(t)";
    case Kind::time_functions: return Sample(std::vector<std::string>(static_cast<std::size_t>(key.count), "=sin(t)"));
    case Kind::coordinates: return Sample(std::vector<double>(static_cast<std::size_t>(key.count), 0.1));
    case Kind::table: return Sample::array({{0, 0}, {1, 1}});
    case Kind::list: return {1, 1};
    case Kind::points:
    case Kind::vectors: return Sample::array({{0, 0, 0}, {1, 0, 0}});
    case Kind::inertia: return {0.1, 0.1, 0.1};
    case Kind::expression: return n < key.choices.size() ? Sample("=" + key.choices[n]) : Sample();
    default: return nullptr;
  }
}

/// Keys that a type cannot do without.
void make_up(const std::vector<KeyDescription>& keys, Sample& use) {
  std::map<Kind, std::size_t> asked;
  for (const KeyDescription& key : keys) {
    // Joints written as expressions need one of each coordinate, whatever it is for.
    if (!key.required && key.kind != Kind::expression) continue;
    if (Sample value = sample_of(key, asked[key.kind]++); !value.is_null()) use[key.name] = std::move(value);
  }
}

/// The author's example, or the least that a type can be used with.
std::string example_of(const ReferenceEntry& entry) {
  if (entry.word.empty()) return "";
  Sample use{{"type", entry.name}};
  if (entry.word == "joint") use.update({{"parent", "ground"}, {"child", "arm"}, {"at", {0, 0, 0}}});
  if (const Sample own = Sample::parse(entry.example, nullptr, false); own.is_object())
    use.update(own);
  else
    make_up(entry.keys, use);
  const std::string section = entry.word == "body" ? "bodies" : entry.word + "s";
  return '"' + section + "\": { \"mine\": " + use.dump() + " }";
}

}  // namespace

std::string entry_markdown(const ReferenceEntry& entry, const std::string& example) {
  std::string text = "## " + entry.heading() + "\n";
  if (!entry.about.empty()) text += "\n" + entry.about + "\n";
  if (!entry.library.empty()) text += "\nfrom " + entry.library + "\n";
  if (entry.keys.empty()) {
    text += "\nNo keys of its own.\n";
  } else {
    text += "\n| key | value | unit | default | |\n|---|---|---|---|---|\n";
    add_rows(entry.keys, "", text);
  }
  for (std::size_t i = 0; i < entry.notes.size(); ++i) text += (i == 0 ? "\n- " : "- ") + entry.notes[i] + "\n";
  if (const std::string shown = example.empty() ? example_of(entry) : example; !shown.empty()) text += "\n```json\n" + shown + "\n```\n";
  return text;
}

}  // namespace arthron
