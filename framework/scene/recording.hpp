#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>

#include "arthron/scene/frame.hpp"

namespace arthron {

/// Frames of a run, and the scene they move.
///
/// Frames are kept column by column. Written, every number is replaced by the exclusive or of its bits with those of the number before it
/// in its column, a column is laid out byte by byte (the first bytes of all its numbers, then the second ones ...), and the whole is
/// compressed: what moves smoothly or not at all takes little room, and every bit of a channel comes back.
class Recording {
 public:
  void add(const Frame& frame);
  [[nodiscard]] std::size_t count() const { return times_.size(); }

  /// The scene with the description of the frames, and the frames as text.
  [[nodiscard]] nlohmann::ordered_json scene(nlohmann::ordered_json scene) const;
  [[nodiscard]] std::string frames() const;

 private:
  std::vector<double> times_, channels_;
  std::vector<float> poses_, loads_;
};

/// A recording on file.
struct SavedRecording {
  nlohmann::ordered_json scene;
  std::string frames;
};

[[nodiscard]] std::string to_text(const SavedRecording& recording);
/// Throws ModelError where the file holds no recording, or a damaged one.
[[nodiscard]] SavedRecording read_recording(const std::string& file);
/// True for a file that says it is a recording.
[[nodiscard]] bool is_recording(const std::string& file);

}  // namespace arthron
