#pragma once
#include <map>
#include <string>
#include <vector>

#include "support/fuzz/json_damage.hpp"

namespace arthron::fuzz {

/// What is damaged: a file that a command takes, with all files that it needs.
struct Subject {
  enum class Kind { model, suspension, study, checkpoint, recording, table, curves, plugin };
  static constexpr int kinds = 8;

  Kind kind;
  std::string main;                // the file that the command takes; of a checkpoint its model, of curves their folder
  std::vector<std::string> files;  // that may be damaged, the most interesting one first
  std::string state;               // of a checkpoint, "" otherwise
  std::string part;                // path of the subsystem that the checkpoint is of, "" when it is of the whole model
};

/// All that is damaged, in a folder of its own: the models, studies and subsystems of the repository, and what the program makes of some of
/// them (checkpoints, recordings, tables, curves). Paths are relative to that folder, which has to be the working folder.
class Corpus {
 public:
  /// Copies the files of the repository below `root`, an empty folder, and lets the program write the rest there. Changes the working
  /// folder.
  Corpus(const std::string& root, const std::string& repository, const std::string& built);

  [[nodiscard]] const std::vector<Subject>& subjects(Subject::Kind kind) const { return subjects_[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] const Donors& donors() const { return donors_; }
  [[nodiscard]] const std::string& text(const std::string& file) const { return texts_.at(file); }
  [[nodiscard]] bool has(const std::string& file) const { return texts_.contains(file); }
  /// How much of the model a command reads, in bytes.
  [[nodiscard]] std::size_t size(const Subject& subject) const;

 private:
  void take(const std::string& file);
  void add(Subject::Kind kind, const std::string& main);
  void copy_repository(const std::string& repository);
  void copy_libraries(const std::string& built);
  void add_models();
  void make_results();
  [[nodiscard]] std::vector<std::string> needed(const std::string& file) const;

  std::map<std::string, std::string> texts_;
  std::vector<Subject> subjects_[Subject::kinds];
  Donors donors_;
};

/// Plug-ins where the models look for them; links below `root`.
std::vector<std::string> link_libraries(const std::string& root, const std::string& built);

}  // namespace arthron::fuzz
