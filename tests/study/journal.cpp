#include "arthron/study/journal.hpp"

#include <doctest/doctest.h>

#include "arthron/core/diagnostic.hpp"
#include "support/folder.hpp"

using namespace arthron;
using arthron::test::Folder;

namespace {

using Lines = std::vector<std::string>;

std::string refusal(const std::string& file, const std::string& owner, bool restart = false) {
  try {
    const Journal journal(file, owner, restart, "--output");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a journal gives back its whole lines, wherever it was torn") {
  const Folder folder;
  const std::string file = folder.file("journal");
  { Journal(file, "me", false, "--output").append("first\n"); }
  const std::string one = folder.read("journal");
  { Journal(file, "me", false, "--output").append("second\n"); }
  const std::string two = folder.read("journal");
  for (std::size_t size = 0; size <= two.size(); ++size) {
    folder.write("journal", two.substr(0, size));
    Lines expected;
    if (size >= one.size()) expected.emplace_back("first\n");
    if (size == two.size()) expected.emplace_back("second\n");
    {
      Journal journal(file, "me", false, "--output");
      CHECK(journal.lines() == expected);
      journal.append("third\n");
    }
    expected.emplace_back("third\n");
    CHECK(Journal(file, "me", false, "--output").lines() == expected);
  }
}

TEST_CASE("a journal is refused to another owner until he begins anew, and nobody's file is overwritten") {
  const Folder folder;
  const std::string file = folder.file("journal");
  { Journal(file, "me", false, "--output").append("line\n"); }
  CHECK(refusal(file, "you").find("journal of another study") != std::string::npos);
  CHECK(Journal(file, "me", false, "--output").lines() == Lines{"line\n"});
  CHECK(refusal(file, "you", true).empty());
  CHECK(Journal(file, "you", false, "--output").lines().empty());
  folder.write("journal", "a letter\n");
  CHECK(refusal(file, "me", true).find("no journal") != std::string::npos);
  CHECK(folder.read("journal") == "a letter\n");
}

TEST_CASE("a journal has one writer at a time, and is gone when removed") {
  const Folder folder;
  const std::string file = folder.file("journal");
  Journal journal(file, "me", false, "--output");
  CHECK(refusal(file, "me").find("another process is writing") != std::string::npos);
  journal.remove();
  CHECK(folder.names().empty());
  CHECK(refusal(folder.file("none/journal"), "me").find("No such file or directory") != std::string::npos);
}
