#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "arthron/component/used_names.hpp"
#include "arthron/model/dependency_order.hpp"
#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

using std::size_t;
using Quantity = JsonReader::Source::Quantity;

constexpr Key value_key{"value", "any unit", "its value: a number, or a vector [x, y, z]"};
constexpr Key table_key{"from", "", "table of hardpoints, a CSV file relative to this one"};
constexpr auto parameter_words = "a number, or a vector [x, y, z]";
constexpr std::array<const char*, 3> component_names{".x", ".y", ".z"};

/// What the parameter's expressions refer to, as places in `names`.
std::vector<int> needs_of(const Json* value, const std::vector<std::string>& names) {
  if (value && value->is_object()) value = value->contains("value") ? &(*value)["value"] : nullptr;
  std::vector<int> needs;
  const auto add = [&](const Json& part) {
    if (!is_expression(part)) return;
    const std::vector<int> used = used_names(part.get_ref<const std::string&>().substr(1), names);
    needs.insert(needs.end(), used.begin(), used.end());
  };
  if (value && value->is_array())
    for (const Json& part : *value) add(part);
  else if (value)
    add(*value);
  return needs;
}

Quantity not_a_number() { return {std::nan(""), false, {}}; }

/// A parameter of the file, before it is known to be one number or three.
struct ReadParameter {
  std::vector<Quantity> numbers;
  ParameterKind kind;
  std::optional<Unit> unit;  // that its bare numbers have
};

/// What the unit says: of the bare numbers in the parameter's object. Words that are no unit are for readers alone.
void read_parameter_unit(const JsonReader& in, ReadParameter& parameter) {
  const std::string text = in.text_or({"unit", "", "unit of the bare numbers in value and range"}, "");
  if (text.empty()) return;
  const UnitReading reading = read_unit(text);
  const std::string meant = reading.unit ? "" : nearest_name(reading.unknown, unit_symbols());
  if (!meant.empty())
    in.source().report("unit", quote_text(text) + ", where " + quote_text(reading.unknown) + " is no unit", "a unit", meant);
  parameter.unit = reading.unit ? *reading.unit : Unit();
  const bool si = parameter.unit->numerator == parameter.unit->denominator;
  parameter.kind.unit = si && text != "1" && text != "-" ? text : unit_text(parameter.unit->dimension);
}

/// The number in SI.
double settled(const Quantity& given, const Json& value, const std::string& key, const std::string& inside, const JsonReader& in,
               ReadParameter& parameter) {
  if (given.bare && parameter.unit) return parameter.unit->to_si(given.value);
  const std::string& wanted = parameter.kind.unit;
  const auto number = in.source().in_unit(given, value, key, inside, number_words(wanted, Range::any()), wanted);
  return number.value_or(std::nan(""));
}

void settle(const JsonReader& in, const std::string& key, const Json& value, ReadParameter& parameter) {
  const bool vector = parameter.numbers.size() == 3;
  const auto has_dimension = [](const Quantity& number) { return number.dimension.has_value(); };
  const auto one = std::find_if(parameter.numbers.begin(), parameter.numbers.end(), has_dimension);
  // What says no unit is of the first one that it has; a vector without any is a point.
  if (!parameter.unit && one != parameter.numbers.end()) parameter.kind.unit = unit_text(*one->dimension);
  if (!parameter.unit && one == parameter.numbers.end() && vector) parameter.kind.unit = "m";
  for (size_t i = 0; i < parameter.numbers.size(); ++i) {
    const bool listed = value.is_array();
    Quantity& number = parameter.numbers[i];
    number = {settled(number, listed ? value[i] : value, key, listed ? "/" + std::to_string(i) : "", in, parameter), false, {}};
  }
}

void read_bounds(const JsonReader& in, ReadParameter& parameter) {
  const std::vector<double> bounds = in.coordinates({"range", "any unit", "[lowest, highest] value allowed"}, 2);
  if (bounds.size() != 2 || in.describing()) return;
  const Json& written = *in.source().find("range");
  const auto bound = [&](size_t i) { return written[i].is_number() && parameter.unit ? parameter.unit->to_si(bounds[i]) : bounds[i]; };
  parameter.kind.range = {bound(0), bound(1)};
  if (bound(0) > bound(1)) in.complain("range", "a lowest value above the highest", "[lowest, highest]");
}

