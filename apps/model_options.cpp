#include "model_options.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "arthron/component/plugin_loader.hpp"
#include "arthron/components/builtins.hpp"

namespace arthron::cli {

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
  std::vector<Diagnostic> mistakes;
  for (const std::string& text : parameters) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      mistakes.push_back({"", 0, "--set", '"' + text + '"', "name=value", ""});
    } else {
      overrides.push_back({text.substr(0, equals), read_number("--set", text.substr(equals + 1), mistakes)});
    }
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return overrides;
}

Model ModelOptions::load() const { return load_model(file, known_types(), overrides()); }

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
