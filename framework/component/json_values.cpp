#include <algorithm>
#include <cmath>

#include "arthron/component/json_source.hpp"
#include "arthron/component/used_names.hpp"

/// Numbers, vectors and functions: what a value of JSON means where one of them is wanted.
namespace arthron {

namespace {

std::vector<std::string> keys_of(const auto& map) {
  std::vector<std::string> keys;
  for (const auto& entry : map) keys.push_back(entry.first);
  return keys;
}

/// "x, y and t"
std::string listed(const std::vector<std::string>& words, const std::string& last, const std::string& between = ", ") {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? last : between) + words[i];
  return text;
}

std::string body_of(const Json& expression) { return expression.get_ref<const std::string&>().substr(1); }

std::string in_words(const ExpressionError& error) {
  return error.what() + (error.position() > 0 ? " at character " + std::to_string(error.position() + 1) : "");
}

/// ", a stiffness", ", in V"
std::string kind_of(const Dimension& dimension) {
  const std::string_view name = quantity_name(dimension);
  if (dimension == Dimension{}) return ", a number without unit";
  return name.empty() ? ", in " + unit_text(dimension)
                      : (std::string_view("aio").find(name.front()) == std::string_view::npos ? ", a " : ", an ") + std::string(name) +
                            " in " + unit_text(dimension);
}

}  // namespace

bool is_expression(const Json& value) { return value.is_string() && value.get_ref<const std::string&>().starts_with('='); }

std::string JsonReader::Source::values_used(const Json& expression) const {
  std::vector<std::string> names = keys_of(scope_->parameters);
  std::string list;
  for (const int i : used_names(body_of(expression), names))
    list += (list.empty() ? " (" : ", ") + names[i] + " = " + number_text(scope_->parameters.at(names[i]));
  return list.empty() ? "" : list + ")";
}

bool JsonReader::Source::depends_on_refused(const Json& expression) const {
  std::vector<std::string> names;
  for (const auto& [name, value] : scope_->parameters)
    if (std::isnan(value)) names.push_back(name);
  for (const auto& [name, value] : scope_->vectors)
    if (std::isnan(value.x)) names.push_back(name);
  return !used_names(body_of(expression), names).empty();
}

std::optional<VectorExpression> JsonReader::Source::parsed(const Json& value, std::string_view key, const std::string& inside,
                                                           const std::string& expected, const std::vector<std::string>& variables) {
  try {
    return VectorExpression::parse(body_of(value), variables, scope_->parameters, scope_->vectors);
  } catch (const ExpressionError& error) {
    if (error.token().empty() && depends_on_refused(value)) {
      failed_ = true;  // a name that is refused is neither a number nor a vector
      return {};
    }
    if (error.token().empty()) {
      report(key, quote(value), expected + "; " + in_words(error), "", inside);
      return {};
    }
    std::vector<std::string> names = keys_of(scope_->parameters);
    for (const auto& [name, vector] : scope_->vectors) names.push_back(name);
    for (const std::string& variable : variables) names.push_back(variable);
    names.insert(names.end(), Expression::known_names().begin(), Expression::known_names().end());
    std::string words = expected + "; the expression has the " + error.what();
    if (error.token() == "t") words += ": time is known in functions of time only";
    if (scope_->signals.contains(error.token())) words += ": a signal is known in functions of time only";
    if (error.token() != "t" && unit_of_symbol(error.token())) words += ": a unit stands behind a number, as in 5 " + error.token();
    report(key, quote(value), words, nearest_name(error.token(), names), inside);
    return {};
  }
}

std::optional<Expression> JsonReader::Source::parsed_number(const Json& value, std::string_view key, const std::string& inside,
                                                            const std::string& expected, const std::vector<std::string>& variables) {
  auto expression = parsed(value, key, inside, expected, variables);
  if (!expression) return {};
  if (!expression->is_vector()) return std::move(expression->components.front());
  report(key, quote(value) + ", a vector", expected + " (.x, .y and .z are components)", "", inside);
  return {};
}

std::optional<double> JsonReader::Source::finite(const Expression& component, const Json& value, std::string_view key,
                                                 const std::string& inside, const std::string& expected) {
  const double result = component.evaluate<double>(nullptr);
  if (std::abs(result) <= largest) return result;
  if (std::isnan(result) && depends_on_refused(value)) {
    failed_ = true;
    return {};
  }
  const bool divided_by_zero = !std::isfinite(result) && component.divides_by_zero(nullptr);
  const std::string found = divided_by_zero ? ", a division by zero" + values_used(value)
                                            : ", which is " + (std::isfinite(result) ? number_text(result) : "not a finite number");
  report(key, quote(value) + found, expected + " (at most " + number_text(largest) + " in size)", "", inside);
  return {};
}

