#include "arthron/simulation/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "arthron/core/diagnostic.hpp"

namespace arthron {

namespace fs = std::filesystem;

OutputFile::OutputFile(std::string path, std::string option)
    : path_(std::move(path)), option_(std::move(option)), target_(path_), file_(nullptr, std::fclose) {
  std::error_code none;
  const fs::file_status status = fs::status(path_, none);
  if (path_.empty()) refuse("no name");
  if (fs::is_directory(status)) refuse("a directory");
  if (fs::exists(status) && ::access(path_.c_str(), W_OK) != 0) refuse(std::strerror(errno));
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    file_.reset(std::fopen(path_.c_str(), "wb"));
  } else {
    if (fs::is_symlink(fs::symlink_status(path_, none))) target_ = fs::weakly_canonical(path_, none).string();
    temporary_ = target_ + ".partial-" + std::to_string(::getpid());
    file_.reset(std::fopen(temporary_.c_str(), "wb"));
  }
  if (!file_) {
    const std::string reason = std::strerror(errno);
    temporary_.clear();
    refuse(reason);
  }
}

OutputFile::~OutputFile() {
  file_.reset();
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) refuse(std::strerror(errno));
}

void OutputFile::commit() {
  if (std::fflush(file_.get()) != 0) refuse(std::strerror(errno));
  if (std::fclose(file_.release()) != 0) refuse(std::strerror(errno));
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) refuse(std::strerror(errno));
  temporary_.clear();
}

void OutputFile::refuse(const std::string& reason) const {
  throw ModelError({{"", 0, option_, '"' + path_ + "\" (" + reason + ")", "a file that can be written", ""}});
}

}  // namespace arthron
