#include "arthron/component/json_source.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace arthron {

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

}  // namespace arthron
