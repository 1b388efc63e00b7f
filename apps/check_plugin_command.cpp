#include <algorithm>
#include <ostream>

#include "arthron/authoring/examine.hpp"
#include "arthron/component/body.hpp"
#include "arthron/component/plugin_loader.hpp"
#include "arthron/component/subsystem.hpp"
#include "arthron/core/diagnostic.hpp"
#include "commands.hpp"
#include "model_options.hpp"

namespace arthron::cli {
namespace {

struct CheckPluginOptions {
  std::vector<std::string> libraries, types;
  std::string model, seed = "1";
  bool builtins = false;
};

/// Names of all types, or of those alone that plug-ins bring.
std::vector<std::string> names_of(const Registry& registry, bool builtins) {
  std::vector<std::string> names;
  const auto add = [&](const auto& types) {
    for (const auto& [name, type] : types)
      if (builtins || !type->library().empty()) names.push_back(name);
  };
  add(registry.joints()), add(registry.forces()), add(registry.bodies()), add(registry.subsystems());
  return names;
}

/// What the user wants to see: the types named, or all that the libraries add, and the built-in ones where asked.
std::vector<std::string> chosen_types(const CheckPluginOptions& options, const Registry& registry) {
  if (options.types.empty()) return names_of(registry, options.builtins);
  const std::vector<std::string> known = names_of(registry, true);
  std::vector<Diagnostic> mistakes;
  for (const std::string& name : options.types)
    if (std::find(known.begin(), known.end(), name) == known.end())
      mistakes.push_back({"", 0, "--type", '"' + name + '"', "a component type", nearest_name(name, known)});
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return options.types;
}

Examination examined(const Registry& registry, const std::string& name, const ExamineOptions& options) {
  if (registry.joint(name)) return examine_joint(registry, name, options);
  if (registry.force(name)) return examine_force(registry, name, options);
  if (registry.body(name)) return examine_body(registry, name, options);
  return examine_subsystem(registry, name, options);
}

int check_plugin(const CheckPluginOptions& options, Console& console) {
  std::vector<Diagnostic> mistakes;
  ExamineOptions examine;
  examine.seed = static_cast<unsigned>(whole_number("--seed", options.seed, 4e9, mistakes));
  if (options.libraries.empty() && options.types.empty() && !options.builtins)
    mistakes.push_back({"", 0, "arthron check-plugin", "nothing to check", "libraries, --type NAME or --builtin", ""});
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));

  Registry& registry = known_types();
  for (const std::string& library : options.libraries) load_plugin(library, registry, "arthron check-plugin");
  std::optional<Model> model;
  if (!options.model.empty()) examine.model = &model.emplace(load_model(options.model, registry));
  const std::vector<std::string> names = chosen_types(options, registry);
  int failed = 0;
  for (const std::string& name : names) {
    const Examination examination = examined(registry, name, examine);
    console.out << to_text(examination) << '\n';
    if (!examination.passed()) ++failed;
  }
  console.out << names.size() << (names.size() == 1 ? " type" : " types") << " checked, " << failed << " failed\n";
  return failed == 0 ? ExitCode::success : ExitCode::check_failed;
}

}  // namespace

void add_check_plugin_command(CLI::App& app, Console& console, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("check-plugin", "check the types of plug-ins against finite differences, energy and a second solution");
  const auto options = std::make_shared<CheckPluginOptions>();
  command->add_option("libraries", options->libraries, "plug-ins, all of whose types are checked")->type_name("LIBRARY");
  command->add_option("--type", options->types, "check this type alone (repeatable)")->type_name("NAME")->expected(1)->take_all();
  command->add_flag("--builtin", options->builtins, "check the built-in types too");
  command->add_option("--model", options->model, "check the instances of this model, instead of random ones")->type_name("FILE");
  command->add_option("--seed", options->seed, "seed of random parameters and states, 1 by default")->type_name("N");
  command->callback([options, &console, &exit_code] { exit_code = check_plugin(*options, console); });
}

}  // namespace arthron::cli
