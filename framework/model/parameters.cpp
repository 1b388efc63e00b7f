#include <algorithm>
#include <cmath>
#include <iterator>

#include "arthron/component/used_names.hpp"
#include "arthron/model/dependency_order.hpp"
#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

using std::size_t;

/// What the parameter's expression refers to, as places in `names`.
std::vector<int> needs_of(const JsonReader& section, const std::string& name, const std::vector<std::string>& names) {
  const Json* value = section.source().find(name);
  if (value && value->is_object()) value = value->contains("value") ? &(*value)["value"] : nullptr;
  if (!value || !value->is_string()) return {};
  const std::string& text = value->get_ref<const std::string&>();
  if (!text.starts_with('=')) return {};
  try {
    return used_names(text.substr(1), names);
  } catch (const ExpressionError&) {
    return {};  // reported when the value is read
  }
}

constexpr Key value_key{"value", "", "its value"};

/// The value is NaN when a mistake has been reported.
Parameter read_object(const JsonReader& in) {
  Parameter parameter;
  ParameterKind kind;
  parameter.value = in.number(value_key);
  kind.unit = in.text_or({"unit", "", "unit, for human readers"}, "");
  const std::vector<double> bounds = in.coordinates({"range", "", "[lowest, highest] value allowed"}, 2);
  if (bounds.size() == 2) kind.range = {bounds[0], bounds[1]};
  kind.tunable = in.flag_or({"tunable", "", "may be changed while the model runs: a slider of run --live"}, false);
  if (kind.range.low > kind.range.high) in.complain("range", "a lowest value above the highest", "[lowest, highest]");
  if (in.failed()) parameter.value = std::nan("");
  parameter.kind = std::make_shared<const ParameterKind>(std::move(kind));
  return parameter;
}

class ParameterReading {
 public:
  ParameterReading(const JsonReader& section, Loading& loading) : section_(section), loading_(loading), names_(section.names()) {
    for (const ParameterOverride& entry : loading.all.overrides) {
      if (!entry.name.starts_with(loading.prefix)) continue;
      const auto complain = [&loading, entry](std::string found, std::string expected, const std::string&) {
        loading.scope.diagnostics.push_back({"", 0, "--set " + entry.name, std::move(found), std::move(expected), ""});
      };
      loading.given[entry.name.substr(loading.prefix.size())] = {entry.value, complain};
    }
  }

  void run() {
    check_names();
    check_given();
    std::vector<std::vector<int>> needs;
    for (const std::string& name : names_) needs.push_back(needs_of(section_, name, names_));
    const DependencyOrder order = dependency_order(needs);
    for (const std::vector<int>& cycle : order.cycles) report_cycle(cycle);
    std::vector<Parameter> parameters(names_.size());
    for (const int i : order.order) parameters[i] = evaluate(names_[i]);
    std::move(parameters.begin(), parameters.end(), std::back_inserter(loading_.model.parameters));
  }

 private:
  void check_names() {
    for (const std::string& name : names_) {
      section_.source().know(name);
      loading_.scope.parameters[name] = std::nan("");
      check_expression_name(section_, name, name);
    }
  }

  /// Numbers of a file are checked where they are read; those of the command line are not, and may be anything.
  void check_given() {
    for (auto& [name, given] : loading_.given)
      if (std::abs(given.value) > JsonReader::Source::largest || (std::isnan(given.value) && !loading_.enclosing))
        given.complain("no finite number", "a number (at most " + number_text(JsonReader::Source::largest) + " in size)", "");
  }

  Parameter evaluate(const std::string& name) {
    Parameter parameter;
    if (section_.holds_object(name))
      parameter = read_object(section_.object({name}));
    else
      parameter.value = section_.source().number(*section_.source().find(name), name, "", "a number").value_or(std::nan(""));
    parameter.path = loading_.prefix + name;
    parameter.subsystem = loading_.subsystem;
    const Range& range = parameter.range();
    const auto replaced = loading_.given.find(name);
    if (replaced != loading_.given.end()) parameter.value = replaced->second.value;
    if (!std::isnan(parameter.value) && !contains(range, parameter.value)) {
      const std::string found = number_text(parameter.value), expected = number_words(parameter.unit(), range);
      if (replaced != loading_.given.end())
        replaced->second.complain(found,
                                  loading_.enclosing ? expected + ", as the range in " + section_.source().file() + " says" : expected,
                                  number_text(std::fmax(range.low, std::fmin(parameter.value, range.high))));
      else
        section_.source().report(name, found, expected);
    }
    loading_.scope.parameters[name] = parameter.value;
    return parameter;
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

void check_expression_name(const JsonReader& section, const std::string& key, const std::string& name) {
  const auto& known = Expression::known_names();
  if (!is_name(name))
    section.source().report(key, quote_text(name), name_words);
  else if (name == "t" || std::find(known.begin(), known.end(), name) != known.end())
    section.source().report(key, quote_text(name), "another name: in expressions this one means something else");
}

void read_parameters(const JsonReader& section, Loading& loading) {
  if (section.describing()) {
    section.number({"*", "", "the value of a parameter"});
    read_object(section.object({"*", "", "a parameter with more to say"}));
  } else {
    ParameterReading(section, loading).run();
  }
}

}  // namespace arthron
