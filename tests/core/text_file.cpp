#include "arthron/core/text_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <csignal>
#include <thread>

#include "support/folder.hpp"

using namespace arthron;

namespace {

/// What stands in the way of reading a file.
std::string trouble_with(const std::string& file, std::uintmax_t most = largest_text) {
  std::string trouble;
  CHECK(read_text(file, trouble, most).empty());
  return trouble;
}

}  // namespace

TEST_CASE("a file is read whole, with all its bytes") {
  const test::Folder folder;
  std::string text(200'000, 'a'), trouble;
  text[3] = '\0', text[70'000] = '\r';
  CHECK(read_text(folder.write("a.json", text), trouble) == text);
  CHECK(read_text(folder.write("empty.json", ""), trouble).empty());
  CHECK(trouble.empty());
}

TEST_CASE("a pipe is read to its end") {
  const test::Folder folder;
  const std::string pipe = folder.file("pipe"), text(150'000, 'b');
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] { std::ofstream(pipe) << text; });
  std::string trouble;
  CHECK(read_text(pipe, trouble) == text);
  writer.join();
  CHECK(trouble.empty());
}

TEST_CASE("what is no file is not read: nothing, folders, devices without end") {
  const test::Folder folder;
  CHECK(trouble_with(folder.file("absent")) == "no such file");
  CHECK(trouble_with(folder.file(".")) == "a directory");
  CHECK(trouble_with("/dev/zero") == "a device, which is no file");
  CHECK(trouble_with("/dev/null") == "a device, which is no file");
  CHECK(trouble_with(std::string(5000, 'a')) == "no such file");
}

TEST_CASE("files beyond all measure are not read, whatever they say of their size") {
  const test::Folder folder;
  const std::string file = folder.write("huge", "");
  std::filesystem::resize_file(file, largest_text + 1);
  CHECK(trouble_with(file) == "a file of more than 256 MB");
  const std::string pipe = folder.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto before = std::signal(SIGPIPE, SIG_IGN);  // for who writes into a pipe that nobody reads
  std::thread writer([&] { std::ofstream(pipe) << std::string(3 << 20, 'c'); });
  CHECK(trouble_with(pipe, 1 << 20) == "a file of more than 1 MB");
  writer.join();
  std::signal(SIGPIPE, before);
}
