#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>

#include "arthron/core/diagnostic.hpp"
#include "commands.hpp"
#include "templates.hpp"

namespace arthron::cli {
namespace {

namespace fs = std::filesystem;

bool is_word(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  constexpr std::size_t longest = 64;
  return !text.empty() && text.size() <= longest && letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || c == '_' || (c >= '0' && c <= '9'); });
}

/// rolling_knee -> RollingKnee
std::string in_camels(const std::string& name) {
  std::string camels;
  bool begins = true;
  for (const char c : name) {
    if (c != '_') camels += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '_';
  }
  return camels;
}

/// What stands in the templates for the names of the new type, its struct, its library and its files.
struct Names {
  std::string name;
  std::vector<std::pair<std::string, std::string>> words;
};

Names names_of(const std::string& kind, const std::string& type) {
  const std::size_t slash = type.find('/');
  const std::string vendor = slash == std::string::npos ? "my" : type.substr(0, slash), name = type.substr(slash + 1);
  if (!is_word(vendor) || !is_word(name))
    throw ModelError({{"", 0, "arthron new", '"' + type + '"', "a name of letters, digits and _, at most 64 of them, or vendor/name", ""}});
  return {name,
          {{"vendor/name", vendor + '/' + name},
           {"vendor_name", vendor + '_' + name},
           {"Name" + in_camels(kind), in_camels(name) + in_camels(kind)},
           {"name.cpp", name + ".cpp"},
           {"name.json", name + ".json"},
           {"name.csv", name + ".csv"}}};
}

std::string filled(std::string_view form, const Names& names) {
  std::string text(form);
  for (const auto& [word, own] : names.words)
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += own.size()) text.replace(at, word.size(), own);
  return text;
}

struct NewOptions {
  std::string kind, type, folder;

  /// The files of the project, by their names.
  [[nodiscard]] std::map<fs::path, std::string> files() const {
    const Names names = names_of(kind, type);
    const fs::path project = folder.empty() ? names.name : folder;
    std::map<fs::path, std::string> files;
    for (const Template& form : templates())
      if (form.kind == kind) files[project / filled(form.file, names)] = filled(form.text, names);
    return files;
  }
};

void check_kind(const std::string& kind) {
  std::vector<std::string> kinds;
  std::string list;
  for (const Template& form : templates()) {
    if (!kinds.empty() && kinds.back() == form.kind) continue;
    kinds.emplace_back(form.kind);
    list += (list.empty() ? "" : ", ") + kinds.back();
  }
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    throw ModelError({{"", 0, "arthron new", '"' + kind + '"', "one of " + list, nearest_name(kind, kinds)}});
}

void write_project(const NewOptions& options, std::ostream& out) {
  check_kind(options.kind);
  const std::map<fs::path, std::string> files = options.files();
  std::vector<Diagnostic> mistakes;
  for (const auto& [file, text] : files)
    if (fs::exists(file)) mistakes.push_back({file.string(), 0, "", "a file that is there already", "a folder without it (--output)", ""});
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  for (const auto& [file, text] : files) {
    std::error_code trouble;
    fs::create_directories(file.parent_path(), trouble);
    std::ofstream stream(file);
    stream << text;
    stream.close();
    if (!stream) throw ModelError({{"", 0, "--output", file.string() + ", which cannot be written", "a place for the project", ""}});
  }
  const std::string folder = files.begin()->first.parent_path().string();
  for (const auto& [file, text] : files) out << file.string() << '\n';
  out << "\nNext:\n  cd " << folder << "\n  cmake -B build\n  cmake --build build\n  arthron run "
      << names_of(options.kind, options.type).name << ".json\n";
}

}  // namespace

void add_new_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("new", "write a project for a component type of your own, ready to build");
  const auto options = std::make_shared<NewOptions>();
  command->add_option("kind", options->kind, "joint, force or subsystem")->type_name("KIND")->required();
  command->add_option("name", options->type, "name of the type: vendor/name, or name for my/name")->type_name("NAME")->required();
  command->add_option("--output", options->folder, "folder for the project, by default named after the type")->type_name("FOLDER");
  command->callback([options, &console] { write_project(*options, console.out); });
}

}  // namespace arthron::cli
