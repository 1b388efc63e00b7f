#include "arthron/model/hardpoints.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "arthron/component/json_document.hpp"
#include "arthron/component/units.hpp"
#include "arthron/model/loading.hpp"
#include "arthron/model/model.hpp"

namespace arthron {

namespace {

constexpr auto head_words = "a head with the columns name, x, y and z, as in \"name,x [mm],y [mm],z [mm]\"";

std::string stripped(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

std::vector<std::string> row_cells(std::string_view line, char separator) {
  std::vector<std::string> cells;
  while (true) {
    const std::size_t end = line.find(separator);
    cells.push_back(stripped(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

/// The power of ten that a unit is of metres; nothing for feet.
std::optional<int> decimal_shift(const Unit& unit) {
  const double power = std::log10(unit.numerator / unit.denominator), whole = std::round(power);
  return std::abs(power - whole) < 1e-9 ? std::optional(static_cast<int>(whole)) : std::nullopt;
}

/// A number of a table in SI. The point of a decimal is shifted before it is rounded to a double.
std::optional<double> length_of(const std::string& cell, const Unit& unit) {
  const std::string text = cell.starts_with('+') ? cell.substr(1) : cell;
  const auto parse = [](const std::string& digits, double& value) {
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && rest == digits.data() + digits.size() && std::isfinite(value);
  };
  double value = 0;
  if (!parse(text, value)) return {};
  const auto shift = decimal_shift(unit);
  if (!shift) return unit.to_si(value);
  const std::size_t e = text.find_first_of("eE");
  int exponent = 0;
  if (e != std::string::npos) {
    const std::size_t first = e + (text[e + 1] == '+' ? 2 : 1);
    std::from_chars(text.data() + first, text.data() + text.size(), exponent);
  }
  return parse(text.substr(0, e) + "e" + std::to_string(exponent + *shift), value) ? std::optional(value) : std::nullopt;
}

/// The shortest decimal that is the number in a unit that is a power of ten.
std::string decimal_text(double value, int shift) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), std::abs(value), std::chars_format::scientific).ptr;
  const std::string written(text.data(), end);
  const std::size_t e = written.find('e');
  std::string digits = written.substr(0, e);
  std::erase(digits, '.');
  int exponent = 0;
  std::from_chars(written.data() + e + (written[e + 1] == '+' ? 2 : 1), written.data() + written.size(), exponent);
  const int whole = exponent - shift + 1;  // digits before the point
  const std::string sign = std::signbit(value) ? "-" : "";
  if (value == 0) return sign + "0";
  constexpr int most = 40;
  if (std::abs(whole) > most) return sign + digits.substr(0, 1) + "." + digits.substr(1) + "0e" + std::to_string(whole - 1);
  if (whole <= 0) return sign + "0." + std::string(static_cast<std::size_t>(-whole), '0') + digits;
  const auto count = static_cast<std::size_t>(whole);
  if (digits.size() <= count) return sign + digits + std::string(count - digits.size(), '0');
  return sign + digits.substr(0, count) + "." + digits.substr(count);
}

/// Reads a table line by line.
class TableReading {
 public:
  TableReading(HardpointTable& table, std::vector<Diagnostic>& diagnostics) : table_(table), diagnostics_(diagnostics) {}

  void line(std::string_view text) {
    ++number_;
    text = text.substr(0, text.find('#'));
    if (stripped(text).empty()) return;
    if (columns_ == 0) return head(text);
    if (columns_ > 0) row(text);
  }

  [[nodiscard]] bool has_head() const { return columns_ != 0; }
  void complain(std::string found, std::string expected, std::string suggestion = "") {
    diagnostics_.push_back({table_.file, number_, "", std::move(found), std::move(expected), std::move(suggestion)});
  }

 private:
  void head(std::string_view text) {
    separator_ = text.find(';') != std::string_view::npos ? ';' : text.find('\t') != std::string_view::npos ? '\t' : ',';
    const std::vector<std::string> cells = row_cells(text, separator_);
    columns_ = static_cast<int>(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t bracket = cells[i].find('[');
      const std::string name = stripped(cells[i].substr(0, bracket));
      const auto place = std::find(names_.begin(), names_.end(), name);
      if (place == names_.end()) {
        complain(quote_text(cells[i]), head_words);
        columns_ = -1;
        return;
      }
      const auto column = static_cast<std::size_t>(place - names_.begin());
      at_[column] = static_cast<int>(i);
      if (bracket != std::string::npos) units_[column] = unit(cells[i].substr(bracket + 1, cells[i].find(']') - bracket - 1));
    }
    if (std::any_of(at_.begin(), at_.begin() + 4, [](int column) { return column < 0; }))
      complain(quote_text(text), head_words), columns_ = -1;
  }

  Unit unit(const std::string& text) {
    const UnitReading reading = read_unit(text);
    if (reading.unit && reading.unit->dimension == read_unit("m").unit->dimension) return *reading.unit;
    complain(quote_text(text), "a unit of length, such as mm",
             reading.unknown.empty() ? "" : nearest_name(reading.unknown, unit_symbols()));
    return {};
  }

  void row(std::string_view text) {
    const std::vector<std::string> cells = row_cells(text, separator_);
    if (std::ssize(cells) != columns_)
      return complain("a line of " + std::to_string(cells.size()), "one of " + std::to_string(columns_) + ", as the head has names");
    const auto cell = [&](std::size_t column) { return cells[static_cast<std::size_t>(at_[column])]; };
    Hardpoint point{cell(0), {}, number_};
    if (!is_name(point.name)) return complain(quote_text(point.name), name_words);
    for (const Hardpoint& other : table_.points)
      if (other.name == point.name)
        return complain(quote_text(point.name) + " again", "each point once; the first is in line " + std::to_string(other.line));
    const std::optional<Unit> own = at_[4] >= 0 && !cell(4).empty() ? std::optional(unit(cell(4))) : std::nullopt;
    std::array<double*, 3> coordinates{&point.at.x, &point.at.y, &point.at.z};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto length = length_of(cell(i + 1), own ? *own : units_[i + 1]);
      if (!length || std::abs(*length) > JsonReader::Source::largest)
        return complain(quote_text(cell(i + 1)), "a number, " + names_[i + 1] + " of " + point.name);
      *coordinates[i] = *length;
    }
    table_.points.push_back(std::move(point));
  }

  HardpointTable& table_;
  std::vector<Diagnostic>& diagnostics_;
  int number_ = 0, columns_ = 0;  // columns: 0 before the head, -1 behind one that is none
  char separator_ = ',';
  std::array<std::string, 5> names_{"name", "x", "y", "z", "unit"};
  std::array<int, 5> at_{-1, -1, -1, -1, -1};
  std::array<Unit, 5> units_{};
};

}  // namespace

HardpointTable read_hardpoints(const std::string& text, const std::string& file, std::vector<Diagnostic>& diagnostics) {
  HardpointTable table{file, {}};
  TableReading reading(table, diagnostics);
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    reading.line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (!reading.has_head()) reading.complain("no points", head_words);
  return table;
}

bool is_decimal_length(std::string_view unit) {
  constexpr std::array known{"m", "dm", "cm", "mm", "um"};
  return std::find(known.begin(), known.end(), unit) != known.end();
}

std::string hardpoint_text(const std::vector<Hardpoint>& points, std::string_view unit) {
  const std::string behind = " [" + std::string(unit) + "]";
  const int shift = decimal_shift(*unit_of_symbol(unit)).value();
  std::string text = "name,x" + behind + ",y" + behind + ",z" + behind + '\n';
  for (const Hardpoint& point : points)
    text += point.name + ',' + decimal_text(point.at.x, shift) + ',' + decimal_text(point.at.y, shift) + ',' +
            decimal_text(point.at.z, shift) + '\n';
  return text;
}

std::vector<VectorParameter> vector_parameters(const Model& model) {
  std::vector<VectorParameter> vectors;
  for (std::size_t i = 0; i + 2 < model.parameters.size(); ++i) {
    const Parameter& parameter = model.parameters[i];
    const std::string& subsystem = model.subsystems[static_cast<std::size_t>(parameter.subsystem)].path;
    // A parameter's own name has no point in it, but for a component's.
    const std::size_t own = subsystem.empty() ? 0 : subsystem.size() + 1, point = parameter.path.find('.', own);
    if (point == std::string::npos) continue;
    vectors.push_back({parameter.path.substr(0, point), static_cast<int>(i)});
    i += 2;
  }
  return vectors;
}

std::vector<Hardpoint> hardpoints_of(const Model& model, const std::string& subsystem) {
  const auto found =
      std::find_if(model.subsystems.begin(), model.subsystems.end(), [&](const Subsystem& known) { return known.path == subsystem; });
  if (found == model.subsystems.end()) {
    std::vector<std::string> paths;
    for (const Subsystem& known : model.subsystems) paths.push_back(known.path);
    throw ModelError({{"", 0, "--of", quote_text(subsystem), "a subsystem of the model", nearest_name(subsystem, paths)}});
  }
  std::vector<Hardpoint> points;
  for (const VectorParameter& vector : vector_parameters(model)) {
    const Parameter* component = &model.parameters[static_cast<std::size_t>(vector.first)];
    if (component->subsystem != found - model.subsystems.begin() || component->unit() != "m") continue;
    const std::string name = vector.path.substr(subsystem.empty() ? 0 : subsystem.size() + 1);
    points.push_back({name, {component[0].value, component[1].value, component[2].value}, 0});
  }
  return points;
}

}  // namespace arthron
