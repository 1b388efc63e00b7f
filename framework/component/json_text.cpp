#include "arthron/component/json_text.hpp"

#include <algorithm>
#include <cctype>

#include "arthron/component/json_document.hpp"

namespace arthron {

namespace {

/// Blanks text[first, last) but for its ends of lines.
void blank(std::string& text, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    if (text[i] != '\n') text[i] = ' ';
}

/// Behind the string that begins at `i`.
std::size_t end_of_string(const std::string& text, std::size_t i) {
  for (++i; i < text.size() && text[i] != '"'; ++i)
    if (text[i] == '\\') ++i;
  return std::min(i + 1, text.size());
}

/// What follows `mark` in `text`; "" where there is none.
std::string after(const std::string& text, const std::string& mark) {
  const auto place = text.find(mark);
  return place == std::string::npos ? "" : text.substr(place + mark.size());
}

bool is_value(const std::string& token) {
  return !token.empty() &&
         (token[0] == '"' || token[0] == '{' || token[0] == '[' || token[0] == '-' || std::isalnum(static_cast<unsigned char>(token[0])));
}

}  // namespace

std::string plain_json(std::string text, const std::string& file, std::vector<Diagnostic>& diagnostics) {
  std::size_t comma = std::string::npos;  // the last thing but space and comments, behind a value
  bool behind_value = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '/' && next == '/') {
      const std::size_t end = std::min(text.find('\n', i), text.size());
      blank(text, i, end);
      i = end;
    } else if (c == '/' && next == '*') {
      const std::size_t end = text.find("*/", i + 2);
      if (end == std::string::npos) {
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
        diagnostics.push_back({file, static_cast<int>(line), "", "a comment without an end", "*/ behind it", ""});
      }
      const std::size_t behind = end == std::string::npos ? text.size() : end + 2;
      blank(text, i, behind);
      i = behind;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else {
      if ((c == '}' || c == ']') && comma != std::string::npos) text[comma] = ' ';
      comma = c == ',' && behind_value ? i : std::string::npos;
      behind_value = c != ',' && c != '[' && c != '{' && c != ':';
      i = c == '"' ? end_of_string(text, i) : i + 1;
    }
  }
  return text;
}

SyntaxMistake name_mistake(const std::string& message, const std::string& token) {
  // "[json.exception...] parse error at line 1, column 5: syntax error while parsing value - REASON; expected WHAT"
  const std::string said = after(message, " - "), expected = after(said, "; expected "), reason = said.substr(0, said.find("; "));
  const char last = token.empty() ? '\0' : token.back();
  const bool literal = reason.starts_with("invalid literal");
  if (literal && last == '\'') return {"a single quote", "double quotes: JSON knows no others"};
  if (literal && expected.starts_with("string literal")) return {"a name without quotes", "names in double quotes"};
  if (literal && (last == 'T' || last == 'F' || last == 'N' || last == 'I' || last == 'u'))
    return {"a word that JSON does not know", "true, false, null, a number, or text in double quotes"};
  if (literal && last == '+') return {"a plus sign", "a number without it"};
  if (literal && last == '.') return {"a number that begins with a point", "a digit before the point, as in 0.5"};
  const bool ended = reason.find("end of input") != std::string::npos;
  if (!ended && (expected == "'}'" || expected == "']'") && is_value(token))
    return {"no comma before " + quote_text(token), "a comma between two values"};
  std::string found = reason.starts_with("unexpected ") ? reason.substr(11) : reason;
  if (found.empty()) found = "a syntax error";
  if (!token.empty() && !ended) found += " at " + quote_text(token);
  return {found, expected.empty() ? "valid JSON" : expected};
}

}  // namespace arthron
