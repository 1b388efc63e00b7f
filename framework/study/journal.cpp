#include "arthron/study/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "arthron/core/diagnostic.hpp"

namespace arthron {
namespace {

constexpr std::string_view mark = "arthron_journal 1 ";

}  // namespace

Journal::Journal(std::string file, const std::string& owner, bool restart, std::string option)
    : file_(std::move(file)), option_(std::move(option)) {
  open();
  std::string text;
  try {
    text = read();
    text.resize(text.rfind('\n') + 1);  // a piece of a line is none
    const std::string head = std::string(mark) + owner + '\n';
    if (!text.empty() && !text.starts_with(mark)) refuse("a file that is no journal", "another name, or no file there");
    if (!text.empty() && !text.starts_with(head) && !restart)
      refuse("the journal of another study: its files or the program have changed", "the study as it was, or --restart to start over");
    if (restart) text.clear();
    if (::ftruncate(descriptor_, static_cast<off_t>(text.size())) != 0) refuse_system();
    if (text.empty()) append(head);
    for (std::size_t begin = head.size(); begin < text.size();) {
      const std::size_t end = text.find('\n', begin) + 1;
      lines_.push_back(text.substr(begin, end - begin));
      begin = end;
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

Journal::~Journal() { ::close(descriptor_); }

void Journal::open() {
  // Another process may delete the file between our opening and locking it.
  for (struct stat status = {}; status.st_nlink == 0;) {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0) refuse_system();
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      ::close(descriptor_);
      refuse("a journal that another process is writing", "one study at a time");
    }
    ::fstat(descriptor_, &status);
  }
}

std::string Journal::read() const {
  std::string text;
  char piece[1 << 16];
  for (ssize_t count = 0; (count = ::read(descriptor_, piece, sizeof piece)) != 0;) {
    if (count < 0) refuse_system();
    text.append(piece, count);
  }
  return text;
}

void Journal::append(std::string_view line) {
  ssize_t written = 0;
  do written = ::write(descriptor_, line.data(), line.size());
  while (written < 0 && errno == EINTR);
  if (written < 0) refuse_system();
  if (static_cast<std::size_t>(written) != line.size()) refuse("a disk that is full", "room for the results");
}

void Journal::remove() { ::unlink(file_.c_str()); }

void Journal::refuse(const std::string& reason, const std::string& expected) const {
  throw ModelError({{"", 0, option_, '"' + file_ + "\", " + reason, expected, ""}});
}

void Journal::refuse_system() const { refuse(std::strerror(errno), "a file that can be written"); }

}  // namespace arthron
