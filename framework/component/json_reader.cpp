#include "arthron/component/json_reader.hpp"

#include <algorithm>
#include <cmath>

#include "arthron/component/json_source.hpp"

namespace arthron {

namespace {

using Kind = KeyDescription::Kind;

/// A value inside the range, for when there is none to read.
double stand_in(const Range& range) {
  if (contains(range, 1)) return 1;
  return std::isfinite(range.high) ? range.high : 2 * range.low;
}

std::string list_text(const Vec3& v) { return "[" + number_text(v.x) + ", " + number_text(v.y) + ", " + number_text(v.z) + "]"; }

KeyDescription with_default(std::string fallback) {
  KeyDescription details;
  details.fallback = std::move(fallback);
  return details;
}

KeyDescription with_range(const Range& range, std::string fallback = "") {
  KeyDescription details = with_default(std::move(fallback));
  details.range = range;
  return details;
}

KeyDescription with_count(int count, const Range& range = Range::any()) {
  KeyDescription details = with_range(range);
  details.count = count;
  return details;
}

std::string words_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "\"" : ", \"") + word + "\"";
  return text;
}

constexpr auto vector_words = "a list of three numbers [x, y, z]";
constexpr auto direction_words = "a direction: [x, y, z] of any length > 0, or [\"from point\", \"to point\"]";

std::optional<double> read_number(JsonReader::Source& source, const Json& value, const Key& key, const Range& range,
                                  const std::string& inside = "") {
  const std::string expected = number_words(key.unit, range);
  const auto number = source.number(value, key.name, inside, expected, key.unit);
  if (!number || contains(range, *number)) return number;
  const bool as_written = value.is_number() && value.get<double>() == *number;
  source.report(key.name, as_written ? quote(value) : quote(value) + ", which is " + number_text(*number), expected, "", inside);
  return {};
}

Range whole_range(int low, int high) { return {static_cast<double>(low), static_cast<double>(high)}; }

std::optional<int> read_integer(JsonReader::Source& source, const Json& value, const Key& key, int low, int high) {
  const auto number = read_number(source, value, key, whole_range(low, high));
  if (number && std::trunc(*number) == *number) return static_cast<int>(*number);
  if (number) source.report(key.name, quote(value), "a whole number");
  return {};
}

std::optional<Vec3> read_direction(JsonReader::Source& source, const Json& value, const Key& key, const Pose<double>& frame) {
  std::optional<Vec3> direction;
  const bool two_numbers = value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
  if (two_numbers) {
    source.report(key.name, quote(value) + ", two components", direction_words);
  } else if (value.is_array() && value.size() == 2) {
    const auto from = source.point(value[0], key.name, "/0", frame), to = source.point(value[1], key.name, "/1", frame);
    if (from && to) direction = transposed_times(frame.R, *to - *from);
  } else if (value.is_string() && !is_expression(value)) {
    if (const auto offered = source.port_direction(value, key.name, direction_words)) direction = transposed_times(frame.R, *offered);
  } else {
    direction = source.vector(value, key.name, "", direction_words, "");
  }
  if (!direction) return {};
  // Scaled first: the squares of tiny or huge components leave the range of double.
  const double size = std::max({std::abs(direction->x), std::abs(direction->y), std::abs(direction->z)});
  if (size < 1e-12) {
    source.report(key.name, quote(value), direction_words);
    return {};
  }
  const Vec3 scaled = (1 / size) * *direction;
  return normalized(scaled);
}

/// A list of exactly `count` values, or a single value; which of the two a single one may stand for is the caller's business.
std::vector<const Json*> read_list(JsonReader::Source& source, const Json& value, const Key& key, int count, bool single,
                                   const std::string& what) {
  if (!value.is_array() && single) return {&value};
  if (!value.is_array() || std::ssize(value) != count) {
    source.report(key.name, quote(value), (single ? what + " or a list of " : "a list of ") + std::to_string(count));
    return {};
  }
  std::vector<const Json*> list;
  for (const Json& entry : value) list.push_back(&entry);
  return list;
}

/// What an expression yields where numbers are wanted: one where a single one will do, or three.
std::vector<double> read_evaluated(JsonReader::Source& source, const Json& value, const Key& key, int count, bool single,
                                   const Range& range) {
  const std::string one = number_words(key.unit, range), many = "a list of " + std::to_string(count);
  const std::string expected = single ? one : many;
  const auto numbers = source.evaluated(value, key.name, "", expected);
  if (!numbers) return {stand_in(range)};
  const bool fits = numbers->size() == 1 ? single : count == 3;
  const auto beyond = std::find_if(numbers->begin(), numbers->end(), [&](double number) { return !contains(range, number); });
  if (fits && beyond == numbers->end()) return *numbers;
  if (!fits)
    source.report(key.name, quote(value) + (numbers->size() == 1 ? ", one number" : ", a vector"), expected);
  else
    source.report(key.name, quote(value) + ", which is " + number_text(*beyond), expected);
  return {stand_in(range)};
}