std::optional<std::vector<double>> JsonReader::Source::evaluated(const Json& value, std::string_view key, const std::string& inside,
                                                                 const std::string& expected) {
  const auto expression = parsed(value, key, inside, expected, {});
  if (!expression) return {};
  std::vector<double> numbers;
  for (const Expression& component : expression->components) {
    const auto number = finite(component, value, key, inside, expected);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<JsonReader::Source::Quantity> JsonReader::Source::quantity(const Json& value, std::string_view key, const std::string& inside,
                                                                         const std::string& expected) {
  Quantity given;
  if (is_expression(value)) {
    const auto expression = parsed_number(value, key, inside, expected, {});
    const auto result = expression ? finite(*expression, value, key, inside, expected) : std::nullopt;
    return result ? std::optional(Quantity{*result, false, {}}) : std::nullopt;
  }
  if (value.is_string()) {
    const QuantityReading reading = read_quantity(value.get_ref<const std::string&>());
    if (!reading.is_one) {
      report(key, quote(value), expected + " or an expression \"=...\"", "", inside);
      return {};
    }
    if (!reading.unknown.empty()) {
      report(key, quote(value) + ", where " + quote_text(reading.unknown) + " is no unit", expected + ", as in \"25 N/mm\"",
             nearest_name(reading.unknown, unit_symbols()), inside);
      return {};
    }
    given = {reading.unit.to_si(reading.number), false, reading.unit.dimension};
  } else if (value.is_number()) {
    given = {value.get<double>(), true, {}};
  } else {
    report(key, quote(value), expected, "", inside);
    return {};
  }
  if (std::abs(given.value) <= largest) return given;
  report(key, quote(value), expected + " (at most " + number_text(largest) + " in size)", "", inside);
  return {};
}

double JsonReader::Source::in_si(double bare, std::string_view unit) const {
  if (!scope_ || scope_->units.empty()) return bare;
  const auto& wanted = dimensions_of(unit);
  if (!wanted || wanted->size() != 1) return bare;
  for (const Unit& own : scope_->units)
    if (own.dimension == wanted->front()) return own.to_si(bare);
  return bare;
}

std::optional<double> JsonReader::Source::in_unit(const Quantity& given, const Json& value, std::string_view key, const std::string& inside,
                                                  const std::string& expected, std::string_view unit) {
  if (given.bare) return in_si(given.value, unit);
  if (!given.dimension) return given.value;
  const auto& wanted = dimensions_of(unit);
  if (!wanted || std::find(wanted->begin(), wanted->end(), *given.dimension) != wanted->end()) return given.value;
  report(key, quote(value) + kind_of(*given.dimension), expected, "", inside);
  return {};
}

std::optional<double> JsonReader::Source::number(const Json& value, std::string_view key, const std::string& inside,
                                                 const std::string& expected, std::string_view unit) {
  const auto given = quantity(value, key, inside, expected);
  return given ? in_unit(*given, value, key, inside, expected, unit) : std::nullopt;
}

std::optional<Vec3> JsonReader::Source::vector(const Json& value, std::string_view key, const std::string& inside,
                                               const std::string& expected, std::string_view unit) {
  if (is_expression(value)) {
    const auto numbers = evaluated(value, key, inside, expected);
    if (!numbers) return {};
    if (numbers->size() == 3) return Vec3{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
    report(key, quote(value) + ", which is the number " + number_text(numbers->front()), expected, "", inside);
    return {};
  }
  if (!value.is_array() || value.size() != 3) {
    const bool named = value.is_string() && scope_->vectors.contains(value.get<std::string>());
    report(key, quote(value), expected, named ? "=" + value.get<std::string>() : "", inside);
    return {};
  }
  const auto component = [&](std::size_t i) { return number(value[i], key, inside + item_pointer(i), "a number", unit); };
  const auto x = component(0), y = component(1), z = component(2);
  if (!x || !y || !z) return {};
  return Vec3{*x, *y, *z};
}

std::optional<Vec3> JsonReader::Source::point(const Json& value, std::string_view key, const std::string& inside,
                                              const Pose<double>& frame) {
  constexpr auto expected = "a point: [x, y, z] in m or the name of a point";
  if (!value.is_string() || is_expression(value)) {
    const auto local = vector(value, key, inside, expected, "m");
    return local ? std::optional(frame * *local) : std::nullopt;
  }
  const std::string& name = value.get_ref<const std::string&>();
  const auto found = scope_->points.find(name);
  if (found != scope_->points.end()) scope_->used_ports.insert(name);
  if (found == scope_->points.end() && is_in_broken_subsystem(name))
    return {};
  else if (found == scope_->points.end())
    report(key, quote(value), expected, nearest_name(name, keys_of(scope_->points)), inside);
  else if (!found->second)
    failed_ = true;
  else
    return found->second;
  return {};
}

std::optional<BodyIndex> JsonReader::Source::body(const Json& value, std::string_view key, const std::string& inside) {
  const bool composed = !scope_->directions.empty() || !scope_->out_of_reach.empty();
  const std::string expected =
      composed ? "the name of a body, ground or mount, or subsystem.port for an output" : "the name of a body, ground or mount";
  if (!value.is_string()) {
    report(key, quote(value), expected, "", inside);
    return {};
  }
  const std::string& name = value.get_ref<const std::string&>();
  if (const auto found = scope_->bodies.find(name); found != scope_->bodies.end()) {
    scope_->used_ports.insert(name);
    if (!found->second.valid()) failed_ = true;
    return found->second.valid() ? std::optional(found->second) : std::nullopt;
  }
  if (is_in_broken_subsystem(name)) return {};
  if (const auto hidden = scope_->out_of_reach.find(name); hidden != scope_->out_of_reach.end())
    report(key, quote(value) + ", " + hidden->second.what, expected, hidden->second.port, inside);
  else
    report(key, quote(value), expected, nearest_name(name, keys_of(scope_->bodies)), inside);
  return {};
}

int JsonReader::Source::port(const Json* value) const {
  if (!value || !value->is_string()) return -1;
  const auto found = scope_->ports.find(value->get_ref<const std::string&>());
  return found == scope_->ports.end() ? -1 : found->second;
}

std::optional<TimeFunction> JsonReader::Source::with_signals(const Json& value, const Expression& parsed,
                                                             const std::vector<std::string>& variables) const {
  std::vector<std::string> used{"t"};
  std::vector<TimeFunction> signals;
  for (const int variable : parsed.used_variables())
    if (variable > 0) {
      used.push_back(variables[variable]);
      signals.push_back(scope_->signals.at(used.back()));
    }
  if (signals.empty()) return TimeFunction(parsed);
  scope_->signals_used = true;
  if (signals.size() > TimeFunction::max_signals) return {};
  return TimeFunction(VectorExpression::parse_number(body_of(value), used, scope_->parameters, scope_->vectors), std::move(signals));
}

bool JsonReader::Source::is_in_broken_subsystem(const std::string& name) {
  const bool broken = scope_->broken.contains(name.substr(0, name.find('.')));
  failed_ = failed_ || broken;
  return broken;
}

std::optional<Vec3> JsonReader::Source::port_direction(const Json& value, std::string_view key, const std::string& expected) {
  const std::string& name = value.get_ref<const std::string&>();
  if (const auto found = scope_->directions.find(name); found != scope_->directions.end()) {
    scope_->used_ports.insert(name);
    return found->second;
  }
  if (!is_in_broken_subsystem(name)) report(key, quote(value), expected, nearest_name(name, keys_of(scope_->directions)));
  return {};
}

std::optional<Table> JsonReader::Source::table(const Json& value, std::string_view key, const std::string& inside,
                                               Table::Interpolation interpolation, std::string_view units) {
  if (!value.is_array() || value.size() < 2) {
    report(key, quote(value), "a list of at least two points [[x, y], ...]", "", inside);
    return {};
  }
  std::vector<double> x, y;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Json& row = value[i];
    if (!row.is_array() || row.size() != 2) {
      report(key, quote(row), "a pair [x, y]", "", inside + item_pointer(i));
      return {};
    }
    const auto at = number(row[0], key, inside + item_pointer(i) + "/0", "a number", unit_of_entry(units, 0)),
               level = number(row[1], key, inside + item_pointer(i) + "/1", "a number", unit_of_entry(units, 1));
    if (!at || !level) return {};
    // Closer points than this make slopes that overflow.
    if (!x.empty() && !(*at - x.back() > 1e-12 * std::max({std::abs(*at), std::abs(x.back()), 1e-12}))) {
      report(key, number_text(*at) + " after " + number_text(x.back()), "x increasing from row to row", "",
             inside + item_pointer(i) + "/0");
      return {};
    }
    x.push_back(*at), y.push_back(*level);
  }
  return Table(std::move(x), std::move(y), interpolation);
}

std::optional<Table> JsonReader::Source::curve(const Json& value, std::string_view key, const std::string& inside,
                                               Table::Interpolation interpolation, std::string_view units) {
  if (!value.is_object()) return table(value, key, inside, interpolation, units);
  const std::size_t mistakes = scope_->diagnostics.size();
  const Json* points = nullptr;
  for (const auto& [name, entry] : value.get_ref<const Json::object_t&>()) {
    if (name == "table")
      points = &entry;
    else if (name != "interpolation")
      report(key, "the unknown key " + quote_text(name), "\"table\" and \"interpolation\"", nearest_name(name, {"table", "interpolation"}),
             inside + join_pointer("", name));
    else if (entry == "smooth" || entry == "linear")
      interpolation = entry == "smooth" ? Table::Interpolation::smooth : Table::Interpolation::linear;
    else
      report(key, quote(entry), "\"smooth\" or \"linear\"",
             entry.is_string() ? nearest_name(entry.get<std::string>(), {"smooth", "linear"}) : "", inside + "/interpolation");
  }
  if (scope_->diagnostics.size() > mistakes) return {};
  if (points) return table(*points, key, inside + "/table", interpolation, units);
  report(key, "an object without \"table\"", "{\"table\": [[x, y], ...]}", "", inside);
  return {};
}

std::vector<std::string> JsonReader::Source::time_variables() const {
  std::vector<std::string> variables{"t"};
  for (const auto& [name, signal] : scope_->signals) variables.push_back(name);
  return variables;
}

bool JsonReader::Source::yields_vector(const Json& value) const {
  if (!is_expression(value)) return false;
  try {
    return VectorExpression::parse(body_of(value), time_variables(), scope_->parameters, scope_->vectors).is_vector();
  } catch (const ExpressionError&) {
    return false;  // told when it is read
  }
}

std::optional<TimeFunction> JsonReader::Source::time_function(const Json& value, std::string_view key, const std::string& inside,
                                                              const std::string& unit) {
  const std::string expected = number_words(unit, Range::any()) + ", an expression of t or {\"table\": [[t, value], ...]}";
  if (value.is_object()) {
    auto points = curve(value, key, inside, Table::Interpolation::smooth, "s, " + unit);
    return points ? std::optional(TimeFunction(std::move(*points))) : std::nullopt;
  }
  if (!is_expression(value)) {
    const auto constant = number(value, key, inside, expected, unit);
    return constant ? std::optional(TimeFunction(*constant)) : std::nullopt;
  }
  const std::vector<std::string> variables = time_variables();
  const auto expression = parsed_number(value, key, inside, expected, variables);
  if (!expression) return {};
  const auto composed = with_signals(value, *expression, variables);
  if (!composed) {
    report(key, quote(value), "at most " + std::to_string(TimeFunction::max_signals) + " signals in one expression", "", inside);
    return {};
  }
  const TimeFunction& function = *composed;
  const double start = function.value(0);
  if (std::abs(start) <= largest || function.is_measured()) return function;
  if (std::isnan(start) && depends_on_refused(value))
    failed_ = true;
  else
    report(key, quote(value), "a finite value at t = 0 (at most " + number_text(largest) + " in size)", "", inside);
  return {};
}

std::optional<Expression> JsonReader::Source::expression(const Json& value, std::string_view key, const std::string& unit,
                                                         const std::vector<std::string>& variables) {
  const std::string expected = number_words(unit, Range::any()) + " or an expression of " + listed(variables, " and ");
  if (!is_expression(value)) {
    const auto level = number(value, key, "", expected, unit);
    return level ? std::optional(Expression::constant(*level)) : std::nullopt;
  }
  auto expression = parsed_number(value, key, "", expected, variables);
  if (!expression) return {};
  const std::vector<double> origin(variables.size());
  const double start = expression->evaluate(origin.data());
  if (std::abs(start) <= largest) return expression;
  if (std::isnan(start) && depends_on_refused(value))
    failed_ = true;
  else
    report(key, quote(value),
           "a finite value at " + listed(variables, " = ", " = ") + " = 0 (at most " + number_text(largest) + " in size)");
  return {};
}

}  // namespace arthron
