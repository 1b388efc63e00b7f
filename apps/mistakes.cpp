#include "mistakes.hpp"

namespace arthron::cli {
namespace {

/// The command the user gave, or the program itself.
const CLI::App& active(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : *given.front();
}

std::vector<std::string> commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string quoted(const std::string& text) { return '"' + text + '"'; }

Diagnostic unexpected(const CLI::App& app, const std::string& word) {
  const CLI::App& command = active(app);
  if (word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    return {"",
            0,
            name,
            "an unknown option",
            "an option of arthron " + command.get_name() + " (--help lists them)",
            nearest_name(name, options(command))};
  }
  if (&command == &app) return {"", 0, "arthron", quoted(word), "one of " + list(commands(app)), nearest_name(word, commands(app))};
  return {"", 0, "arthron " + command.get_name(), "the extra argument " + quoted(word), "no more arguments", ""};
}

}  // namespace

ModelError to_model_error(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<Diagnostic> mistakes;
  for (const std::string& word : app.remaining(true)) {
    mistakes.push_back(unexpected(app, word));
    // After a misspelt command nothing else can be judged.
    if (&active(app) == &app) break;
  }
  if (mistakes.empty() && &active(app) == &app) {
    mistakes.push_back({"", 0, "arthron", "no command", "one of " + list(commands(app)) + " (--help explains them)", ""});
  }
  if (mistakes.empty()) {
    mistakes.push_back({"", 0, "arthron " + active(app).get_name(), quoted(error.what()), "arguments as --help lists them", ""});
  }
  return ModelError(std::move(mistakes));
}

}  // namespace arthron::cli
