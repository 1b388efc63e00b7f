#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "apps/program.hpp"
#include "support/folder.hpp"

/// `check --handles`. Source of truth: what mass a wheel has, and the model's own file.
using namespace arthron;
using namespace arthron::test;

namespace {

const std::string car = std::string(ARTHRON_SOURCE_DIR) + "/examples/vehicle/vehicle.json";

}  // namespace

TEST_CASE("handle equations of a corner: as mounted with its wheel, alone with six rows for it, and a row for its tie rod and its link") {
  const Folder folder;
  const std::string file = folder.file("handles.json");
  REQUIRE(program({"check", car, "--handles", "front.left", "--at", "0.05", "--output", file}).code == 0);
  const auto json = nlohmann::json::parse(folder.read("handles.json"));
  CHECK(json["t"] == 0.05);
  REQUIRE(json["subsystems"].size() == 2);
  const auto &mounted = json["subsystems"][0], &alone = json["subsystems"][1];
  CHECK(mounted["mounted"] == true);
  CHECK(mounted["outputs"].empty());
  CHECK(mounted["Gamma"].size() == 2);
  REQUIRE(alone["outputs"].size() == 1);
  CHECK(alone["loops"].size() == 2);
  CHECK(alone["Gamma"].size() == 8);
  CHECK(alone["xi22"].size() == 8);
  CHECK(alone["base"]["ports"][0] == "front.left.chassis");
  // Along the axle the wheel moves with the corner as far as the arms let it, so mounted weighs more than alone.
  CHECK(mounted["M"][1][1].get<double>() > alone["M"][1][1].get<double>() + 10);
  const Outcome words = program({"check", car, "--handles", "front.left"});
  CHECK(words.out.find("front.left, alone") != std::string::npos);
}

TEST_CASE("a subsystem that is not there, or a time before the start, is a mistake of whoever asks") {
  const Outcome unknown = program({"check", car, "--handles", "front.lefd"});
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("front.left") != std::string::npos);
  CHECK(program({"check", car, "--handles", "front.left", "--at", "-1"}).code == 2);
}
