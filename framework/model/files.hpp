#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arthron/component/json_document.hpp"
#include "arthron/model/hardpoints.hpp"

namespace arthron {

/// The files of a model, each read and parsed once however often it is used. Documents stay where they are.
class Files {
 public:
  /// Documents that `earlier` has are not read again; it outlives this one.
  explicit Files(std::vector<Diagnostic>& diagnostics, const Files* earlier = nullptr) : diagnostics_(diagnostics), earlier_(earlier) {}

  struct Opened {
    const JsonDocument* document = nullptr;  // nullptr: cannot be used
    std::string trouble;                     // why the file cannot be read; empty when its mistakes have been reported
  };
  Opened open(const std::string& file);
  /// The same for a text that is read already.
  Opened add(const std::string& text, const std::string& file);
  /// The same for a definition that never was a text.
  Opened add(const Json& definition, const std::string& name);
  /// A table of hardpoints, whose mistakes go to the diagnostics. nullptr, and why, when it cannot be read.
  std::pair<const HardpointTable*, std::string> open_table(const std::string& file);
  /// Keeps what a subsystem type built, which is no file and has no place among the names.
  const JsonDocument& keep_built(JsonDocument document) { return built_.emplace_back(std::move(document)); }
  /// Names in the order of reading.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// All that the files say, in the order of reading, and what was built.
  [[nodiscard]] std::string content() const;

  /// One name for a file, whichever way it is written.
  [[nodiscard]] static std::string identity(const std::string& file);
  /// `use` as written in `including`, as a path from where the program runs.
  [[nodiscard]] static std::string beside(const std::string& including, const std::string& use);
  /// The file nearest in name to `use` that is there, as one would write it in `including`; "" for none.
  [[nodiscard]] static std::string nearest(const std::string& including, const std::string& use);

 private:
  Opened keep(std::unique_ptr<JsonDocument> document);

  std::vector<Diagnostic>& diagnostics_;
  const Files* earlier_;
  std::map<std::string, std::unique_ptr<JsonDocument>> documents_;  // nullptr: mistakes reported
  std::map<std::string, const JsonDocument*> opened_;               // as it was written -> one of documents_, or of the earlier ones
  std::vector<std::string> names_;
  std::map<std::string, HardpointTable> tables_;  // by identity
  std::deque<JsonDocument> built_;
};

}  // namespace arthron
