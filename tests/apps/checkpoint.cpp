#include <doctest/doctest.h>

#include "apps/program.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

constexpr const char* rig = ARTHRON_SOURCE_DIR "/subsystems/rigs/corner_rig.json";
constexpr const char* vehicle = ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json";

/// The lines behind the header.
std::string body(const std::string& table) { return table.substr(table.find('\n') + 1); }

Outcome run_rig(const Folder& folder, const std::string& name, const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {"run",           rig,         "--output", folder.file(name + ".csv"), "--channel",
                                        "*.orientation", "--channel", "wheel.*"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return program(arguments);
}

}  // namespace

TEST_CASE("two runs with a checkpoint between them write the table of one run") {
  const Folder folder;
  const std::string state = folder.file("state.json");
  REQUIRE(run_rig(folder, "whole", {"--until", "0.2"}).code == 0);
  REQUIRE(run_rig(folder, "first", {"--until", "0.11", "--checkpoint", state}).code == 0);
  const Outcome second = run_rig(folder, "second", {"--until", "0.2", "--resume", state});
  REQUIRE(second.code == 0);
  CHECK(second.out.find("resumed             at 0.11 s from " + state + ", bit for bit") == 0);
  // The last row of the first run ends a step that was cut short: close to that of the whole run, not the same.
  const std::string whole = folder.read("whole.csv"), rest = body(folder.read("second.csv"));
  CHECK(rest.starts_with("0.12,"));
  CHECK(whole.ends_with("\n" + rest));
}

TEST_CASE("checkpoints on the way are whole files, and the last one stays") {
  const Folder folder;
  const std::string state = folder.file("state.json");
  REQUIRE(run_rig(folder, "whole", {"--until", "0.1", "--integrator", "bdf", "--checkpoint", state, "--checkpoint-every", "0.04"}).code ==
          0);
  CHECK(folder.read("state.json").find("\"time\": 0.1,") != std::string::npos);
  CHECK(folder.names().size() == 2);
}

TEST_CASE("a run that fails leaves a checkpoint of its last good state, from which another method goes on") {
  const Folder folder;
  const std::string state = folder.file("state.json");
  const Outcome failed = run_rig(folder, "failed", {"--until", "0.2", "--max-steps", "20", "--checkpoint", state});
  REQUIRE(failed.code == cli::ExitCode::user_mistake);
  const Outcome second = run_rig(folder, "second", {"--until", "0.1", "--resume", state, "--integrator", "bdf"});
  REQUIRE(second.code == 0);
  CHECK(second.out.find("the method restarts") != std::string::npos);
}

TEST_CASE("a corner saved on its rig is restored in a car, by paths") {
  const Folder folder;
  const std::string state = folder.file("corner.json");
  REQUIRE(run_rig(folder, "rig", {"--until", "0.11", "--set", "rack_stroke=0", "--checkpoint", state, "--checkpoint-of", "corner"}).code ==
          0);
  CHECK(folder.read("corner.json").find("\"lower\": {\"type\":\"revolute\"") != std::string::npos);
  const Outcome car = program({"run", vehicle, "--until", "0.02", "--restore", "front.left=" + state, "--restore", "front.right=" + state});
  REQUIRE(car.code == 0);
  CHECK(car.out.find("restored            front.right from " + state + "\n") != std::string::npos);
}

TEST_CASE("mistakes with checkpoints are named") {
  const Folder folder;
  const std::string state = folder.file("state.json");
  REQUIRE(run_rig(folder, "rig", {"--until", "0.05", "--checkpoint", state}).code == 0);
  const auto complains = [&](const std::string& model, const std::vector<std::string>& options, const std::string& words) {
    std::vector<std::string> arguments = {"run", model};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = program(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.code == cli::ExitCode::user_mistake);
    CHECK(outcome.complains_of(words));
  };
  complains(vehicle, {"--resume", state}, "/joints\n  found no joint \"drive\"; expected all joints of \"vehicle\"");
  complains(rig, {"--resume", state, "--until", "0.04"},
            "--until\n  found an end at 0.04 s; expected one behind the time of the checkpoint");
  complains(rig, {"--resume", folder.file("none.json")}, "found no such file");
  complains(rig, {"--checkpoint-of", "cornr", "--checkpoint", state}, "did you mean \"corner\"?");
  complains(rig, {"--checkpoint-of", "corner"}, "--checkpoint-of\n  found no --checkpoint");
  complains(rig, {"--checkpoint", state, "--checkpoint-every", "0"}, "--checkpoint-every");
  complains(rig, {"--checkpoint", folder.file("no/such/folder")}, "--checkpoint");
  complains(vehicle, {"--restore", "front.left"}, "--restore\n  found \"front.left\"; expected subsystem=file");
  complains(vehicle, {"--restore", "front.lefft=" + state}, "did you mean \"front.left\"?");
}
