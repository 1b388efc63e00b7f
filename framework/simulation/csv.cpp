#include "arthron/simulation/csv.hpp"

#include "arthron/simulation/shortest_text.hpp"

namespace arthron {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string csv_header(const std::vector<ChannelColumn>& columns) {
  std::string text = "t [s]";
  for (const ChannelColumn& column : columns) text += ',' + csv_field(column.name + " [" + column.unit + ']');
  return text + '\n';
}

void append_csv_row(std::string& text, double t, std::span<const double> values) {
  append_shortest(text, t);
  for (const double value : values) append_shortest(text += ',', value);
  text += '\n';
}

}  // namespace arthron
