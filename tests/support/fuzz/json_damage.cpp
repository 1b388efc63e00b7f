#include "support/fuzz/json_damage.hpp"

#include <algorithm>
#include <array>

#include "support/fuzz/text_damage.hpp"

namespace arthron::fuzz {

namespace {

using Json = nlohmann::ordered_json;

struct Node {
  std::string key;  // of an element of an array, that of the array
  Json* value;
};

void collect(const std::string& key, Json& json, std::vector<Node>& nodes) {
  nodes.push_back({key, &json});
  if (json.is_object())
    for (auto& [name, child] : json.items()) collect(name, child, nodes);
  else if (json.is_array())
    for (Json& child : json) collect(key, child, nodes);
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

Json nested(Json value, std::size_t depth) {
  for (std::size_t i = 0; i < depth; ++i) value = i % 2 == 0 ? Json::array({value}) : Json({{"in", value}});
  return value;
}

/// The damage of one text. What JSON's own tree cannot hold (numbers beyond double, keys given twice, broken escapes) stands in it as
/// marks, which are replaced in the text.
class TreeDamage {
 public:
  TreeDamage(Json& json, const Donors& donors, const std::vector<std::string>& files, Random& random)
      : json_(json), donors_(donors), files_(files), random_(random) {}

  void damage() {
    std::vector<Node> nodes;
    collect("", json_, nodes);
    Node& victim = random_.one_of(nodes);
    Json& value = *victim.value;
    if (random_.chance(10))
      value = donors_.part(victim.key, random_);
    else if (value.is_object() && !value.empty() && random_.chance(85))
      damage_object(value);
    else if (value.is_array() && !value.empty() && random_.chance(70))
      damage_array(value);
    else if (value.is_number() && random_.chance(85))
      value = random_.chance(12) ? Json(expression(value)) : mark(strange_number(value.get<double>(), random_));
    else if (value.is_string() && random_.chance(85))
      value = other_text(value.get<std::string>(), nodes);
    else
      value = strange_value();
  }

  /// Another value for a number or an expression, of which some are what a user might mean: what is well formed is computed.
  void change_number() {
    std::vector<Node> nodes;
    collect("", json_, nodes);
    std::erase_if(nodes, [](const Node& node) {
      return !node.value->is_number() && !(node.value->is_string() && node.value->get_ref<const std::string&>().starts_with("="));
    });
    if (nodes.empty()) return damage();
    Json& value = *random_.one_of(nodes).value;
    if (value.is_string())
      value = other_expression(value.get<std::string>(), random_);
    else
      value = random_.chance(15) ? Json(expression(value)) : mark(strange_number(value.get<double>(), random_));
  }

  [[nodiscard]] std::string text() const {
    std::string text = json_.dump(1, ' ', false, Json::error_handler_t::replace);
    for (std::size_t i = 0; i < marks_.size(); ++i) replace(text, "\"@mark" + std::to_string(i) + "@\"", marks_[i]);
    replace(text, "@again@", "");
    return text;
  }

 private:
  static void replace(std::string& text, const std::string& what, const std::string& with) {
    for (auto place = text.find(what); place != std::string::npos; place = text.find(what, place + with.size()))
      text.replace(place, what.size(), with);
  }

  /// A value of which only its text is known.
  Json mark(std::string text) {
    marks_.push_back(std::move(text));
    return "@mark" + std::to_string(marks_.size() - 1) + "@";
  }

  std::string expression(const Json& number) { return other_expression("=" + number.dump(), random_); }

  void damage_object(Json& object) {
    const std::vector<std::string> keys = keys_of(object);
    const std::string& key = random_.one_of(keys);
    const Json value = object[key];
    switch (random_.pick(8)) {
      case 0:
      case 1: object.erase(key); break;
      case 2: object.erase(key), object[misspelt(key, random_)] = value; break;
      case 3: object[key + "@again@"] = value; break;
      case 4: std::swap(object[key], object[random_.one_of(keys)]); break;
      case 5: object[key + "_2"] = value; break;
      default: {
        const std::string other = donors_.key(random_);
        object[other] = donors_.part(other, random_);
      }
    }
  }

  void damage_array(Json& array) {
    const std::size_t place = random_.pick(array.size());
    switch (random_.pick(7)) {
      case 0: array.erase(place); break;
      case 1: array.push_back(array[place]); break;
      case 2: std::swap(array[place], array[random_.pick(array.size())]); break;
      case 3: array = Json::array(); break;
      case 4: array = nested(array, random_.one_of({1, 5, 70})); break;
      case 5: array[random_.pick(array.size())] = Json(array[place]); break;
      default: {
        const Json entry = array[place];
        const std::size_t count = random_.one_of({3, 30, 3000});
        if (entry.dump().size() * count < 300'000)
          for (std::size_t i = 0; i < count; ++i) array.push_back(entry);
      }
    }
  }

  Json other_text(const std::string& text, const std::vector<Node>& nodes) {
    if (text.starts_with("=") && random_.chance(70)) return other_expression(text, random_);
    switch (random_.pick(6)) {
      case 0: return misspelt(text, random_);
      case 1:
        if (!files_.empty()) return random_.one_of(files_);
        [[fallthrough]];
      case 2:
      case 3: {  // another name or text of the file
        const Node& node = random_.one_of(nodes);
        return node.value->is_string() && random_.chance(50) ? node.value->get<std::string>() : node.key;
      }
      case 4: {
        static const std::array<std::string, 9> odd{"\"\\ud800\"", "\"\\u0000\"", "\"\xff\xfe\"", "\"\\q\"",      "\"\\ud83d\\ude00\"",
                                                    "\"..\"",      "\"/\"",       "\"\xc0\x80\"", "\"/dev/zero\""};
        return random_.chance(20) ? mark('"' + std::string(100'000, 'a') + '"') : mark(random_.one_of(odd));
      }
      default: return strange_value();
    }
  }

  Json strange_value() {
    switch (random_.pick(16)) {
      case 0: return nullptr;
      case 1: return true;
      case 2: return false;
      case 3: return Json::array();
      case 4: return Json::object();
      case 5: return Json::array({1, 2, 3});
      case 6: return Json::array({0, 0, 0});
      case 7: return "";
      case 8: return "ground";
      case 9: return random_.chance(20) ? mark(std::string(100'000, '[')) : nested(1, 66);
      case 10: return Json({{"table", Json::array({Json::array({0, 0}), Json::array({1e-3, 1}), Json::array({2e-3, -1})})}});
      case 11:
      case 12: return other_expression("=1", random_);
      default: return mark(strange_number(1, random_));
    }
  }

  Json& json_;
  const Donors& donors_;
  const std::vector<std::string>& files_;
  Random& random_;
  std::vector<std::string> marks_;
};

}  // namespace

void Donors::add(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return;
  std::vector<Node> nodes;
  collect("", json, nodes);
  for (const Node& node : nodes)
    if (!node.key.empty() && node.value->dump().size() < 3000) parts_[node.key].push_back(*node.value);
  keys_.clear();
  for (const auto& [key, parts] : parts_) keys_.push_back(key);
}

std::string Donors::key(Random& random) const { return keys_.empty() ? "name" : random.one_of(keys_); }

Json Donors::part(const std::string& key, Random& random) const {
  if (keys_.empty()) return nullptr;
  const auto same = parts_.find(key);
  const auto& parts = same != parts_.end() && random.chance(75) ? same->second : parts_.at(random.one_of(keys_));
  return random.one_of(parts);
}

std::string damaged_json(const std::string& text, const Donors& donors, const std::vector<std::string>& files, Random& random) {
  if (random.chance(12)) return damaged_bytes(text, random);
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return damaged_bytes(text, random);
  TreeDamage tree(json, donors, files, random);
  const bool only_numbers = random.chance(45);
  std::size_t mistakes = 1;
  while (mistakes < 4 && random.chance(35)) ++mistakes;
  for (std::size_t i = 0; i < mistakes; ++i) only_numbers ? tree.change_number() : tree.damage();
  if (only_numbers) return tree.text();
  return random.chance(4) ? damaged_bytes(tree.text(), random) : tree.text();
}

}  // namespace arthron::fuzz
