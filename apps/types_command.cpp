#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "arthron/components/examples.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/model/load.hpp"
#include "arthron/study/definition.hpp"
#include "commands.hpp"
#include "model_options.hpp"

namespace arthron::cli {
namespace {

std::string reference_of_all() { return describe_types(known_types()) + '\n' + entry_text(study_reference()); }

constexpr auto page_head = R"(# Components

You find every section of the model file and every component type here, with its keys. `arthron types --markdown` prints this page from the code
that reads model files. [model-format.md](model-format.md) explains the entries. *function of t* is a number, an expression or
a table over time; *[body, point]* is a place on a body. A key without a default is optional, unless it is required. Every joint reports
`position`, `velocity`, `momentum`, `acceleration`, `effort` and `reaction`; every body reports its pose and motion
([channels](command-line.md#channels)). The entries below say what forces report.

)";

/// The page of all types, with an example of each.
std::string page_of_all() {
  std::vector<ReferenceEntry> entries = reference_of(known_types());
  entries.push_back(study_reference());
  std::string page = page_head;
  const std::map<std::string, std::string>& examples = builtin_examples();
  for (const ReferenceEntry& entry : entries) {
    const auto example = examples.find(entry.heading());
    page += entry_markdown(entry, example == examples.end() ? "" : example->second) + '\n';
  }
  return page + "## expressions\n\n```\n" + expression_words() + "\n```\n";
}

/// The paragraph of the reference whose heading names `wanted`: "revolute" finds "joint revolute: 1 freedom".
std::string paragraph_about(const std::string& wanted) {
  std::string reference = reference_of_all();
  std::string found;
  std::vector<std::string> names;
  while (!reference.empty()) {
    const std::size_t end = reference.find("\n\n");
    const std::string paragraph = reference.substr(0, end);
    reference.erase(0, end == std::string::npos ? end : end + 2);
    std::istringstream heading(paragraph.substr(0, paragraph.find_first_of(":\n")));
    for (std::string word; heading >> word;) {
      if (word == wanted) found += (found.empty() ? "" : "\n\n") + paragraph;
      names.push_back(word);
    }
  }
  if (found.empty()) {
    throw ModelError(
        {{"", 0, "arthron types", '"' + wanted + '"', "a component type or a section of the file", nearest_name(wanted, names)}});
  }
  return found.ends_with('\n') ? found : found + '\n';
}

}  // namespace

void add_types_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("types", "list every component type with its keys, units and defaults");
  const auto wanted = std::make_shared<std::string>();
  CLI::Option* name = command->add_option("name", *wanted, "only this type or section")->type_name("NAME");
  const auto markdown = std::make_shared<bool>(false);
  command->add_flag("--markdown", *markdown, "all of it as a page with examples: docs/components.md")->excludes(name);
  declare_plugins(*command);
  command->callback([&console, wanted, markdown] {
    console.out << (*markdown ? page_of_all() : wanted->empty() ? reference_of_all() : paragraph_about(*wanted));
  });
}

void add_schema_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("schema", "print the JSON Schema of model files, or of studies");
  const auto kind = std::make_shared<std::string>("model");
  command->add_option("kind", *kind, "model (default) or study")->type_name("KIND");
  declare_plugins(*command);
  command->callback([&console, kind] {
    if (*kind != "model" && *kind != "study")
      throw ModelError({{"", 0, "arthron schema", '"' + *kind + '"', "model or study", nearest_name(*kind, {"model", "study"})}});
    console.out << (*kind == "study" ? study_schema() : model_schema(known_types())).dump(2) << '\n';
  });
}

}  // namespace arthron::cli
