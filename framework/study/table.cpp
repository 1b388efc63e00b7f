#include "arthron/study/table.hpp"

#include <algorithm>
#include <charconv>

#include "arthron/simulation/csv.hpp"
#include "arthron/simulation/shortest_text.hpp"

namespace arthron {
namespace {

constexpr std::string_view status_names[] = {"ok", "refused", "failed"};

std::string heading(const ChannelColumn& column) { return csv_field(column.name + (column.unit.empty() ? "" : " [" + column.unit + ']')); }

/// What a row begins with, whatever comes of it.
std::string beginning(const Study& study, std::size_t variant) {
  std::string text = std::to_string(variant);
  for (const double value : study.values(variant)) append_shortest(text += ',', value);
  return text + ',';
}

/// Takes the text up to the next comma.
std::string_view take_field(std::string_view& rest) {
  const std::string_view field = rest.substr(0, rest.find(','));
  rest.remove_prefix(std::min(rest.size(), field.size() + 1));
  return field;
}

template <class Number>
bool read(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string without_quotes(std::string_view field) {
  if (!field.starts_with('"')) return std::string(field);
  std::string text;
  for (std::size_t i = 1; i + 1 < field.size(); ++i) {
    text += field[i];
    if (field[i] == '"') ++i;
  }
  return text;
}

}  // namespace

std::string_view name_of(StudyRow::Status status) { return status_names[static_cast<int>(status)]; }

std::string study_header(const Study& study) {
  std::string text = "variant";
  for (const ChannelColumn& column : study.parameters()) text += ',' + heading(column);
  text += ",status";
  for (const ChannelColumn& column : study.results()) text += ',' + heading(column);
  return text + ",message\n";
}

std::string study_line(const Study& study, const StudyRow& row) {
  std::string text = beginning(study, row.variant) + std::string(name_of(row.status));
  for (const double result : row.results) append_shortest(text += ',', result);
  if (row.results.empty()) text.append(study.results().size(), ',');
  return text + ',' + csv_field(row.message) + '\n';
}

std::optional<StudyRow> read_study_line(const Study& study, std::string_view line) {
  StudyRow row;
  if (!line.ends_with('\n')) return {};
  line.remove_suffix(1);
  std::string_view rest = line;
  if (!read(take_field(rest), row.variant) || row.variant >= study.size()) return {};
  const std::string expected = beginning(study, row.variant);
  if (!line.starts_with(expected)) return {};
  rest = line.substr(expected.size());
  const std::string_view word = take_field(rest);
  const auto status = std::find(std::begin(status_names), std::end(status_names), word);
  if (status == std::end(status_names)) return {};
  row.status = static_cast<StudyRow::Status>(status - std::begin(status_names));
  for (std::size_t i = 0; i < study.results().size(); ++i) {
    const std::string_view field = take_field(rest);
    if (row.status == StudyRow::Status::ok && !read(field, row.results.emplace_back())) return {};
  }
  row.message = without_quotes(rest);
  // A row that is written as it was read is whole.
  if (std::string again = study_line(study, row); again.size() != line.size() + 1 || !again.starts_with(line)) return {};
  return row;
}

}  // namespace arthron
