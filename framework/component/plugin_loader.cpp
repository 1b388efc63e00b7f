#include "arthron/component/plugin_loader.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

#include "arthron/component/plugin_file.hpp"
#include "arthron/component/plugin_record.hpp"
#include "arthron/core/diagnostic.hpp"

namespace arthron {

namespace {

namespace fs = std::filesystem;

constexpr auto a_plugin = "a library of component types (a plug-in)";

std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// Where the library is, by its whole name or by the short one; empty when it is nowhere.
fs::path place_of(const fs::path& file) {
  std::error_code none;
  if (fs::exists(file, none)) return file;
  const fs::path whole = file.parent_path() / ("lib" + file.filename().string() + ".so");
  return fs::exists(whole, none) ? whole : fs::path();
}

/// The library nearest in name, as one would write it.
std::string nearest_library(const fs::path& file, const fs::path& written) {
  std::error_code none;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(file.parent_path().empty() ? "." : file.parent_path(), none))
    if (entry.path().extension() == ".so") names.push_back(entry.path().filename().string());
  std::string name = nearest_name(file.filename().string(), names);
  if (name.empty()) name = nearest_name("lib" + file.filename().string() + ".so", names);
  return name.empty() || name == file.filename() ? "" : (written.parent_path() / name).string();
}

template <std::size_t size>
std::string text_of(const char (&text)[size]) {
  return {text, std::find(text, text + size, '\0')};
}

std::string value_of(const PluginRecord& record, const std::string& name) {
  for (std::size_t i = 0; i < std::min<std::size_t>(record.count, PluginRecord::most_facts); ++i)
    if (name == text_of(record.facts[i].name)) return text_of(record.facts[i].value);
  return "unknown";
}

/// Facts of the library that are not those of this kernel, and what they should be.
PluginMistake differences(const PluginRecord& record, const std::string& written) {
  static constexpr PluginRecord own = this_build();
  PluginMistake mistake;
  for (std::size_t i = 0; i < own.count; ++i) {
    const std::string name = text_of(own.facts[i].name), wanted = text_of(own.facts[i].value), there = value_of(record, name);
    if (there == wanted) continue;
    mistake.found += (mistake.found.empty() ? "" : ", ") + name + " " + there;
    mistake.expected += (mistake.expected.empty() ? "" : ", ") + name + " " + wanted;
  }
  if (mistake.found.empty()) return {};
  return {quoted(written) + ", built with " + mistake.found,
          mistake.expected + ": rebuild it from an empty build folder, against the package of this program", ""};
}

/// vendor/name, of letters, digits and _.
bool is_type_name(std::string_view name) {
  const auto is_word = [](std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
  };
  const std::size_t slash = name.find('/');
  return slash != std::string_view::npos && is_word(name.substr(0, slash)) && is_word(name.substr(slash + 1));
}

/// What the library registers, each type knowing where it comes from.
std::vector<PluginMistake> types_of(const fs::path& library, const std::string& written, Registry& types) {
  const std::string name = quoted(written);
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return {{name + ", which cannot be loaded: " + dlerror(), a_plugin, ""}};
  using Register = bool (*)(Registry&, std::string&);
  const auto enter = reinterpret_cast<Register>(dlsym(handle, std::string(PluginRecord::entry).c_str()));
  if (!enter) return {{name + ", which has no " + std::string(PluginRecord::entry), a_plugin, ""}};
  std::string complaint;
  if (!enter(types, complaint)) return {{name + ", whose registration throws: " + complaint, "an ARTHRON_PLUGIN that registers types", ""}};
  std::vector<PluginMistake> mistakes;
  types.for_each([&](ComponentType& type) {
    if (!is_type_name(type.name()))
      mistakes.push_back({name + ", which has a type " + quoted(std::string(type.name())),
                          "a name of the form vendor/name, of letters, digits and _", ""});
    type.come_from(written);
  });
  return mistakes;
}

/// Libraries that have been loaded, with their types, by their real paths. They live as long as the process: objects made of their types
/// may be anywhere.
struct Shelf {
  std::mutex mutex;
  std::map<std::string, Registry> libraries;
};
Shelf& shelf() {
  static auto* const shelf = new Shelf;  // outlives whatever else is destroyed at the end
  return *shelf;
}

}  // namespace

std::vector<PluginMistake> add_plugin(const std::string& file, const std::string& written, Registry& registry) {
  const fs::path place = place_of(file);
  if (place.empty()) return {{quoted(written) + ", no such file", a_plugin, nearest_library(file, written)}};
  std::error_code none;
  if (!fs::is_regular_file(place, none)) return {{quoted(written) + ", which is no shared library", a_plugin, ""}};
  const fs::path library = fs::weakly_canonical(place, none);
  const std::lock_guard lock(shelf().mutex);
  auto known = shelf().libraries.find(library);
  if (known == shelf().libraries.end()) {
    std::string trouble;
    const std::optional<PluginRecord> record = read_plugin_record(library, trouble);
    if (!record) return {{quoted(written) + ", " + trouble, a_plugin, ""}};
    if (PluginMistake mistake = differences(*record, written); !mistake.found.empty()) return {mistake};
    Registry types;
    if (std::vector<PluginMistake> mistakes = types_of(library, place.string(), types); !mistakes.empty()) return mistakes;
    known = shelf().libraries.emplace(library, std::move(types)).first;
  }
  std::vector<PluginMistake> mistakes;
  for (const auto& [there, fresh] : registry.take_from(known->second))
    mistakes.push_back({quoted(written) + ", which has a type " + quoted(std::string(fresh->name())),
                        "one library for each type: " + (there->library().empty() ? "the program" : there->library()) + " has it already",
                        ""});
  return mistakes;
}

void load_plugin(const std::string& file, Registry& registry, const std::string& option) {
  std::vector<Diagnostic> diagnostics;
  for (PluginMistake& mistake : add_plugin(file, file, registry))
    diagnostics.push_back(
        {"", 0, option.empty() ? "plug-in" : option, std::move(mistake.found), std::move(mistake.expected), std::move(mistake.suggestion)});
  if (!diagnostics.empty()) throw ModelError(std::move(diagnostics));
}

}  // namespace arthron
