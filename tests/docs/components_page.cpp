#include <doctest/doctest.h>

#include "apps/program.hpp"
#include "arthron/components/examples.hpp"
#include "arthron/model/describe.hpp"
#include "support/documentation.hpp"
#include "support/fragment.hpp"

using namespace arthron;

TEST_CASE("docs/components.md is what the program prints: scripts/docs writes it anew") {
  const test::Outcome printed = test::program({"types", "--markdown"});
  CHECK(printed.code == 0);
  CHECK((printed.out == test::page("docs/components.md")));
}

TEST_CASE("every section and every built-in type has an example, and every example belongs to one") {
  std::map<std::string, std::string> examples = builtin_examples();
  for (const ReferenceEntry& entry : reference_of(builtin_registry())) CHECK_MESSAGE(examples.erase(entry.heading()) == 1, entry.heading());
  CHECK(examples.size() == 1);  // a study is no model
  CHECK(examples.contains("study"));
}

TEST_CASE("every example of the reference is part of a model that loads") {
  const test::ReadersFolder folder;
  for (const auto& [heading, example] : builtin_examples()) {
    if (heading == "study") continue;
    CAPTURE(heading);
    const test::Json fragment = test::Json::parse(example.starts_with('{') ? example : '{' + example + '}');
    CHECK(folder.mistakes_of(fragment) == "");
  }
}

TEST_CASE("an example is made up for a type that has none, and loads") {
  const test::ReadersFolder folder;
  for (const ReferenceEntry& entry : reference_of(builtin_registry())) {
    if (entry.word.empty() || entry.heading() == "force force" || entry.word == "body") continue;  // these ask for one of several keys
    CAPTURE(entry.heading());
    const std::vector<test::Json> made = test::fragments(entry_markdown(entry, ""));
    REQUIRE(made.size() == 1);
    CHECK(folder.mistakes_of(made.front()) == "");
  }
}

TEST_CASE("an author's own example is shown") {
  const ReferenceEntry entry{"joint", "acme/bolt", "1 freedom", "libacme.so", {}, {}, R"({"pitch": 0.25})"};
  const std::string page = entry_markdown(entry, "");
  CHECK(page.find(R"("pitch":0.25)") != std::string::npos);
  CHECK(page.find("from libacme.so") != std::string::npos);
}
