#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace arthron {

/// Lines on file as they come, for a work that may be ended at any moment and gone on with. The first line tells whose they are. Each is
/// written at once, so that a process that is killed leaves whole lines and at most a piece of one, which is dropped when the journal is
/// opened again. One process at a time. Mistakes are ModelErrors that name `option`.
class Journal {
 public:
  /// Opens the journal or begins one. Refuses that of another owner, unless `restart` makes it begin anew.
  Journal(std::string file, const std::string& owner, bool restart, std::string option);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  /// Whole lines that were there, with their newlines.
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  void append(std::string_view line);
  /// Deletes the file.
  void remove();

 private:
  void open();
  [[nodiscard]] std::string read() const;
  [[noreturn]] void refuse(const std::string& reason, const std::string& expected) const;
  [[noreturn]] void refuse_system() const;

  std::string file_, option_;
  int descriptor_ = -1;
  std::vector<std::string> lines_;
};

}  // namespace arthron
