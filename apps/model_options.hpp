#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>

#include "arthron/component/registry.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/model/load.hpp"

namespace arthron::cli {

/// The component types the program knows: those compiled in, and those of plug-ins given on the command line.
[[nodiscard]] Registry& known_types();

/// --plugin, for commands that need types.
void declare_plugins(CLI::App& command);

/// MODEL, --set and --plugin, which several commands share.
struct ModelOptions {
  std::string file;
  std::vector<std::string> parameters;  // name=value

  void declare(CLI::App& command);
  /// The values given for parameters, in SI, a vector as three. Throws ModelError.
  [[nodiscard]] std::vector<ParameterOverride> overrides() const;
  /// That they have units which their parameters may have. Throws ModelError.
  void check_units(const Model& model) const;
  /// The model, with parameters replaced. Throws ModelError.
  [[nodiscard]] Model load() const;
};

/// `text` as a number; otherwise NaN and a mistake that names `option`.
[[nodiscard]] double read_number(const std::string& option, const std::string& text, std::vector<Diagnostic>& mistakes);

/// `text` as a whole number from 1 to `most`; otherwise 1 and a mistake.
[[nodiscard]] std::int64_t whole_number(const std::string& option, const std::string& text, double most, std::vector<Diagnostic>& mistakes);

[[nodiscard]] bool same_file(const std::string& a, const std::string& b);

}  // namespace arthron::cli
