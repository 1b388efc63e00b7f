#include "arthron/component/json_source.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "arthron/component/used_names.hpp"

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

}  // namespace

std::string number_text(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

bool contains(const Range& range, double value) { return (range.open_low ? value > range.low : value >= range.low) && value <= range.high; }

std::string number_words(std::string_view unit, const Range& range) {
  if (range.low == range.high) return number_text(range.low);
  std::string words = "a number";
  if (!unit.empty()) words += " in " + std::string(unit);
  if (std::isfinite(range.low)) words += (range.open_low ? ", > " : ", >= ") + number_text(range.low);
  if (std::isfinite(range.high)) words += std::string(std::isfinite(range.low) ? " and" : ",") + " <= " + number_text(range.high);
  return words;
}

JsonReader::Source::Source(ReaderScope& scope, const Json& object, std::string pointer)
    : mode_(Mode::reading), scope_(&scope), object_(&object), pointer_(std::move(pointer)) {
  for (const auto& [key, value] : object.get_ref<const Json::object_t&>()) members_.emplace(key, &value);
}

std::shared_ptr<JsonReader::Source> JsonReader::Source::absent() { return std::shared_ptr<Source>(new Source(Mode::absent)); }
std::shared_ptr<JsonReader::Source> JsonReader::Source::describing() { return std::shared_ptr<Source>(new Source(Mode::describing)); }

bool JsonReader::Source::failed_within() const {
  return failed_ || std::any_of(children_.begin(), children_.end(), [](const auto& child) { return child.second->failed_within(); });
}

std::shared_ptr<const Road> JsonReader::Source::road() const {
  if (!scope_) return std::make_shared<const Road>();
  scope_->road_used = true;
  return scope_->road;
}

void JsonReader::Source::replace(std::string_view key, const Json* value) {
  if (value)
    replaced_[key] = value;
  else
    replaced_.erase(key);
}

const Json* JsonReader::Source::find(std::string_view key) const {
  if (!replaced_.empty())
    if (const auto instead = replaced_.find(key); instead != replaced_.end()) return instead->second;
  const auto found = members_.find(key);
  return found == members_.end() ? nullptr : found->second;
}

const Json* JsonReader::Source::ask(KeyDescription::Kind kind, const Key& key, bool required, KeyDescription details) {
  if (mode_ == Mode::describing) {
    details.name = key.name, details.unit = key.unit, details.help = key.help, details.kind = kind, details.required = required;
    asked.push_back(std::move(details));
    return nullptr;
  }
  if (mode_ == Mode::absent) return nullptr;
  known_.emplace(key.name);
  const Json* value = find(key.name);
  if (!value && required) {
    failed_ = true;
    std::string expected = "\"" + std::string(key.name) + "\"";
    if (!key.help.empty()) expected += ", " + std::string(key.help);
    if (!key.unit.empty()) expected += " [" + std::string(key.unit) + "]";
    missing_.emplace_back(key.name, expected);
  }
  return value;
}

std::shared_ptr<JsonReader::Source> JsonReader::Source::child(const Key& key) {
  if (mode_ == Mode::describing) {
    ask(KeyDescription::Kind::object, key, false);
    children_.push_back({asked.size() - 1, describing()});
    return children_.back().second;
  }
  const Json* value = ask(KeyDescription::Kind::object, key, false);
  if (!value) return absent();
  if (!value->is_object()) {
    report(key.name, quote(*value), "an object { }");
    return absent();
  }
  children_.push_back({0, std::make_shared<Source>(*scope_, *value, join_pointer(pointer_, key.name))});
  children_.back().second->handles = handles;
  return children_.back().second;
}

void JsonReader::Source::report(std::string_view key, std::string found, std::string expected, std::string suggestion,
                                const std::string& inside) {
  failed_ = true;
  if (!scope_) return;
  const std::string pointer = (key.empty() ? pointer_ : join_pointer(pointer_, key)) + inside;
  scope_->diagnostics.push_back({file(), scope_->document.line(pointer), pointer, std::move(found), std::move(expected),
                                 std::move(suggestion), scope_->instance + scope_->built_at});
}

void JsonReader::Source::reject_unknown_keys() {
  if (mode_ != Mode::reading) return;
  std::vector<std::string> open(known_.begin(), known_.end());
  std::erase_if(open, [&](const std::string& key) { return find(key); });  // nobody means a key that is there already
  std::sort(open.begin(), open.end());
  std::unordered_set<std::string> meant;
  for (const auto& [key, value] : object_->get_ref<const Json::object_t&>()) {
    if (known_.contains(key)) continue;
    const std::string suggestion = nearest_name(key, open);
    std::string expected;
    for (const std::string& name : open) expected += (expected.empty() ? "one of " : ", ") + name;
    if (!suggestion.empty() || expected.empty()) expected = "no such key here";
    report(key, "the unknown key " + quote_text(key), expected, suggestion);
    meant.insert(suggestion);
  }
  for (const auto& [key, expected] : missing_)
    if (!meant.contains(key)) report(key, "nothing", expected);
  missing_.clear();
  for (const auto& [place, source] : children_) source->reject_unknown_keys();
}

std::vector<KeyDescription> JsonReader::Source::description() const {
  std::vector<KeyDescription> keys = asked;
  for (const auto& [place, source] : children_) keys[place].keys = source->description();
  return keys;
}

std::string JsonReader::Source::values_used(const Json& expression) const {
  const std::vector<std::string> names = keys_of(scope_->parameters);
  std::string list;
  for (const int i : used_names(expression.get_ref<const std::string&>().substr(1), names)) {
    const std::string& name = names[i];
    list += (list.empty() ? " (" : ", ") + name + " = " + number_text(scope_->parameters.at(name));
  }
  return list.empty() ? "" : list + ")";
}

bool JsonReader::Source::depends_on_refused(const Json& expression) const {
  std::vector<std::string> names{"t", "x", "y"};
  for (const auto& [name, signal] : scope_->signals) names.push_back(name);
  const int first_refused = static_cast<int>(names.size());
  for (const auto& [name, value] : scope_->parameters)
    if (std::isnan(value)) names.push_back(name);
  const std::vector<int> used = used_names(expression.get_ref<const std::string&>().substr(1), names, scope_->parameters);
  return !used.empty() && used.back() >= first_refused;
}

std::optional<Expression> JsonReader::Source::expression(const Json& value, std::string_view key, const std::string& inside,
                                                         const std::string& expected, const std::vector<std::string>& variables) {
  const std::string& text = value.get_ref<const std::string&>();
  if (!text.starts_with('=')) {
    report(key, quote(value), expected + " or an expression \"=...\"", "", inside);
    return {};
  }
  try {
    return Expression::parse(text.substr(1), variables, scope_->parameters);
  } catch (const ExpressionError& error) {
    std::vector<std::string> names = keys_of(scope_->parameters);
    for (const std::string& variable : variables) names.push_back(variable);
    names.insert(names.end(), Expression::known_names().begin(), Expression::known_names().end());
    std::string words = expected + "; the expression has ";
    if (error.token().empty())
      words = expected + "; " + error.what() + (error.position() > 0 ? " at character " + std::to_string(error.position() + 1) : "");
    else
      words += "the " + std::string(error.what()) + (error.token() == "t" ? ": time is known in functions of time only" : "") +
               (scope_->signals.contains(error.token()) ? ": a signal is known in functions of time only" : "");
    report(key, quote(value), words, nearest_name(error.token(), names), inside);
    return {};
  }
}

std::optional<double> JsonReader::Source::number(const Json& value, std::string_view key, const std::string& inside,
                                                 const std::string& expected) {
  double result = 0;
  bool divided_by_zero = false;
  if (value.is_number()) {
    result = value.get<double>();
  } else if (value.is_string()) {
    const auto parsed = expression(value, key, inside, expected, {});
    if (!parsed) return {};
    result = parsed->evaluate<double>(nullptr);
    divided_by_zero = !std::isfinite(result) && parsed->divides_by_zero(nullptr);
    if (std::isnan(result) && depends_on_refused(value)) {
      failed_ = true;
      return {};
    }
  } else {
    report(key, quote(value), expected, "", inside);
    return {};
  }
  if (std::abs(result) <= largest) return result;
  std::string found = quote(value);
  if (divided_by_zero)
    found += ", a division by zero" + values_used(value);
  else if (value.is_string())
    found += ", which is " + (std::isfinite(result) ? number_text(result) : "not a finite number");
  report(key, found, expected + " (at most " + number_text(largest) + " in size)", "", inside);
  return {};
}

std::optional<Vec3> JsonReader::Source::vector(const Json& value, std::string_view key, const std::string& inside,
                                               const std::string& expected) {
  if (!value.is_array() || value.size() != 3) {
    report(key, quote(value), expected, "", inside);
    return {};
  }
  const auto component = [&](std::size_t i) { return number(value[i], key, inside + item_pointer(i), "a number"); };
  const auto x = component(0), y = component(1), z = component(2);
  if (!x || !y || !z) return {};
  return Vec3{*x, *y, *z};
}

std::optional<Vec3> JsonReader::Source::point(const Json& value, std::string_view key, const std::string& inside,
                                              const Pose<double>& frame) {
  constexpr auto expected = "a point: [x, y, z] in m or the name of a point";
  if (!value.is_string()) {
    const auto local = vector(value, key, inside, expected);
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
  return TimeFunction(Expression::parse(value.get_ref<const std::string&>().substr(1), used, scope_->parameters), std::move(signals));
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
                                               Table::Interpolation interpolation) {
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
    const auto at = number(row[0], key, inside + item_pointer(i) + "/0", "a number"),
               level = number(row[1], key, inside + item_pointer(i) + "/1", "a number");
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
                                               Table::Interpolation interpolation) {
  if (!value.is_object()) return table(value, key, inside, interpolation);
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
  if (points) return table(*points, key, inside + "/table", interpolation);
  report(key, "an object without \"table\"", "{\"table\": [[x, y], ...]}", "", inside);
  return {};
}

std::optional<TimeFunction> JsonReader::Source::time_function(const Json& value, std::string_view key, const std::string& inside,
                                                              const std::string& unit) {
  const std::string expected = number_words(unit, Range::any()) + ", an expression of t or {\"table\": [[t, value], ...]}";
  if (value.is_object()) {
    auto points = curve(value, key, inside, Table::Interpolation::smooth);
    return points ? std::optional(TimeFunction(std::move(*points))) : std::nullopt;
  }
  if (!value.is_string()) {
    const auto constant = number(value, key, inside, expected);
    return constant ? std::optional(TimeFunction(*constant)) : std::nullopt;
  }
  std::vector<std::string> variables{"t"};
  for (const auto& [name, signal] : scope_->signals) variables.push_back(name);
  const auto parsed = expression(value, key, inside, expected, variables);
  if (!parsed) return {};
  const auto composed = with_signals(value, *parsed, variables);
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
  if (!value.is_string()) {
    const auto level = number(value, key, "", expected);
    return level ? std::optional(Expression::constant(*level)) : std::nullopt;
  }
  auto parsed = expression(value, key, "", expected, variables);
  if (!parsed) return {};
  const std::vector<double> origin(variables.size());
  const double start = parsed->evaluate(origin.data());
  if (std::abs(start) <= largest) return parsed;
  if (std::isnan(start) && depends_on_refused(value))
    failed_ = true;
  else
    report(key, quote(value),
           "a finite value at " + listed(variables, " = ", " = ") + " = 0 (at most " + number_text(largest) + " in size)");
  return {};
}

}  // namespace arthron
