#include "arthron/scene/recording.hpp"

#include <bit>
#include <fstream>
#include <iterator>

#include "arthron/core/diagnostic.hpp"
#include "arthron/scene/packed_text.hpp"

namespace arthron {

namespace {

using Json = nlohmann::ordered_json;
using std::size_t;

constexpr std::string_view head = "{\"arthron_recording\":1,";

/// Appends a block: `rows` of numbers one behind the other, as columns of byte planes of differences.
template <class Bits, class Number>
void append_planes(const std::vector<Number>& rows, size_t count, std::string& bytes) {
  if (count == 0) return;
  const size_t columns = rows.size() / count;
  for (size_t column = 0; column < columns; ++column) {
    const size_t first = bytes.size();
    bytes.resize(first + count * sizeof(Bits));
    Bits before = 0;
    for (size_t row = 0; row < count; ++row) {
      const Bits now = std::bit_cast<Bits>(rows[row * columns + column]), difference = now ^ before;
      before = now;
      for (size_t byte = 0; byte < sizeof(Bits); ++byte)
        bytes[first + byte * count + row] = static_cast<char>(difference >> (8 * byte) & 0xff);
    }
  }
}

[[noreturn]] void refuse(const std::string& file, const std::string& found) {
  throw ModelError({{file, 0, "", found, "a recording, as run --recording writes it", ""}});
}

size_t bytes_of(const Json& frames) {
  size_t bytes = 0;
  for (const Json& block : frames.at("blocks"))
    bytes += frames.at("count").get<size_t>() * block.at("columns").get<size_t>() * (block.at("type") == "f4" ? 4 : 8);
  return bytes;
}

}  // namespace

void Recording::add(const Frame& frame) {
  times_.push_back(frame.t);
  channels_.insert(channels_.end(), frame.channels.begin(), frame.channels.end());
  poses_.insert(poses_.end(), frame.poses.begin(), frame.poses.end());
  loads_.insert(loads_.end(), frame.loads.begin(), frame.loads.end());
}

Json Recording::scene(Json scene) const {
  const auto columns = [&](const auto& numbers) { return count() == 0 ? 0 : numbers.size() / count(); };
  scene["frames"] = {{"count", count()},
                     {"blocks",
                      {{{"name", "time"}, {"type", "f8"}, {"columns", 1}},
                       {{"name", "poses"}, {"type", "f4"}, {"columns", columns(poses_)}},
                       {{"name", "loads"}, {"type", "f4"}, {"columns", columns(loads_)}},
                       {{"name", "channels"}, {"type", "f8"}, {"columns", columns(channels_)}}}}};
  return scene;
}

std::string Recording::frames() const {
  std::string bytes;
  append_planes<std::uint64_t>(times_, count(), bytes);
  append_planes<std::uint32_t>(poses_, count(), bytes);
  append_planes<std::uint32_t>(loads_, count(), bytes);
  append_planes<std::uint64_t>(channels_, count(), bytes);
  return packed_text(bytes);
}

std::string to_text(const SavedRecording& recording) {
  return std::string(head) + "\"scene\":" + recording.scene.dump() + ",\"frames\":\"" + recording.frames + "\"}\n";
}

bool is_recording(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  constexpr std::string_view name = "{\"arthron_recording\"";  // of whatever version
  std::string start(name.size(), '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == name;
}

SavedRecording read_recording(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(file, "no file that can be read");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  try {
    Json json = Json::parse(text);
    if (json.at("arthron_recording") != 1 || json.at("scene").at("format") != 1) refuse(file, "a recording of another version");
    SavedRecording saved{std::move(json.at("scene")), json.at("frames").get<std::string>()};
    std::string bytes;
    const size_t expected = bytes_of(saved.scene.at("frames"));
    constexpr size_t best_compression = 1100;  // what gzip can do at most
    if (expected > best_compression * saved.frames.size()) refuse(file, "a damaged recording");
    if (!unpack_text(saved.frames, expected, bytes) || bytes.size() != expected) refuse(file, "a damaged recording");
    return saved;
  } catch (const Json::exception&) {
    refuse(file, "no recording, or a damaged one");
  }
}

}  // namespace arthron