/// One that is described by an object.
ReadParameter read_described(const JsonReader& in) {
  ReadParameter parameter;
  read_parameter_unit(in, parameter);
  const Json* value = in.source().ask(KeyDescription::Kind::number, value_key, true);
  if (in.describing()) (void)in.vector(value_key);
  if (value) parameter.numbers = read_numbers_given(in, "value", *value);
  if (!parameter.numbers.empty()) settle(in, "value", *value, parameter);
  read_bounds(in, parameter);
  parameter.kind.tunable = in.flag_or({"tunable", "", "may be changed while the model runs: a slider of run --live"}, false);
  if (in.failed())
    for (Quantity& number : parameter.numbers) number = not_a_number();
  return parameter;
}

class ParameterReading {
 public:
  ParameterReading(const JsonReader& section, Loading& loading) : section_(section), loading_(loading), names_(section.names()) {
    read_table();
    for (const ParameterOverride& entry : loading.all.overrides) {
      if (!entry.name.starts_with(loading.prefix)) continue;
      const auto complain = [&loading, entry](std::string found, std::string expected, const std::string&) {
        loading.scope.diagnostics.push_back({"", 0, "--set " + entry.name, std::move(found), std::move(expected), ""});
      };
      loading.given[entry.name.substr(loading.prefix.size())] = {{Quantity{entry.value, false, {}}}, nullptr, complain};
    }
  }

  void run() {
    check_names();
    check_given();
    std::vector<std::vector<int>> needs;
    for (const std::string& name : names_) needs.push_back(needs_of(section_.source().find(name), names_));
    const DependencyOrder order = dependency_order(needs);
    for (const std::vector<int>& cycle : order.cycles) report_cycle(cycle);
    std::vector<std::vector<Parameter>> parameters(names_.size());
    for (const int i : order.order) parameters[i] = evaluate(names_[i]);
    for (std::vector<Parameter>& one : parameters) std::move(one.begin(), one.end(), std::back_inserter(loading_.model.parameters));
  }

 private:
  /// Points of a table stand as if the section had them.
  void read_table() {
    const HardpointTable* table = table_of(section_, loading_);
    if (const Json* from = section_.source().find("from"); from && from->is_string() && !is_expression(*from)) std::erase(names_, "from");
    if (!table) return;
    for (const Hardpoint& point : table->points) {
      if (std::find(names_.begin(), names_.end(), point.name) != names_.end()) {
        section_.source().report(point.name,
                                 quote_text(point.name) + ", which " + table->file + " has in line " + std::to_string(point.line),
                                 "each parameter once");
        continue;
      }
      names_.push_back(point.name);
      const auto& [name, value] =
          loading_.tabled.emplace_back(point.name, Json{{"value", {point.at.x, point.at.y, point.at.z}}, {"unit", "m"}});
      section_.source().replace(name, &value);
    }
  }

  void check_names() {
    const std::vector<std::string>& vectors = vector_function_names();
    for (const std::string& name : names_) {
      section_.source().know(name);
      loading_.scope.parameters[name] = std::nan("");
      if (std::find(vectors.begin(), vectors.end(), name) == vectors.end()) check_expression_name(section_, name, name);
    }
  }

  /// Numbers of a file are checked where they are read; those of the command line are not, and may be anything.
  void check_given() {
    for (auto& [name, given] : loading_.given) {
      const double value = given.numbers.empty() ? std::nan("") : given.numbers.front().value;
      if (std::abs(value) > JsonReader::Source::largest || (std::isnan(value) && !loading_.enclosing))
        given.complain("no finite number", "a number (at most " + number_text(JsonReader::Source::largest) + " in size)", "");
    }
  }

