#include <doctest/doctest.h>

#include <filesystem>

#include "apps/program.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

const std::string libraries = ARTHRON_TEST_PLUGINS;
const std::string screw = std::filesystem::path(libraries).parent_path() / "examples/plugins/screw/build/libacme_screw.so";

}  // namespace

TEST_CASE("check-plugin: a sound library passes with a table of its types alone") {
  const Outcome outcome = program({"check-plugin", screw});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("joint acme/screw\n") == 0);
  CHECK(outcome.out.find("H is the rate of the pose") != std::string::npos);
  CHECK(outcome.out.find("1 type checked, 0 failed") != std::string::npos);
}

TEST_CASE("check-plugin: a joint that throws fails, with its words and exit code 1") {
  const Outcome outcome = program({"check-plugin", libraries + "/libthrows.so"});
  CHECK(outcome.code == 1);
  CHECK(outcome.out.find("FAILED") != std::string::npos);
  CHECK(outcome.out.find("is thrown") != std::string::npos);
}

TEST_CASE("check-plugin: built-in types by name, the instances of a model, and another seed") {
  CHECK(program({"check-plugin", "--type", "screw", "--type", "bushing", "--seed", "7"}).code == 0);
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const Outcome outcome = program({"check-plugin", "--type", "revolute", "--model", model});
  CHECK(outcome.code == 0);
  CHECK(program({"check-plugin", "--type", "screw", "--model", model}).out.find("the model has no joint of this type") !=
        std::string::npos);
}

TEST_CASE("check-plugin: mistakes of the user are told, with exit code 2") {
  CHECK(program({"check-plugin"}).complains_of("libraries, --type NAME or --builtin"));
  const Outcome misspelt = program({"check-plugin", "--type", "revolut"});
  CHECK(misspelt.code == 2);
  CHECK(misspelt.complains_of("did you mean \"revolute\""));
  const Outcome missing = program({"check-plugin", "./no_such.so"});
  CHECK(missing.code == 2);
  CHECK(missing.complains_of("no such file"));
  CHECK(program({"check-plugin", "--builtin", "--seed", "none"}).code == 2);
}
