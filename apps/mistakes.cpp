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
  const bool no_command = &active(app) == &app;
  std::vector<Diagnostic> mistakes;
  bool after_unknown_option = false;
  for (const std::string& word : app.remaining(true)) {
    const bool option = word.starts_with("-");
    // What follows an unknown option is taken for its value; after a misspelt command nothing else can be judged.
    if (option || !after_unknown_option) mistakes.push_back(unexpected(app, word));
    after_unknown_option = option;
    if (no_command) break;
  }
  const std::string command = no_command ? "arthron" : "arthron " + active(app).get_name();
  if (mistakes.empty() && no_command) {
    mistakes.push_back({"", 0, command, "no command", "one of " + list(commands(app)) + " (--help explains them)", ""});
  } else if (mistakes.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string text = error.what();
    if (text.starts_with("--"))
      mistakes.push_back({"", 0, text.substr(0, text.find(' ')), "nothing", "this option (--help explains it)", ""});
    else
      mistakes.push_back({"", 0, command, "no file", command + " MODEL (--help explains it)", ""});
  } else if (mistakes.empty()) {
    const std::string text = error.what();
    const bool names_option = text.starts_with("--");
    mistakes.push_back({"", 0, names_option ? text.substr(0, text.find(':')) : command, quoted(text), "what --help lists", ""});
  }
  return ModelError(std::move(mistakes));
}

}  // namespace arthron::cli
