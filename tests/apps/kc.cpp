#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.hpp"
#include "suspension/corner.hpp"

using namespace arthron::test;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) list.push_back(cell);
  return list;
}

/// A column of a table by its heading.
std::vector<double> column(const std::string& csv, const std::string& heading) {
  std::istringstream text(csv);
  std::string line;
  std::getline(text, line);
  const auto headings = cells(line);
  const auto found = std::find(headings.begin(), headings.end(), heading);
  REQUIRE_MESSAGE(found != headings.end(), heading);
  std::vector<double> values;
  while (std::getline(text, line)) values.push_back(std::stod(cells(line).at(found - headings.begin())));
  return values;
}

}  // namespace

TEST_CASE("kc writes one table a sweep and the drawn position, and prints the gradients") {
  const Folder folder;
  const std::string file = folder.write("corner.json", corner_json().dump());
  const Outcome outcome = program(
      {"kc", file, "--output", folder.file("out"), "--step", "0.02", "--wheelbase", "2.7", "--cg-height", "0.5", "--brake-share", "0.65"});
  CHECK(outcome.err == "");
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out.find("bump_steer [deg/m]") != std::string::npos);

  const std::string bump = folder.read("out/parallel_bump.csv"), roll = folder.read("out/opposite_bump.csv"),
                    steer = folder.read("out/steer.csv");
  const auto travel = column(bump, "wheel_travel [m]"), z = column(bump, "left.z [m]");
  REQUIRE(travel.size() == 9);
  for (std::size_t i = 0; i < 9; ++i) {
    CHECK(travel[i] == doctest::Approx(-0.08 + 0.02 * static_cast<double>(i)));
    CHECK(z[i] == doctest::Approx(Hardpoints{}.centre.z + travel[i]));
  }
  CHECK(column(roll, "right.z [m]").front() == doctest::Approx(Hardpoints{}.centre.z + 0.08));
  CHECK(column(steer, "rack_travel [m]").size() == 5);

  // The drawn position agrees with the tables; degrees there, and percentages by their definition.
  const Json design = Json::parse(folder.read("out/design.json"));
  const Json& left = design["parallel_bump"]["left"];
  CHECK(left["toe [deg]"] == column(bump, "left.toe [deg]")[4]);
  // Along (0.01, 1, -0.015): inclination of the wheel's plane, and its projection.
  CHECK(left["camber [deg]"].get<double>() ==
        doctest::Approx(std::atan2(0.015, std::hypot(0.01, 1)) * 180 / 3.141592653589793).epsilon(1e-12));
  CHECK(left["front_view_camber [deg]"].get<double>() == doctest::Approx(std::atan2(0.015, 1) * 180 / 3.141592653589793).epsilon(1e-12));
  CHECK(left["anti_dive [%]"].get<double>() == doctest::Approx(100 * 0.65 * 2.7 / 0.5 * left["brake_slope [1]"].get<double>()));
  // A symmetric axle: half the track times the lateral slope of the contact centre.
  const double half_track = design["parallel_bump"]["axle"]["track [m]"].get<double>() / 2;
  CHECK(design["parallel_bump"]["axle"]["roll_centre.height [m]"].get<double>() ==
        doctest::Approx(half_track * left["half_track_slope [1]"].get<double>()));
}

TEST_CASE("kc refuses files that are no suspension, and wheels that nothing guides") {
  const Folder folder;
  Json no_hub = corner_json(), loose = corner_json();
  no_hub["ports"]["spindle"] = no_hub["ports"]["hub"];
  no_hub["ports"].erase("hub");
  loose["joints"].erase("rod");
  const Outcome unknown = program({"kc", folder.write("a.json", no_hub.dump()), "--output", folder.file("out")});
  CHECK(unknown.code == 2);
  CHECK(unknown.complains_of("found the outputs spindle; expected an output `hub` at the wheel centre"));
  const Outcome undetermined = program({"kc", folder.write("b.json", loose.dump()), "--output", folder.file("out")});
  CHECK(undetermined.code == 2);
  CHECK(undetermined.complains_of("a wheel that can still move while its height and the rack are held: 2 freedoms"));
  const Outcome option = program({"kc", folder.write("c.json", corner_json().dump()), "--output", folder.file("out"), "--step", "0"});
  CHECK(option.code == 2);
  CHECK(option.complains_of("--step\n  found 0; expected a number above 0"));
  CHECK(!std::filesystem::exists(folder.file("out")));
}

