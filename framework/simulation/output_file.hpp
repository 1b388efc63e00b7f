#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace arthron {

/// A file that appears whole or not at all: written beside its target and renamed at the end. Devices and pipes are written directly.
/// Every mistake (no such directory, no permission, disk full) is a ModelError that names `option`, and leaves nothing behind.
class OutputFile {
 public:
  OutputFile(std::string path, std::string option);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Without commit(), nothing appears.
  ~OutputFile();

  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void refuse(const std::string& reason) const;

  std::string path_, option_;
  std::string target_, temporary_;  // temporary_ is empty when written directly
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace arthron
