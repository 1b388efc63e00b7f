#include "arthron/component/json_document.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "arthron/component/json_text.hpp"

namespace arthron {

namespace {

/// How far the lexer has read.
struct Progress {
  int line = 1;  // of the last character read
  bool after_newline = false;

  void read(char character) {
    if (after_newline) ++line;
    after_newline = character == '\n';
  }
};

/// Hands characters to the lexer and keeps count of lines.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  Progress* progress;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    progress->read(*at++);
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

std::string too_deep() { return "nesting deeper than " + std::to_string(JsonDocument::max_depth); }

bool nests_within(const Json& value, int levels) {
  if (!value.is_structured()) return true;
  return levels > 0 && std::all_of(value.begin(), value.end(), [&](const Json& nested) { return nests_within(nested, levels - 1); });
}

}  // namespace

/// Receives the parser's events. Values go straight into the tree; `open_` holds the containers that are not closed yet.
class JsonDocumentBuilder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  JsonDocumentBuilder(JsonDocument& document, const Progress& progress, std::vector<Diagnostic>& diagnostics)
      : document_(document), progress_(progress), diagnostics_(diagnostics) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(number_integer_t value) { return add(value); }
  bool number_unsigned(number_unsigned_t value) { return add(value); }
  bool number_float(number_float_t value, const string_t&) { return add(value); }
  bool string(string_t& value) { return add(std::move(value)); }
  bool binary(binary_t&) { return false; }

  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    Container& container = open_.back();
    const int line = progress_.line;
    container.key = name;
    const auto [first, fresh] = container.keys.try_emplace(name, line);
    container.repeated = !fresh;
    if (!fresh)
      complain(join_pointer(container.pointer, name), "the key " + quote_text(name) + " again",
               "each key once; the first one is in line " + std::to_string(first->second));
    else
      document_.lines_.emplace(join_pointer(container.pointer, name), line);
    return true;
  }

  bool parse_error(std::size_t, const string_t& last_token, const nlohmann::detail::exception& error) {
    const std::string message = error.what();
    if (error.id == 406) {
      complain(next_pointer(), last_token, "a number that a double can hold");
      return false;
    }
    const SyntaxMistake mistake = name_mistake(message, last_token);
    complain(next_pointer(), mistake.found, mistake.expected);
    return false;
  }

 private:
  struct Container {
    Json* json;
    std::string pointer;
    std::string key;                            // the member whose value comes next
    bool repeated = false;                      // that member is there already: its value is dropped
    std::unordered_map<std::string, int> keys;  // -> line
  };

  void complain(std::string pointer, std::string found, std::string expected) {
    diagnostics_.push_back({document_.file_, progress_.line, std::move(pointer), std::move(found), std::move(expected), ""});
  }

  [[nodiscard]] std::string next_pointer() const {
    if (open_.empty()) return "";
    const Container& container = open_.back();
    if (!container.json->is_array()) return container.key.empty() ? container.pointer : join_pointer(container.pointer, container.key);
    return join_pointer(container.pointer, std::to_string(container.json->size()));
  }

  /// The place in the tree the value went to.
  Json* place(Json value) {
    if (open_.empty()) {
      document_.lines_.emplace("", progress_.line);
      return &(document_.root_ = std::move(value));
    }
    Container& container = open_.back();
    if (container.json->is_array()) {
      document_.lines_.emplace(next_pointer(), progress_.line);
      container.json->push_back(std::move(value));
      return &container.json->back();
    }
    if (std::exchange(container.repeated, false)) return &dropped_.emplace_back(std::move(value));
    auto& members = container.json->get_ref<Json::object_t&>();
    members.push_back({container.key, std::move(value)});
    return &members.back().second;
  }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json container) {
    const std::string pointer = next_pointer();
    if (std::ssize(open_) >= JsonDocument::max_depth) {
      complain(pointer, too_deep(), "a flatter file");
      return false;
    }
    Json* json = place(std::move(container));
    open_.push_back({json, pointer, "", false, {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  JsonDocument& document_;
  const Progress& progress_;
  std::vector<Diagnostic>& diagnostics_;
  std::vector<Container> open_;
  std::deque<Json> dropped_;  // values of repeated keys
};

JsonDocument::JsonDocument(const std::string& written, std::string file, std::vector<Diagnostic>& diagnostics) : file_(std::move(file)) {
  const std::size_t mistakes = diagnostics.size();
  const std::string text = plain_json(written, file_, diagnostics);
  if (diagnostics.size() > mistakes) return;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    diagnostics.push_back({file_, 1, "", "an empty file", "a JSON object", ""});
    return;
  }
  Progress progress;
  JsonDocumentBuilder builder(*this, progress, diagnostics);
  complete_ = Json::sax_parse(CountingIterator{text.data(), &progress}, CountingIterator{text.data() + text.size(), &progress}, &builder);
}

JsonDocument JsonDocument::without_text(Json root, std::string name, std::vector<Diagnostic>& diagnostics) {
  JsonDocument document;
  document.file_ = std::move(name), document.root_ = std::move(root);
  document.complete_ = nests_within(document.root_, max_depth);
  if (!document.complete_) diagnostics.push_back({document.file_, 0, "", too_deep(), "a flatter model", ""});
  return document;
}

int JsonDocument::line(std::string pointer) const {
  if (lines_.empty()) return 0;
  while (true) {
    if (const auto found = lines_.find(pointer); found != lines_.end()) return found->second;
    if (pointer.empty()) return 1;
    const auto slash = pointer.rfind('/');
    pointer.resize(slash == std::string::npos ? 0 : slash);
  }
}

std::string join_pointer(const std::string& pointer, std::string_view key) {
  std::string joined = pointer + "/";
  for (const char c : key) joined += c == '~' ? std::string("~0") : c == '/' ? std::string("~1") : std::string(1, c);
  return joined;
}

namespace {

std::string shortened(std::string text) {
  constexpr std::size_t longest = 80;
  if (text.size() <= longest) return text;
  // Never cut inside a UTF-8 character.
  std::size_t end = longest - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::string quote(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_string()) return quote_text(value.get_ref<const std::string&>());
  return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string quote_text(std::string_view text) {
  // JSON's own escapes for control characters; bytes that are no UTF-8 become U+FFFD.
  std::string escaped = Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
  return "\"" + shortened(escaped.substr(1, escaped.size() - 2)) + "\"";
}

}  // namespace arthron
