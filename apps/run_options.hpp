#pragma once
#include <cstdint>
#include <map>
#include <optional>

#include "arthron/simulation/channels.hpp"
#include "arthron/simulation/simulation.hpp"
#include "model_options.hpp"

namespace arthron::cli {

/// What `arthron run` was told. Options replace what the model file says.
class RunOptions {
 public:
  ModelOptions model;
  std::string output, summary, checkpoint, resume;  // file names; empty for none, "-" for the console
  std::string checkpoint_of;                        // path of the subsystem that the checkpoint is of; empty for the whole
  bool quiet = false;

  void declare(CLI::App& command);
  /// Without the files that `run` reads and writes: what a run is and how it is computed.
  void declare_settings(CLI::App& command);
  /// The model with the options applied. Throws ModelError with all mistakes in options and settings.
  [[nodiscard]] Model load() const;
  /// Steps that may be tried.
  [[nodiscard]] std::int64_t max_steps() const;
  /// Simulated seconds between checkpoints; infinite for one at the end.
  [[nodiscard]] double checkpoint_every() const;
  /// The checkpoints to start from. Throw ModelError with the mistakes of a file.
  [[nodiscard]] std::optional<Checkpoint> earlier(const Model& model) const;
  [[nodiscard]] std::vector<PartState> parts(const Model& model) const;
  [[nodiscard]] std::vector<ChannelRequest> channel_requests(const Model& model) const;

 private:
  [[nodiscard]] bool given(const std::string& option) const { return texts_.contains(option) && texts_.at(option).has_value(); }
  void declare_text(CLI::App& command, const std::string& name);
  void apply(SimulationSettings& settings, std::vector<Diagnostic>& mistakes) const;
  void check_files(std::vector<Diagnostic>& mistakes) const;

  std::map<std::string, std::optional<std::string>> texts_;  // option -> as the user wrote it
  std::vector<std::string> channels_, restored_;
  bool no_project_ = false, no_reanchor_ = false;
};

}  // namespace arthron::cli