std::vector<double> read_numbers(JsonReader::Source& source, const Json& value, const Key& key, int count, bool single,
                                 const Range& range) {
  if (is_expression(value)) return read_evaluated(source, value, key, count, single, range);
  const auto list = read_list(source, value, key, count, single, number_words(key.unit, range));
  // One number for several that have units of their own is read in each of them.
  const bool shared = !value.is_array() && key.unit.find(", ") != std::string_view::npos;
  std::vector<double> numbers(shared ? static_cast<std::size_t>(count) : list.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Key entry{key.name, unit_of_entry(key.unit, i), key.help};
    const auto number = read_number(source, shared ? value : *list[i], entry, range, value.is_array() ? item_pointer(i) : "");
    numbers[i] = number.value_or(stand_in(range));
    if (shared && !number) return {stand_in(range)};
  }
  return numbers;
}

Handle read_handle(JsonReader::Source& source, const Json& value, const Key& key, const Pose<double>& frame,
                   const std::string& inside = "") {
  Handle handle;
  if (!value.is_array() || value.size() != 2) {
    source.report(key.name, quote(value), "[\"body\", point]", "", inside);
    return handle;
  }
  handle.body = source.body(value[0], key.name, inside + "/0").value_or(BodyIndex{});
  handle.point = source.point(value[1], key.name, inside + "/1", frame).value_or(Vec3{});
  handle.port = source.port(&value[0]);
  return handle;
}

}  // namespace

JsonReader::JsonReader(std::shared_ptr<Source> source) : source_(std::move(source)) {}
JsonReader JsonReader::describe() { return JsonReader(Source::describing()); }

JsonReader JsonReader::in_frame(const Pose<double>& X) const {
  JsonReader reader = *this;
  reader.frame_ = X;
  return reader;
}

JsonReader JsonReader::within_frame(const Pose<double>& X) const {
  JsonReader reader = in_frame(X);
  reader.within_frame_ = true;
  return reader;
}

Vec3 JsonReader::seen(const Vec3& point) const { return within_frame_ ? transposed_times(frame_.R, point - frame_.p) : point; }

JsonReader JsonReader::at_place(const Vec3& place) const {
  JsonReader reader = *this;
  reader.place_ = place;
  return reader;
}

bool JsonReader::describing() const { return source_->mode() == Source::Mode::describing; }
bool JsonReader::failed() const { return source_->failed(); }
bool JsonReader::failed_within() const { return source_->failed_within(); }
bool JsonReader::has(std::string_view key) const { return describing() || source_->find(key); }
bool JsonReader::holds_object(std::string_view key) const {
  if (describing()) return true;
  const Json* value = source_->find(key);
  return value && value->is_object();
}

std::vector<std::string> JsonReader::names() const {
  if (describing()) return {"*"};
  std::vector<std::string> names;
  if (source_->mode() == Source::Mode::reading)
    for (const auto& [name, value] : source_->object().get_ref<const Json::object_t&>()) names.push_back(name);
  return names;
}

double JsonReader::number(const Key& key, Range range) const {
  const Json* value = source_->ask(Kind::number, key, true, with_range(range));
  return value ? read_number(*source_, *value, key, range).value_or(stand_in(range)) : stand_in(range);
}

double JsonReader::number_or(const Key& key, double fallback, Range range) const {
  const Json* value = source_->ask(Kind::number, key, false, with_range(range, number_text(fallback)));
  return value ? read_number(*source_, *value, key, range).value_or(fallback) : fallback;
}

std::optional<double> JsonReader::number_or_none(const Key& key, Range range) const {
  const Json* value = source_->ask(Kind::number, key, false, with_range(range));
  return value ? read_number(*source_, *value, key, range) : std::nullopt;
}

int JsonReader::integer(const Key& key, int low, int high) const {
  const Json* value = source_->ask(Kind::integer, key, true, with_range(whole_range(low, high)));
  return value ? read_integer(*source_, *value, key, low, high).value_or(low) : low;
}

