#pragma once
#include <memory>
#include <string>

#include "arthron/scene/recording.hpp"
#include "arthron/scene/scene.hpp"
#include "arthron/simulation/output_file.hpp"

namespace arthron::cli {

/// Keeps a frame a row, and writes them at the end to a file that appears whole; does nothing without a file.
class RecordingWriter {
 public:
  RecordingWriter(const std::string& file, const Simulation& simulation, const std::vector<ChannelColumn>& columns)
      : file_(file.empty() ? nullptr : std::make_unique<OutputFile>(file, "--recording")), simulation_(simulation), columns_(columns) {}

  [[nodiscard]] bool wanted() const { return file_ != nullptr; }
  void row(std::span<const double> values) {
    if (!file_) return;
    if (recording_.count() == 0) scene_ = scene_json(simulation_, columns_);
    read_frame(simulation_, values, frame_);
    recording_.add(frame_);
  }
  void finish() {
    if (!file_) return;
    file_->write(to_text(SavedRecording{recording_.scene(scene_), recording_.frames()}));
    file_->commit();
  }

 private:
  std::unique_ptr<OutputFile> file_;
  const Simulation& simulation_;
  const std::vector<ChannelColumn>& columns_;
  nlohmann::ordered_json scene_;
  Recording recording_;
  Frame frame_;
};

}  // namespace arthron::cli
