#include "support/fuzz/verdict.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "cli.hpp"
#include "support/fuzz/files.hpp"

namespace arthron::fuzz {

namespace {

namespace fs = std::filesystem;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.'; }

/// True where a text has a word that is no finite number, such as nan or -inf.
bool has_unfinite_word(const std::string& text) {
  for (const std::string word : {"nan", "inf", "NaN", "Infinity"}) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const bool begins = at == 0 || !is_letter(text[at - 1]);
      const std::size_t end = at + word.size();
      if (begins && (end == text.size() || !is_letter(text[end]))) return true;
    }
  }
  return false;
}

bool is_documented(const std::string& command, int code, bool may_be_interrupted) {
  using Code = cli::ExitCode;
  if (code == Code::check_failed) return command == "check-plugin";
  if (code == Code::interrupted) return may_be_interrupted;
  return code == Code::success || code == Code::user_mistake || code == Code::numerical_failure;
}

/// What the message is about: a mistake of the user's, or a computation that fails.
enum class Cause { mistake, computation };

/// A place, and what is wrong there.
struct Message {
  std::string place, words;

  /// An option, a command; FILE:LINE of a file that is there, with JSON pointer (or column, of a list) where it is JSON; a file alone where
  /// it is no text or cannot be read.
  [[nodiscard]] bool has_place() const {
    if (place.starts_with("-") || place.starts_with("arthron")) return true;
    const std::string file = place.substr(0, place.find(':')), rest = place.substr(file.size());
    const bool is_json = file.ends_with(".json"), is_text = is_json || file.ends_with(".csv");
    if (rest.empty()) return !file.empty() && file.find(' ') == std::string::npos && !(is_text && fs::is_regular_file(file));
    const std::size_t end = rest.find_first_not_of("0123456789", 1);
    const bool has_line = fs::exists(file) && end != 1 && rest[1] != '0';
    return has_line && (!is_json || (end != std::string::npos && rest.substr(end).starts_with(": ")));
  }

  /// A mistake is what was found and what was expected instead.
  [[nodiscard]] bool has_words(Cause cause) const {
    const std::string found = "  found ", expected = "; expected ";
    const std::size_t between = words.find(expected);
    if (cause == Cause::computation) return !words.empty();
    return words.starts_with(found) && between != std::string::npos && between > found.size() && words.size() > between + expected.size();
  }
};

/// Every mistake is a place and, below it and indented, what was found there.
std::string fault_of_messages(const std::string& text, Cause cause) {
  std::vector<Message> messages;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  "))
      messages.push_back({line, ""});
    else if (messages.empty())
      return "a message without a place: " + line;
    else
      messages.back().words += line;
  }
  if (messages.empty()) return "no message";
  for (const Message& message : messages) {
    if (!message.has_place()) return "a message without a place: " + message.place;
    if (!message.has_words(cause)) return "a message that does not say what was found and what was expected: " + message.place;
  }
  return "";
}

/// Commas outside of quotes.
std::size_t commas(const std::string& line) {
  std::size_t count = 0;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) ++count;
  }
  return count;
}

bool is_whole_table(const std::string& text) {
  if (!text.ends_with('\n')) return false;
  std::istringstream lines(text);
  std::optional<std::size_t> columns;
  for (std::string line; std::getline(lines, line);)
    if (columns.value_or(commas(line)) != commas(line))
      return false;
    else
      columns = commas(line);
  return true;
}

bool is_whole(const fs::path& file, const std::string& text) {
  const std::string kind = file.extension().string();
  if (kind == ".csv") return is_whole_table(text);
  if (kind == ".json") return nlohmann::json::accept(text);
  if (kind == ".html") return text.find("</html>", text.size() < 100 ? 0 : text.size() - 100) != std::string::npos;
  if (kind == ".svg") return text.find("</svg>", text.size() < 100 ? 0 : text.size() - 100) != std::string::npos;
  if (kind == ".dot") return text.ends_with("}\n");
  return false;  // nobody asked for another file
}

std::string fault_of_files(const std::vector<std::string>& arguments, int code) {
  const std::string& command = arguments.front();
  for (const auto& entry : fs::recursive_directory_iterator("out")) {
    if (entry.is_directory()) continue;
    const std::string name = entry.path().string(), text = read_file(entry.path());
    if (name.ends_with(".journal") && code == cli::ExitCode::interrupted) continue;
    if (!is_whole(entry.path(), text)) return "half a file, or one that nobody asked for: " + name;
    // `nan` in curves of kc is what is not defined at a row, and so it is documented.
    const bool numbers = name.ends_with(".csv") && command != "kc";
    if (code == cli::ExitCode::success && numbers && has_unfinite_word(text))
      return "exit code 0 with a number that is not finite in " + name;
  }
  if (code != cli::ExitCode::success) return "";
  for (std::size_t i = 1; i < arguments.size(); ++i)
    if (arguments[i].starts_with("out/") && arguments[i - 1] != "--channel" && !fs::exists(arguments[i]))
      return "exit code 0 without " + arguments[i];
  return "";
}

}  // namespace

std::string fault_of(const std::vector<std::string>& arguments, const Outcome& outcome, bool may_be_interrupted) {
  const std::string& command = arguments.front();
  if (!is_documented(command, outcome.code, may_be_interrupted)) return "exit code " + std::to_string(outcome.code);
  if (outcome.code == cli::ExitCode::user_mistake || outcome.code == cli::ExitCode::numerical_failure) {
    const Cause cause = outcome.code == cli::ExitCode::user_mistake ? Cause::mistake : Cause::computation;
    const bool tells_of_variants = command == "sweep" && cause == Cause::computation;
    if (std::string fault = fault_of_messages(outcome.err, cause); !fault.empty() && !tells_of_variants) return fault;
  }
  const bool shows_numbers = command == "run" || command == "check" || command == "inverse" || command == "sweep";
  if (outcome.code == cli::ExitCode::success && shows_numbers && has_unfinite_word(outcome.out))
    return "exit code 0 with a number that is not finite on the console";
  return fault_of_files(arguments, outcome.code);
}

}  // namespace arthron::fuzz