int JsonReader::integer_or(const Key& key, int fallback, int low, int high) const {
  const Json* value = source_->ask(Kind::integer, key, false, with_range(whole_range(low, high), std::to_string(fallback)));
  return value ? read_integer(*source_, *value, key, low, high).value_or(fallback) : fallback;
}

std::optional<int> JsonReader::integer_or_auto(const Key& key, int low, int high) const {
  KeyDescription details = with_range(whole_range(low, high), "auto");
  details.choices = {"auto"};
  const Json* value = source_->ask(Kind::integer, key, false, std::move(details));
  if (!value || *value == "auto") return std::nullopt;
  return read_integer(*source_, *value, key, low, high);
}

bool JsonReader::flag(const Key& key) const {
  const Json* value = source_->ask(Kind::flag, key, true);
  if (value && !value->is_boolean()) source_->report(key.name, quote(*value), "true or false");
  return value && value->is_boolean() ? value->get<bool>() : true;
}

bool JsonReader::flag_or(const Key& key, bool fallback) const {
  const Json* value = source_->ask(Kind::flag, key, false, with_default(fallback ? "true" : "false"));
  if (value && !value->is_boolean()) source_->report(key.name, quote(*value), "true or false");
  return value && value->is_boolean() ? value->get<bool>() : fallback;
}

std::string JsonReader::text(const Key& key) const {
  const Json* value = source_->ask(Kind::text, key, true);
  if (value && !value->is_string()) source_->report(key.name, quote(*value), "a text");
  return value && value->is_string() ? value->get<std::string>() : "";
}

std::string JsonReader::text_or(const Key& key, std::string fallback) const {
  const Json* value = source_->ask(Kind::text, key, false, with_default(fallback));
  if (value && !value->is_string()) source_->report(key.name, quote(*value), "a text");
  return value && value->is_string() ? value->get<std::string>() : fallback;
}

std::string JsonReader::choice(const Key& key, std::initializer_list<std::string_view> words) const {
  return choice(key, std::span<const std::string>(std::vector<std::string>(words.begin(), words.end())));
}

std::string JsonReader::choice(const Key& key, std::span<const std::string> words) const {
  KeyDescription details = with_default(words.front());
  details.choices.assign(words.begin(), words.end());
  const std::vector<std::string> choices = details.choices;
  const Json* value = source_->ask(Kind::choice, key, false, std::move(details));
  if (!value) return choices.front();
  if (value->is_string() && std::find(choices.begin(), choices.end(), value->get_ref<const std::string&>()) != choices.end())
    return value->get<std::string>();
  source_->report(key.name, quote(*value), "one of " + words_text(choices),
                  value->is_string() ? nearest_name(value->get<std::string>(), choices) : "");
  return choices.front();
}

std::string JsonReader::one_of(const Key& key, const std::vector<std::string>& words, const std::string& what) const {
  KeyDescription details;
  details.choices = words;
  const Json* value = source_->ask(Kind::choice, key, true, std::move(details));
  if (!value) return "";
  if (value->is_string() && std::find(words.begin(), words.end(), value->get_ref<const std::string&>()) != words.end())
    return value->get<std::string>();
  const std::string suggestion = value->is_string() ? nearest_name(value->get<std::string>(), words) : "";
  const std::string known = words.empty() ? ", of which none is known" : ", one of " + words_text(words);
  source_->report(key.name, quote(*value), suggestion.empty() ? what + known : what, suggestion);
  return "";
}

std::vector<std::string> JsonReader::texts(const Key& key) const {
  const Json* value = source_->ask(Kind::texts, key, false);
  if (!value) return {};
  std::vector<std::string> texts;
  if (!value->is_array()) source_->report(key.name, quote(*value), "a list of texts");
  for (std::size_t i = 0; value->is_array() && i < value->size(); ++i) {
    if ((*value)[i].is_string())
      texts.push_back((*value)[i].get<std::string>());
    else
      source_->report(key.name, quote((*value)[i]), "a text", "", item_pointer(i));
  }
  return texts;
}

Vec3 JsonReader::vector(const Key& key) const {
  const Json* value = source_->ask(Kind::vector, key, true);
  return value ? source_->vector(*value, key.name, "", vector_words, key.unit).value_or(Vec3{}) : Vec3{};
}

Vec3 JsonReader::vector_or(const Key& key, const Vec3& fallback) const {
  const Json* value = source_->ask(Kind::vector, key, false, with_default(list_text(fallback)));
  return value ? source_->vector(*value, key.name, "", vector_words, key.unit).value_or(fallback) : fallback;
}