TEST_CASE("kc keeps the rows that the linkage reaches, and says how far that is") {
  const Folder folder;
  const Outcome outcome =
      program({"kc", folder.write("corner.json", corner_json().dump()), "--output", folder.file("out"), "--bump", "0.5", "--step", "0.02"});
  CHECK(outcome.code == 3);
  CHECK(outcome.complains_of("corner.json:1: /joints\n  parallel_bump: the linkage reaches from "));
  CHECK(column(folder.read("out/parallel_bump.csv"), "wheel_travel [m]").size() > 9);
}

TEST_CASE("kc of a suspension in bushings writes curves over loads, and their slopes are its gradients") {
  const Folder folder;
  const std::string file = folder.write("corner.json", bushed_corner_json(3e6, 30).dump());
  const Outcome outcome = program({"kc", file, "--output", folder.file("out"), "--step", "0.04", "--force", "10", "--torque", "1"});
  CHECK(outcome.err == "");
  REQUIRE(outcome.code == 0);
  const Json design = Json::parse(folder.read("out/design.json"));
  CHECK(design["compliant"] == true);
  for (const char* direction : {"parallel_", "opposite_"}) {
    for (const char* kind : {"lateral_force", "brake_force", "drive_force"}) {
      const std::string name = std::string(direction) + kind, csv = folder.read("out/" + name + ".csv");
      CAPTURE(name);
      const auto force = column(csv, "force [N]"), toe = column(csv, "right.toe [deg]"), y = column(csv, "left.contact_y_change [m]");
      REQUIRE(force.size() == 21);
      // A difference of second order over 20 N of some 1000 that bend anything.
      CHECK(1000 * (toe[20] - toe[0]) / 20 == doctest::Approx(design[name]["right"]["toe [deg/kN]"].get<double>()).epsilon(1e-5));
      CHECK(1000 * (y[20] - y[0]) / 20 == doctest::Approx(design[name]["left"]["contact_y [m/kN]"].get<double>()).epsilon(1e-5));
    }
    const std::string name = std::string(direction) + "aligning_torque", csv = folder.read("out/" + name + ".csv");
    const auto torque = column(csv, "torque [N m]"), steer = column(csv, "left.steer [deg]");
    CHECK(100 * (steer[20] - steer[0]) / 2 == doctest::Approx(-design[name]["left"]["toe [deg/(100 N m)]"].get<double>()).epsilon(1e-5));
  }
  CHECK(column(folder.read("out/single_wheel.csv"), "right.z [m]").front() == doctest::Approx(Hardpoints{}.centre.z));
}

TEST_CASE("kc refuses a wheel that bushings do not hold") {
  const Folder folder;
  Json loose = bushed_corner_json(3e6, 30);
  loose["joints"].erase("rod");
  const Outcome outcome = program({"kc", folder.write("corner.json", loose.dump()), "--output", folder.file("out")});
  CHECK(outcome.code == 2);
  CHECK(outcome.complains_of(
      " freedoms of both corners are left; expected joints that leave each wheel one freedom besides steering, or bushings"));
  CHECK(!std::filesystem::exists(folder.file("out")));
}

TEST_CASE("kc says which forces of the file it leaves out") {
  const Folder folder;
  Json corner = corner_json();
  corner["forces"]["tyre"] = {{"type", "tyre"},
                              {"on", {"wheel", {0.004, 0.75, 0.31}}},
                              {"axis", {0, 1, 0}},
                              {"radius", 0.33},
                              {"stiffness", 200000.0},
                              {"longitudinal_stiffness", 80000.0},
                              {"cornering_stiffness", 60000.0}};
  const Outcome outcome =
      program({"kc", folder.write("corner.json", corner.dump()), "--output", folder.file("out"), "--step", "0.04", "--bump", "0.04"});
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out.find("left out, since posts and no road hold the wheels: tyre\n") != std::string::npos);
  CHECK(Json::parse(folder.read("out/design.json"))["left_out"] == Json::array({"tyre"}));
}
