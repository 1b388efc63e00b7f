#include "arthron/scene/recording.hpp"

#include <bit>

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

}  // namespace arthron
