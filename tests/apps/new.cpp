#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "apps/program.hpp"

using namespace arthron;
using namespace arthron::test;

TEST_CASE("new writes a project that is named after the type") {
  const Folder folder;
  for (const std::string kind : {"joint", "force", "subsystem"}) {
    CAPTURE(kind);
    const std::string struct_name = kind == "joint" ? "RollingKneeJoint" : kind == "force" ? "RollingKneeForce" : "RollingKneeSubsystem";
    const Outcome outcome = program({"new", kind, "acme/rolling_knee", "--output", folder.file(kind)});
    CHECK(outcome.code == 0);
    CHECK(outcome.out.find("cmake --build build") != std::string::npos);
    const auto file = [&](const std::string& name) { return folder.read(kind + "/" + name); };
    CHECK(file("CMakeLists.txt").find("arthron_add_plugin(acme_rolling_knee rolling_knee.cpp)") != std::string::npos);
    CHECK(file("rolling_knee.cpp").find("add_" + kind + "<" + struct_name + ">") != std::string::npos);
    CHECK(nlohmann::json::parse(file("rolling_knee.json"))["plugins"][0] == "build/acme_rolling_knee");
    CHECK(file("README.md").find("arthron run rolling_knee.json") != std::string::npos);
    for (const char* name : {"CMakeLists.txt", "rolling_knee.cpp", "rolling_knee.json", "README.md"}) {
      CAPTURE(name);
      CHECK(file(name).find("vendor") == std::string::npos);
    }
  }
}

TEST_CASE("a new type without a vendor is one's own") {
  const Folder folder;
  CHECK(program({"new", "joint", "knee", "--output", folder.file("knee")}).code == 0);
  CHECK(folder.read("knee/knee.cpp").find("\"my/knee\"") != std::string::npos);
}

TEST_CASE("new overwrites nothing") {
  const Folder folder;
  folder.write("project/knee.json", "mine");
  const Outcome outcome = program({"new", "joint", "knee", "--output", folder.file("project")});
  CHECK(outcome.code == cli::ExitCode::user_mistake);
  CHECK(outcome.complains_of("knee.json"));
  CHECK(outcome.complains_of("there already"));
  CHECK(folder.read("project/knee.json") == "mine");
  CHECK_FALSE(std::filesystem::exists(folder.file("project/knee.cpp")));
}

TEST_CASE("new refuses kinds that there are not and names that cannot be") {
  const Folder folder;
  const Outcome outcome = program({"new", "jiont", "knee", "--output", folder.file("project")});
  CHECK(outcome.code == cli::ExitCode::user_mistake);
  CHECK(outcome.complains_of("did you mean \"joint\"?"));
  for (const char* name : {"", "/knee", "acme/", "a/b/c", "7knee", "knee joint", "../knee", "acme/-"}) {
    CAPTURE(name);
    CHECK(program({"new", "joint", name, "--output", folder.file("project")}).code == cli::ExitCode::user_mistake);
  }
  CHECK(folder.names().empty());
}