Vec3 JsonReader::unit_vector(const Key& key) const {
  const Json* value = source_->ask(Kind::direction, key, true);
  return value ? read_direction(*source_, *value, key, frame_).value_or(Vec3{1, 0, 0}) : Vec3{1, 0, 0};
}

Vec3 JsonReader::unit_vector_or(const Key& key, const Vec3& fallback) const {
  const Json* value = source_->ask(Kind::direction, key, false, with_default(list_text(fallback)));
  return value ? read_direction(*source_, *value, key, frame_).value_or(fallback) : fallback;
}

Vec3 JsonReader::point(const Key& key) const {
  const Json* value = source_->ask(Kind::point, key, true);
  return seen(value ? source_->point(*value, key.name, "", frame_).value_or(frame_.p) : frame_.p);
}

Vec3 JsonReader::point_or(const Key& key, const Vec3& fallback) const {
  const Json* value = source_->ask(Kind::point, key, false, with_default(list_text(fallback)));
  return seen(value ? source_->point(*value, key.name, "", frame_).value_or(frame_ * fallback) : frame_ * fallback);
}

Vec3 JsonReader::offset(const Key& key) const {
  const Json* value = source_->ask(Kind::point, key, true);
  const auto at = value ? source_->point(*value, key.name, "", frame_) : std::nullopt;
  return at ? transposed_times(frame_.R, *at - place_) : Vec3{0, 0, -1};
}

std::vector<Vec3> JsonReader::offsets(const Key& key) const {
  const Json* value = source_->ask(Kind::points, key, true);
  if (!value) return {};
  if (!value->is_array() || value->size() < 2) {
    source_->report(key.name, quote(*value), "a list of two points or more");
    return {};
  }
  std::vector<Vec3> offsets;
  for (std::size_t i = 0; i < value->size(); ++i) {
    const auto at = source_->point((*value)[i], key.name, item_pointer(i), frame_);
    if (!at) return {};
    offsets.push_back(transposed_times(frame_.R, *at - place_));
  }
  return offsets;
}

std::vector<Vec3> JsonReader::vectors(const Key& key) const {
  const Json* value = source_->ask(Kind::vectors, key, false);
  if (!value) return {};
  std::vector<Vec3> vectors;
  if (!value->is_array()) source_->report(key.name, quote(*value), "a list of vectors [x, y, z]");
  for (std::size_t i = 0; i < value->size() && value->is_array(); ++i)
    vectors.push_back(source_->vector((*value)[i], key.name, item_pointer(i), vector_words, key.unit).value_or(Vec3{}));
  return vectors;
}

Handle JsonReader::handle(const Key& key) const {
  const Json* value = source_->ask(Kind::handle, key, true);
  source_->handles->push_back(value ? read_handle(*source_, *value, key, frame_) : Handle{});
  return source_->handles->back();
}

std::vector<Handle> JsonReader::handle_list(const Key& key) const {
  const Json* value = source_->ask(Kind::handles, key, true);
  std::vector<Handle> list;
  if (value && (!value->is_array() || value->empty())) source_->report(key.name, quote(*value), "[[\"body\", point], ...], at least one");
  for (std::size_t i = 0; value && value->is_array() && i < value->size(); ++i)
    list.push_back(read_handle(*source_, (*value)[i], key, frame_, item_pointer(i)));
  if (list.empty()) list.emplace_back();
  source_->handles->insert(source_->handles->end(), list.begin(), list.end());
  return list;
}

BodyIndex JsonReader::body(const Key& key) const {
  const Json* value = source_->ask(Kind::body, key, true);
  return value ? source_->body(*value, key.name, "").value_or(BodyIndex{}) : BodyIndex{};
}

BodyIndex JsonReader::body_or(const Key& key, BodyIndex fallback) const {
  const Json* value = source_->ask(Kind::body, key, false);
  return value ? source_->body(*value, key.name, "").value_or(fallback) : fallback;
}

Sym3 JsonReader::inertia(const Key& key) const {
  const Sym3 stand_in{1, 1, 1, 0, 0, 0};
  const Json* value = source_->ask(Kind::inertia, key, true);
  if (!value) return stand_in;
  if (is_expression(*value)) {
    const auto I = source_->vector(*value, key.name, "", "[Ixx, Iyy, Izz] in " + std::string(key.unit), key.unit);
    return I ? Sym3{I->x, I->y, I->z, 0, 0, 0} : stand_in;
  }
  if (!value->is_array() || (value->size() != 3 && value->size() != 6)) {
    source_->report(key.name, quote(*value), "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] in " + std::string(key.unit));
    return stand_in;
  }
  double I[6] = {};
  bool good = true;
  for (std::size_t i = 0; i < value->size(); ++i) {
    const auto number = read_number(*source_, (*value)[i], key, Range::any(), item_pointer(i));
    good = good && number;
    I[i] = number.value_or(0);
  }
  return good ? Sym3{I[0], I[1], I[2], I[3], I[4], I[5]} : stand_in;
}

