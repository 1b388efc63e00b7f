#include "plotting/result_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string_view>

#include "arthron/component/json_document.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/core/text_file.hpp"

namespace arthron::cli {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Takes the fields of one row after another.
class Rows {
 public:
  Rows(std::string_view text, const std::string& file) : rest_(text), file_(file) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  [[nodiscard]] int line() const { return line_; }

  /// False at the end. Lines without a character are none.
  bool next(std::vector<std::string_view>& fields) {
    fields.clear();
    while (take_end_of_line()) continue;
    if (rest_.empty()) return false;
    line_ = next_line_;
    do fields.push_back(field());
    while (take(','));
    if (!rest_.empty() && !take_end_of_line()) refuse("text behind a closing quote", "a comma or the end of the line");
    return true;
  }

  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const {
    throw ModelError({{file_, line_, "", found, expected, ""}});
  }

 private:
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_end_of_line() {
    if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
    if (!take('\n')) return false;
    ++next_line_;
    return true;
  }

  /// Without its quotes. Doubled quotes stay doubled: names have none, and words are not drawn.
  std::string_view field() {
    if (!take('"')) {
      const std::string_view plain = rest_.substr(0, rest_.find_first_of(",\r\n"));
      rest_.remove_prefix(plain.size());
      return plain;
    }
    std::size_t end = 0;
    while ((end = rest_.find('"', end)) != std::string_view::npos && rest_.substr(end).starts_with("\"\"")) end += 2;
    if (end == std::string_view::npos) refuse("a quote that nothing closes", "a closing quote");
    const std::string_view quoted = rest_.substr(0, end);
    for (const char c : quoted) next_line_ += c == '\n' ? 1 : 0;
    rest_.remove_prefix(end + 1);
    return quoted;
  }

  std::string_view rest_;
  const std::string& file_;
  int line_ = 0, next_line_ = 1;
};

bool read_number(std::string_view text, double& value) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  value = nan;
  if (text.empty()) return true;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

ResultColumn heading(std::string_view field) {
  const std::size_t bracket = field.rfind(" [");
  if (bracket == std::string_view::npos || !field.ends_with(']')) return {std::string(field), "", {}};
  return {std::string(field.substr(0, bracket)), std::string(field.substr(bracket + 2, field.size() - bracket - 3)), {}};
}

/// A number where there is one; words make a column of text of one that has no unit and had no number yet.
void add_value(ResultColumn& column, std::string_view field, const Rows& rows) {
  double value = nan;
  if (!column.words && !read_number(field, value)) {
    const bool numbers = std::any_of(column.values.begin(), column.values.end(), [](double earlier) { return !std::isnan(earlier); });
    if (numbers || !column.unit.empty())
      rows.refuse(quote_text(field.substr(0, 60)) + " in the column " + quote_text(column.name), "a number");
    column.words = true;
  }
  column.values.push_back(column.words ? nan : value);
}

}  // namespace

ResultTable parse_result(const std::string& text, const std::string& file) {
  ResultTable table{file, {}};
  Rows rows(text, table.file);
  std::vector<std::string_view> fields;
  if (!rows.next(fields)) throw ModelError({{file, 1, "", "nothing", "a table with a heading, as arthron run writes it", ""}});
  double number = 0;
  for (const std::string_view field : fields) {
    if (read_number(field, number))
      rows.refuse(field.empty() ? "a column without a name" : "the number " + std::string(field.substr(0, 60)),
                  "a heading of names, such as `t [s]`");
    table.columns.push_back(heading(field));
  }
  while (rows.next(fields)) {
    if (fields.size() != table.columns.size())
      rows.refuse(std::to_string(fields.size()) + (fields.size() == 1 ? " field" : " fields"),
                  std::to_string(table.columns.size()) + ", as the heading has");
    for (std::size_t i = 0; i < fields.size(); ++i) add_value(table.columns[i], fields[i], rows);
  }
  if (table.rows() == 0) throw ModelError({{file, 1, "", "a heading and no row", "rows of numbers below it", ""}});
  return table;
}

ResultTable read_result(const std::string& file, const std::string& option) {
  if (file == "-") return parse_result({std::istreambuf_iterator<char>(std::cin), {}}, "standard input");
  std::string trouble;
  const std::string text = read_text(file, trouble, largest_result);
  if (!trouble.empty()) throw ModelError({{"", 0, option, quote_text(file) + ", " + trouble, "a CSV file that can be read", ""}});
  return parse_result(text, file);
}

}  // namespace arthron::cli
