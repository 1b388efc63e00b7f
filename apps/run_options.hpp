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
  std::string output, recording, summary, checkpoint, resume, profile;  // file names; empty for none, "-" for the console
  std::string checkpoint_of;  // path of the subsystem that the checkpoint is of; empty for the whole
  bool quiet = false, live = false, digits = false;

  /// All options of `run`.
  void declare(CLI::App& command);
  /// Those that say what is simulated and how, for commands that make something else of it than rows.
  void declare_simulation(CLI::App& command);
  /// The model with the options applied. Throws ModelError with all mistakes in options and settings.
  [[nodiscard]] Model load() const;
  /// Where a live run is shown; 0 for any port that is free.
  [[nodiscard]] int port() const;
  /// Steps that may be tried.
  [[nodiscard]] std::int64_t max_steps() const;
  /// Simulated seconds between checkpoints; infinite for one at the end.
  [[nodiscard]] double checkpoint_every() const;
  /// The checkpoints to start from. Throw ModelError with the mistakes of a file.
  [[nodiscard]] std::optional<Checkpoint> earlier(const Model& model) const;
  [[nodiscard]] std::vector<PartState> parts(const Model& model) const;
  [[nodiscard]] std::vector<ChannelRequest> channel_requests(const Model& model) const;
  /// True when the user has written the option, one with a value that stands in for a setting.
  [[nodiscard]] bool given(const std::string& option) const;
  /// Every option of a simulation that the user has written.
  [[nodiscard]] std::vector<std::string> given_options() const;
  [[nodiscard]] bool chooses_channels() const { return !channels_.empty(); }

 private:
  void apply(SimulationSettings& settings, std::vector<Diagnostic>& mistakes) const;
  void check_files(std::vector<Diagnostic>& mistakes) const;

  std::map<std::string, std::optional<std::string>> texts_;  // option -> as the user wrote it
  std::vector<std::string> channels_, restored_;
  bool no_project_ = false, no_reanchor_ = false;
};

}  // namespace arthron::cli