  ReadParameter read(const std::string& name) {
    if (section_.holds_object(name)) return read_described(section_.object({name}));
    ReadParameter parameter;
    const Json& value = *section_.source().find(name);
    parameter.numbers = read_numbers_given(section_, name, value);
    if (parameter.numbers.size() == 1 && parameter.numbers.front().bare && !loading_.scope.units.empty()) {
      section_.source().report(name, quote(value) + ", a number without unit in a file that says \"units\"",
                               "a unit, as in \"" + quote(value) + " mm\", or {\"value\": " + quote(value) + ", \"unit\": \"1\"} for none");
      parameter.numbers.front() = not_a_number();
    }
    if (!parameter.numbers.empty()) settle(section_, name, value, parameter);
    return parameter;
  }

  /// Puts what is given from outside, the whole or a component, in place of what the file says.
  void replace(const std::string& name, ReadParameter& parameter, std::vector<const GivenParameter*>& by) {
    const bool vector = parameter.numbers.size() == 3;
    if (const auto whole = loading_.given.find(name); whole != loading_.given.end()) {
      const GivenParameter& given = whole->second;
      if (given.numbers.size() == parameter.numbers.size())
        for (size_t i = 0; i < by.size(); ++i) put(given, i, parameter, i), by[i] = &given;
      else if (given.numbers.empty())
        parameter.numbers.assign(parameter.numbers.size(), not_a_number());
      else
        given.complain(vector ? "one number" : "a vector", vector ? "a vector [x, y, z]" : "one number", "");
    }
    for (size_t i = 0; i < 3; ++i) {
      const auto component = loading_.given.find(name + component_names[i]);
      if (component == loading_.given.end()) continue;
      const GivenParameter& given = component->second;
      if (vector && given.numbers.size() == 1)
        put(given, 0, parameter, i), by[i] = &given;
      else if (!given.numbers.empty() && given.units)
        given.complain(vector ? "a vector" : "a component", vector ? "one number" : "\"" + name + "\", which is no vector", "");
    }
  }

  static void put(const GivenParameter& given, size_t from, ReadParameter& parameter, size_t to) {
    const Quantity& number = given.numbers[from];
    double& value = parameter.numbers[to].value;
    value = number.value;
    if (parameter.kind.unit.empty()) return;
    const auto& wanted = dimensions_of(parameter.kind.unit);
    if (number.bare && given.units && wanted)
      for (const Unit& own : *given.units)
        if (own.dimension == wanted->front()) value = own.to_si(value);
    if (!number.dimension || !wanted || *number.dimension == wanted->front()) return;
    given.complain("a number in " + unit_text(*number.dimension), "a number in " + parameter.kind.unit, "");
    value = std::nan("");
  }

  std::vector<Parameter> evaluate(const std::string& name) {
    ReadParameter read_one = read(name);
    const bool vector = read_one.numbers.size() == 3;
    if (read_one.numbers.empty()) read_one.numbers = {not_a_number()};
    std::vector<const GivenParameter*> by(read_one.numbers.size());
    replace(name, read_one, by);
    const bool plain = read_one.kind.unit.empty() && !section_.holds_object(name);
    const auto kind = plain ? ParameterKind::plain() : std::make_shared<const ParameterKind>(std::move(read_one.kind));
    std::vector<Parameter> parameters;
    for (size_t i = 0; i < read_one.numbers.size(); ++i) {
      parameters.push_back(
          {loading_.prefix + name + (vector ? component_names[i] : ""), loading_.subsystem, read_one.numbers[i].value, kind});
      check_range(name, parameters.back(), by[i]);
    }
    make_known(name, parameters);
    return parameters;
  }

  void check_range(const std::string& name, const Parameter& parameter, const GivenParameter* by) {
    const Range& range = parameter.range();
    if (std::isnan(parameter.value) || contains(range, parameter.value)) return;
    const std::string found = number_text(parameter.value), expected = number_words(parameter.unit(), range);
    if (by)
      by->complain(found, loading_.enclosing ? expected + ", as the range in " + section_.source().file() + " says" : expected,
                   number_text(std::fmax(range.low, std::fmin(parameter.value, range.high))));
    else
      section_.source().report(name, found, expected);
  }

