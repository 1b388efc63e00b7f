#include <fstream>

#include "arthron/component/json_document.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/core/text_file.hpp"
#include "arthron/scene/packed_text.hpp"
#include "arthron/scene/recording.hpp"

namespace arthron {

namespace {

using std::size_t;

constexpr auto a_recording = "a recording, as run --recording writes it";

/// A recording's text as a tree, and refusals with places in it.
class RecordingText {
 public:
  RecordingText(const std::string& text, const std::string& file) : document_(text, file, mistakes_) {
    if (!mistakes_.empty()) throw ModelError(mistakes_);
  }

  [[noreturn]] void refuse(const std::string& pointer, const std::string& found, const std::string& expected = a_recording) const {
    throw ModelError({{document_.file(), document_.line(pointer), pointer, found, expected, ""}});
  }

  /// The member of an object; refused when there is none.
  [[nodiscard]] const Json& member(const Json& object, const std::string& pointer, const std::string& key) const {
    if (!object.is_object()) refuse(pointer, quote(object), "an object");
    const auto found = object.find(key);
    if (found == object.end()) refuse(pointer, "no " + key);
    return *found;
  }
  [[nodiscard]] std::string text(const Json& object, const std::string& pointer, const std::string& key) const {
    const Json& value = member(object, pointer, key);
    if (!value.is_string()) refuse(join_pointer(pointer, key), quote(value), "a text");
    return value.get<std::string>();
  }
  /// A whole number below 2^32, so that products of two have room.
  [[nodiscard]] size_t count(const Json& object, const std::string& pointer, const std::string& key) const {
    const Json& value = member(object, pointer, key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >> 32 != 0)
      refuse(join_pointer(pointer, key), quote(value), "a whole number below 2^32");
    return value.get<size_t>();
  }
  [[nodiscard]] const Json& list(const Json& object, const std::string& pointer, const std::string& key) const {
    const Json& value = member(object, pointer, key);
    if (!value.is_array()) refuse(join_pointer(pointer, key), quote(value), "a list");
    return value;
  }
  void require_version(const Json& object, const std::string& pointer, const std::string& key) const {
    if (const Json& value = member(object, pointer, key); value != 1)
      refuse(join_pointer(pointer, key), quote(value), "1, the version this program reads");
  }
  /// A list of objects, each with a text under that key.
  void require_named(const Json& scene, const std::string& key, const std::string& name) const {
    const std::string pointer = "/scene/" + key;
    size_t i = 0;
    for (const Json& entry : list(scene, "/scene", key)) (void)text(entry, join_pointer(pointer, std::to_string(i++)), name);
  }
  [[nodiscard]] const Json& root() const { return document_.root(); }

 private:
  std::vector<Diagnostic> mistakes_;
  JsonDocument document_;
};

/// Bytes of all frames, as the scene says.
size_t bytes_of(const RecordingText& text, const Json& scene) {
  const Json& frames = text.member(scene, "/scene", "frames");
  const size_t count = text.count(frames, "/scene/frames", "count");
  size_t bytes = 0, i = 0;
  for (const Json& block : text.list(frames, "/scene/frames", "blocks")) {
    const std::string pointer = "/scene/frames/blocks/" + std::to_string(i++);
    const std::string type = text.text(block, pointer, "type");
    if (type != "f4" && type != "f8") text.refuse(pointer + "/type", quote_text(type), "f4 or f8");
    (void)text.text(block, pointer, "name");
    const size_t more = count * text.count(block, pointer, "columns");
    constexpr size_t most = size_t{1} << 40;
    if (more > most || bytes > most) text.refuse(pointer + "/columns", "more numbers than any file holds");
    bytes += more * (type == "f4" ? 4 : 8);
  }
  return bytes;
}

}  // namespace

bool is_recording(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  constexpr std::string_view name = "\"arthron_recording\"";  // of whatever version
  std::string start(name.size(), '\0');
  char brace = 0;
  stream >> brace >> std::ws;
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return brace == '{' && start == name;
}

SavedRecording read_recording(const std::string& file) {
  std::string trouble;
  const std::string bytes_read = read_text(file, trouble, largest_result);
  if (!trouble.empty()) throw ModelError({{file, 0, "", trouble, a_recording, ""}});
  const RecordingText text(bytes_read, file);
  text.require_version(text.root(), "", "arthron_recording");
  const Json& scene = text.member(text.root(), "", "scene");
  text.require_version(scene, "/scene", "format");
  for (const char* key : {"subsystems", "bodies", "joints", "forces", "markers"}) text.require_named(scene, key, "path");
  text.require_named(scene, "channels", "name");
  SavedRecording saved{scene, text.text(text.root(), "", "frames")};
  const size_t expected = bytes_of(text, scene);
  constexpr size_t best_compression = 1100;  // what gzip can do at most
  std::string bytes;
  if (expected > best_compression * saved.frames.size() || !unpack_text(saved.frames, expected, bytes) || bytes.size() != expected)
    text.refuse("/frames", "damaged frames", "the " + std::to_string(expected) + " bytes that the scene tells of");
  return saved;
}

}  // namespace arthron