TimeFunction JsonReader::time_function(const Key& key) const {
  const Json* value = source_->ask(Kind::time_function, key, true);
  return value ? source_->time_function(*value, key.name, "", std::string(key.unit)).value_or(TimeFunction()) : TimeFunction();
}

TimeFunction JsonReader::time_function_or(const Key& key, double fallback) const {
  const Json* value = source_->ask(Kind::time_function, key, false, with_default(number_text(fallback)));
  if (!value) return TimeFunction(fallback);
  return source_->time_function(*value, key.name, "", std::string(key.unit)).value_or(TimeFunction(fallback));
}

std::vector<TimeFunction> JsonReader::time_functions(const Key& key, int count) const {
  const Json* value = source_->ask(Kind::time_functions, key, false, with_count(count));
  if (!value) return {};
  std::vector<TimeFunction> functions;
  const auto add = [&](const Json& function, const std::string& inside) {
    const std::string unit(unit_of_entry(key.unit, functions.size()));
    functions.push_back(source_->time_function(function, key.name, inside, unit).value_or(TimeFunction()));
  };
  if (count == 3 && source_->yields_vector(*value)) {
    for (const char* component : {").x", ").y", ").z"}) add("=(" + value->get_ref<const std::string&>().substr(1) + component, "");
    return functions;
  }
  const auto list = read_list(*source_, *value, key, count, count == 1, "a function of time");
  for (std::size_t i = 0; i < list.size(); ++i) add(*list[i], value->is_array() ? item_pointer(i) : "");
  return functions;
}

std::vector<double> JsonReader::numbers(const Key& key, int count, Range range, bool required) const {
  const Json* value = source_->ask(Kind::numbers, key, required, with_count(count, range));
  if (!value) return {};
  std::vector<double> numbers = read_numbers(*source_, *value, key, count, true, range);
  if (!value->is_array()) numbers.resize(count, numbers.front());
  return numbers;
}

std::vector<double> JsonReader::coordinates(const Key& key, int count) const {
  const Json* value = source_->ask(Kind::coordinates, key, false, with_count(count));
  return value ? read_numbers(*source_, *value, key, count, count == 1, Range::any()) : std::vector<double>();
}

std::vector<double> JsonReader::list(const Key& key) const {
  const Json* value = source_->ask(Kind::list, key, false);
  if (!value) return {};
  return read_numbers(*source_, *value, key, value->is_array() ? static_cast<int>(value->size()) : 1, true, Range::any());
}

Table JsonReader::table_or_empty(const Key& key) const {
  const Json* value = source_->ask(Kind::table, key, false);
  return value ? source_->curve(*value, key.name, "", Table::Interpolation::linear, key.unit).value_or(Table()) : Table();
}

Expression JsonReader::expression_or(const Key& key, const std::vector<std::string>& variables, double fallback) const {
  KeyDescription details = with_default(number_text(fallback));
  details.choices = variables;
  const Json* value = source_->ask(Kind::expression, key, false, std::move(details));
  const Expression otherwise = Expression::constant(fallback);
  return value ? source_->expression(*value, key.name, std::string(key.unit), variables).value_or(otherwise) : otherwise;
}

Road JsonReader::surface_or(const Key& key, double fallback) const { return Road(expression_or(key, {"x", "y", "t"}, fallback)); }

std::shared_ptr<const Road> JsonReader::road() const { return source_->road(); }

JsonReader JsonReader::object(const Key& key) const {
  JsonReader nested(source_->child(key));
  nested.frame_ = frame_, nested.within_frame_ = within_frame_;
  return nested;
}

void JsonReader::complain(std::string_view key, std::string found, std::string expected) const {
  if (source_->mode() == Source::Mode::reading && !failed()) source_->report(key, std::move(found), std::move(expected));
}

void JsonReader::refuse(std::string_view key, std::string expected) const {
  if (describing() || !has(key)) return;
  source_->know(key);
  source_->report(key, quote_text(key), std::move(expected));
}

void JsonReader::reject_unknown_keys() const { source_->reject_unknown_keys(); }
const std::vector<Handle>& JsonReader::handles() const { return *source_->handles; }
std::vector<KeyDescription> JsonReader::description() const { return source_->description(); }

}  // namespace arthron