  /// To expressions; where it is a point, to all that takes points.
  void make_known(const std::string& name, const std::vector<Parameter>& parameters) {
    if (parameters.size() == 1) {
      loading_.scope.parameters[name] = parameters[0].value;
      return;
    }
    const Vec3 vector{parameters[0].value, parameters[1].value, parameters[2].value};
    const bool known = !std::isnan(vector.x + vector.y + vector.z);
    loading_.scope.parameters.erase(name);
    loading_.scope.vectors[name] = known ? vector : Vec3{std::nan(""), std::nan(""), std::nan("")};
    if (parameters[0].unit() == "m") loading_.scope.points[name] = known ? std::optional(vector) : std::nullopt;
  }

  void report_cycle(const std::vector<int>& cycle) {
    std::string chain;
    for (const int i : cycle) chain += names_[i] + " -> ";
    const std::string& first = names_[cycle.front()];
    section_.source().report(first, chain + first, "parameters that do not depend on themselves");
  }

  const JsonReader& section_;
  Loading& loading_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<Quantity> read_numbers_given(const JsonReader& in, const std::string& key, const Json& value) {
  JsonReader::Source& source = in.source();
  std::vector<Quantity> numbers;
  if (is_expression(value)) {
    const auto results = source.evaluated(value, key, "", "a number");
    if (results)
      for (const double result : *results) numbers.push_back({result, false, {}});
    return numbers;
  }
  if (!value.is_array()) {
    const auto one = source.quantity(value, key, "", "a number");
    return one ? std::vector{*one} : numbers;
  }
  if (value.size() != 3) {
    source.report(key, quote(value), parameter_words);
    return {};
  }
  for (size_t i = 0; i < 3; ++i)
    numbers.push_back(source.quantity(value[i], key, "/" + std::to_string(i), "a number").value_or(not_a_number()));
  return numbers;
}

const HardpointTable* table_of(const JsonReader& section, Loading& loading) {
  JsonReader::Source& source = section.source();
  const Json* from = source.find("from");
  if (!from || !from->is_string() || is_expression(*from) || read_quantity(from->get_ref<const std::string&>()).is_one) return nullptr;
  source.know("from");
  const std::string& written = from->get_ref<const std::string&>();
  const auto [table, trouble] = loading.all.files.open_table(Files::beside(source.file(), written));
  if (!table) source.report("from", quote_text(written) + ", " + trouble, "a table of hardpoints, a CSV file relative to this one");
  return table;
}

void read_units(const JsonReader& section, Loading& loading) {
  for (const QuantityKind& kind : quantity_kinds()) {
    const std::string words = std::string(kind.unit) + ", or " + std::string(kind.examples);
    const std::string text = section.text_or({kind.name, "", words}, std::string(kind.unit));
    const UnitReading reading = read_unit(text);
    if (section.describing() || !section.has(kind.name)) continue;
    if (reading.unit && reading.unit->dimension == read_unit(kind.unit).unit->dimension)
      loading.scope.units.push_back(*reading.unit);
    else if (!section.failed())
      section.source().report(kind.name, quote_text(text), "a unit of " + std::string(kind.name) + ": " + words,
                              nearest_name(reading.unknown, unit_symbols()));
  }
}

void check_expression_name(const JsonReader& section, const std::string& key, const std::string& name) {
  const auto& known = Expression::known_names();
  if (!is_name(name))
    section.source().report(key, quote_text(name), name_words);
  else if (name == "t" || std::find(known.begin(), known.end(), name) != known.end())
    section.source().report(key, quote_text(name), "another name: in expressions this one means something else");
}

void read_parameters(const JsonReader& section, Loading& loading) {
  if (section.describing()) {
    section.text_or(table_key, "");
    section.number({"*", "any unit", "the value of a parameter"});
    section.vector({"*", "m", "a hardpoint"});
    read_described(section.object({"*", "", "a parameter with more to say"}));
  } else {
    ParameterReading(section, loading).run();
  }
}

}  // namespace arthron
