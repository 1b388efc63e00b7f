#include "model_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "arthron/component/json_document.hpp"
#include "arthron/component/plugin_loader.hpp"
#include "arthron/component/units.hpp"
#include "arthron/components/builtins.hpp"

namespace arthron::cli {

namespace {

/// A number of the command line.
struct Setting {
  ParameterOverride value;
  std::optional<Dimension> dimension;  // of one with a unit
};

/// A number in SI that may have a unit; `behind` is a unit for those that have none.
void read_setting(const std::string& name, const std::string& text, const std::string& behind, std::vector<Setting>& settings,
                  std::vector<Diagnostic>& mistakes) {
  const QuantityReading reading = read_quantity(text + (behind.empty() ? "" : " " + behind));
  if (reading.is_one && !reading.unknown.empty())
    mistakes.push_back({"", 0, "--set " + name, '"' + text + '"', "a number, with a unit if need be: 25 N/mm",
                        nearest_name(reading.unknown, unit_symbols())});
  else if (reading.is_one)
    settings.push_back({{name, reading.unit.to_si(reading.number)}, reading.unit.dimension});
  else
    settings.push_back({{name, read_number("--set " + name, text, mistakes)}, {}});
}

/// "[10, 700, 180] mm", or a single number.
void read_settings(const std::string& name, std::string text, std::vector<Setting>& settings, std::vector<Diagnostic>& mistakes) {
  const std::size_t close = text.rfind(']');
  if (!text.starts_with('[') || close == std::string::npos) return read_setting(name, text, "", settings, mistakes);
  const std::string behind = text.substr(close + 1);
  std::vector<std::string> components;
  text = text.substr(1, close - 1);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::size_t first = text.find_first_not_of(' ', begin);
    components.push_back(first < end ? text.substr(first, end - first) : "");
    begin = end + 1;
  }
  if (components.size() != 3) {
    mistakes.push_back({"", 0, "--set " + name, "a list of " + std::to_string(components.size()), "[x, y, z]", ""});
    return;
  }
  for (std::size_t i = 0; i < 3; ++i) read_setting(name + "." + "xyz"[i], components[i], behind, settings, mistakes);
}

std::vector<Setting> settings_of(const std::vector<std::string>& parameters) {
  std::vector<Setting> settings;
  std::vector<Diagnostic> mistakes;
  for (const std::string& text : parameters) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      mistakes.push_back({"", 0, "--set", '"' + text + '"', "name=value", ""});
    else
      read_settings(text.substr(0, equals), text.substr(equals + 1), settings, mistakes);
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return settings;
}

}  // namespace

Registry& known_types() {
  static Registry registry = builtin_registry();
  return registry;
}

void declare_plugins(CLI::App& command) {
  command
      .add_option_function<std::vector<std::string>>(
          "--plugin",
          [](const std::vector<std::string>& files) {
            for (const std::string& file : files) load_plugin(file, known_types(), "--plugin");
          },
          "a library of component types (repeatable)")
      ->type_name("LIBRARY.so")
      ->expected(1)
      ->take_all();
}

void ModelOptions::declare(CLI::App& command) {
  command.add_option("model", file, "the model's JSON file")->type_name("MODEL")->required();
  command.add_option("--set", parameters, "give a parameter another value (repeatable)")->type_name("NAME=VALUE")->expected(1)->take_all();
  declare_plugins(command);
}

std::vector<ParameterOverride> ModelOptions::overrides() const {
  std::vector<ParameterOverride> overrides;
  for (Setting& setting : settings_of(parameters)) overrides.push_back(std::move(setting.value));
  return overrides;
}

void ModelOptions::check_units(const Model& model) const {
  std::vector<Diagnostic> mistakes;
  for (const Setting& setting : settings_of(parameters))
    for (const Parameter& parameter : model.parameters) {
      if (parameter.path != setting.value.name || !setting.dimension || parameter.unit().empty()) continue;
      const auto& wanted = dimensions_of(parameter.unit());
      if (wanted && std::find(wanted->begin(), wanted->end(), *setting.dimension) == wanted->end())
        mistakes.push_back(
            {"", 0, "--set " + parameter.path, "a number in " + unit_text(*setting.dimension), "a number in " + parameter.unit(), ""});
    }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

Model ModelOptions::load() const {
  Model model = load_model(file, known_types(), overrides());
  check_units(model);
  return model;
}

double read_number(const std::string& option, const std::string& text, std::vector<Diagnostic>& mistakes) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  mistakes.push_back({"", 0, option, '"' + text + '"', "a number", ""});
  return std::numeric_limits<double>::quiet_NaN();
}

std::int64_t whole_number(const std::string& option, const std::string& text, double most, std::vector<Diagnostic>& mistakes) {
  std::vector<Diagnostic> no_number;
  const double value = read_number(option, text, no_number);
  if (value >= 1 && value <= most && value == std::floor(value)) return static_cast<std::int64_t>(value);
  mistakes.push_back({"", 0, option, '"' + text + '"', "a whole number >= 1", ""});
  return 1;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return !a.empty() && !b.empty() && a != "-" && (a == b || std::filesystem::equivalent(a, b, none));
}

}  // namespace arthron::cli
