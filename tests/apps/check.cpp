#include <doctest/doctest.h>

#include <algorithm>
#include <regex>

#include "apps/program.hpp"
#include "support/folder.hpp"

/// What `check` says of subsystems. Source of truth: what it says of the same file alone.
using namespace arthron;
using namespace arthron::test;

namespace {

using Lines = std::vector<std::string>;
const std::string root = std::string(ARTHRON_SOURCE_DIR) + "/";

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_loop(const std::string& line) { return line.starts_with("loop ") || line.starts_with("coupling "); }

/// Lines on the loops of a subsystem, without their margin; "" is the model itself.
Lines loops(const std::string& text, const std::string& path) {
  const Lines lines = lines_of(text);
  std::size_t at = 0, margin = 0;
  std::istringstream names(path);
  for (std::string name; std::getline(names, name, '.');) {
    margin += 2;
    const std::string header = std::string(margin, ' ') + name + ": ";
    while (at < lines.size() && !lines[at].starts_with(header)) ++at;
    REQUIRE(at < lines.size());
    ++at;
  }
  const std::string inside(path.empty() ? 0 : margin + 2, ' ');
  Lines found;
  for (; at < lines.size() && lines[at].starts_with(inside); ++at)
    if (const std::string line = lines[at].substr(inside.size()); is_loop(line)) found.push_back(line);
  return found;
}

std::string checked(const std::string& file) {
  const Outcome outcome = program({"check", file});
  REQUIRE(outcome.code == 0);
  return outcome.out;
}

std::string source_text(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(root + file).rdbuf();
  return text.str();
}

/// A file of the source tree with another file in place of one it uses, all paths absolute.
std::string replaced(const std::string& file, const std::string& used, const std::string& other) {
  const std::string folder = root + file.substr(0, file.rfind('/') + 1);
  std::string text = std::regex_replace(source_text(file), std::regex("\"use\": \"([^\"]*)\""), "\"use\": \"" + folder + "$1\"");
  const std::size_t at = text.find(used);
  REQUIRE(at != std::string::npos);
  return text.replace(at, used.size(), other);
}

}  // namespace

TEST_CASE("check says the same of the loops of a suspension alone, on the rig, in its axle and in the car") {
  const Folder folder;
  for (const std::string name : {"double_wishbone", "double_wishbone_bushed", "macpherson", "five_link", "trailing_arm"}) {
    CAPTURE(name);
    const Lines alone = loops(checked(root + "subsystems/" + name + "/" + name + ".json"), "");
    if (name != "trailing_arm") CHECK(!alone.empty());
    const std::string used = "double_wishbone/double_wishbone", other = name + "/" + name;
    CHECK(loops(checked(folder.write("rig.json", replaced("subsystems/rigs/corner_rig.json", used, other))), "corner") == alone);
    const std::string axle = checked(root + "subsystems/" + other + "_axle.json");
    const std::string car = checked(folder.write("car.json", replaced("examples/vehicle/vehicle.json", used, other)));
    for (const std::string side : {"left", "right"}) {
      CAPTURE(side);
      CHECK(loops(axle, side) == alone);
      CHECK(loops(car, "front." + side) == alone);
    }
    CHECK(loops(car, "front") == loops(axle, ""));
  }
  const Lines beam = loops(checked(root + "subsystems/solid_axle/solid_axle.json"), "");
  CHECK(beam.size() == 3);
  const std::string used = "double_wishbone/double_wishbone_axle", other = "solid_axle/solid_axle";
  CHECK(loops(checked(folder.write("rig.json", replaced("subsystems/rigs/axle_rig.json", used, other))), "axle") == beam);
  CHECK(loops(checked(folder.write("car.json", replaced("examples/vehicle/vehicle.json", used, other))), "front") == beam);
}

TEST_CASE("redundant directions are told in the axes of the file, however it is turned or mirrored") {
  const Folder folder;
  const std::string leg = root + "subsystems/leg_fourbar/leg_fourbar.json";
  const Lines alone = loops(checked(leg), "");
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].find("3 of 5 closure directions are redundant: translation y, rotations x and z (axes of the file)") != std::string::npos);
  const std::string use = R"({ "use": ")" + leg + R"(", "connect": { "trunk": "trunk" }, "at": [1, 2, 3], )";
  const std::string text = checked(folder.write("legs.json", R"({ "arthron": 1, "name": "legs",
    "bodies": { "trunk": { "mass": 20, "inertia": [1, 1, 1] } },
    "joints": { "float": { "type": "free", "parent": "ground", "child": "trunk", "at": [0, 0, 0] } },
    "subsystems": { "turned": )" + use + R"("rotation": { "axis": [1, 0, 2], "angle": 0.7 } },
                    "mirrored": )" + use + R"("mirror": "x" } } })"));
  CHECK(loops(text, "turned") == alone);
  CHECK(loops(text, "mirrored") == alone);
}

TEST_CASE("a loop that leaves its file runs from mount to mount, in the words of the file") {
  const Lines corner = loops(checked(root + "examples/vehicle/vehicle.json"), "front.left");
  REQUIRE(corner.size() == 2);
  CHECK(corner[1] == "loop rack-upright-lower_arm-chassis: cut at rod (distance), its one closure direction is independent");
}

TEST_CASE("check lists mass and ports of every subsystem") {
  const std::string text = checked(root + "examples/vehicle/vehicle.json");
  CHECK(text.find("\n    left: double_wishbone, ") != std::string::npos);
  CHECK(text.find("\n      17.5 kg; mounts chassis on front.chassis, rack on front.rack; outputs hub, bar\n") != std::string::npos);
  CHECK(text.find("; mounts chassis on body, rack on steering.rack; outputs hub_left, hub_right\n") != std::string::npos);
  CHECK(text.find("; mount hub on front.hub_left; output rim open; signal input torque open\n") != std::string::npos);
}

TEST_CASE("check tells in which subsystem loops are closed, and what is passed on to it") {
  const std::string text = checked(root + "examples/vehicle/vehicle.json");
  const auto says = [&](const std::string& words) { return text.find(words) != std::string::npos; };
  const auto line = [&](const std::string& begin) {
    const auto at = text.find(begin);
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at + 1) - at);
  };
  const std::string front = line("\n    front  "), corner = line("\n      left, right  ");
  CHECK(front.find("; closes bar.left_link, bar.right_link; passes on left.rod, right.rod") != std::string::npos);
  CHECK(corner.find("merged on body; closes upper_ball; passes on ") != std::string::npos);
  CHECK(says(" in the model itself (front.left.rod, front.right.rod)\n"));
  // The corners of the front are coupled by the rack; a spring alone is between those of the rear.
  CHECK(says("\n12 loops in 3 clusters of coupled loops, the largest of 6\n"));
}

TEST_CASE("check has alike subsystems once, and names no more than a dozen of anything") {
  const std::string text = checked(root + "examples/convoy/convoy.json");
  CHECK(text.find("\n1152 subsystems, alike ones once\n  car_0 ... car_63 (x 64): vehicle, ") != std::string::npos);
  CHECK(lines_of(text).size() < 90);
  for (const std::string& line : lines_of(text)) {
    CAPTURE(line);
    CHECK(line.size() < 600);
    if (std::regex_search(line, std::regex("^[0-9]+ [a-z ]+: ")))
      CHECK(std::count(line.begin(), line.end(), ',') <= 12);  // and "..." behind the last of a dozen
  }
}

TEST_CASE("check --time gives a time and a share for every subsystem") {
  const Outcome outcome = program({"check", root + "examples/vehicle/vehicle.json", "--time"});
  REQUIRE(outcome.code == 0);
  const std::size_t at = outcome.out.find("one evaluation: ");
  REQUIRE(at != std::string::npos);
  const Lines lines = lines_of(outcome.out.substr(at));
  REQUIRE(lines.size() == 1 + 17);
  double share = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::smatch found;
    const std::regex form("^(  +)[a-z_]+: ([0-9.]+) us, ([0-9.]+) %$");
    REQUIRE(std::regex_match(lines[i], found, form));
    CHECK(std::stod(found[2]) > 0);
    if (found[1].length() == 2) share += std::stod(found[3]);
  }
  CHECK(share > 30);  // the parts do most of the work of the whole
}

TEST_CASE("a part that is no model of its own is described all the same: kept joints from mount to mount") {
  const Folder folder;
  const std::string text = R"({ "arthron": 1, "name": "kept",
    "bodies": { "sled": { "mass": 1, "inertia": [1, 1, 1] } },
    "joints": { "slide": { "type": "planar", "parent": "ground", "child": "sled", "at": [1, 0, 0], "normal": [0, 0, 1] } },
    "subsystems": { "link": { "connect": { "near": "ground", "far": "sled" }, "use": {
      "ports": { "near": { "mount": true }, "far": { "mount": true } },
      "bodies": { "rod": { "mass": 1, "inertia": [1, 1, 1] } },
      "joints": { "a": { "type": "revolute", "parent": "near", "child": "rod", "at": [0, 0, 0], "axis": [0, 0, 1], "initial": { "keep": true } },
                  "b": { "type": "revolute", "parent": "rod", "child": "far", "at": [1, 0, 0], "axis": [0, 0, 1], "initial": { "keep": true } } } } } } })";
  const Outcome outcome = program({"check", folder.write("kept.json", text), "--time"});
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("\n  link: cannot start alone\n") != std::string::npos);
}

TEST_CASE("check names the model's own parameters, and lists those of subsystems by their paths when asked to") {
  const std::string vehicle = root + "examples/vehicle/step_steer.json";
  const Lines all = lines_of(program({"check", "--parameters", vehicle}).out);
  const std::string text = checked(vehicle);
  const std::size_t count = all.size() - 1;  // without the head
  CHECK(text.find("\n" + std::to_string(count) + " parameters: speed = 20 m/s, angle = 0.698132 rad, " + std::to_string(count - 2) +
                  " of subsystems (--parameters lists them)\n") != std::string::npos);
  const auto has = [&](const std::string& pattern) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& line) { return std::regex_match(line, std::regex(pattern)); });
  };
  CHECK(std::regex_match(all.front(), std::regex("parameter +value +unit +range")));
  CHECK(has("car\\.front\\.left\\.strut\\.stop_rate +100000 +N/m +0 to 1e\\+07"));
  CHECK(has("car\\.front\\.left\\.lower_ball +\\[0\\.01, 0\\.7, 0\\.18\\] +m"));
}

TEST_CASE("check --plan counts tasks and says what more workers would bring") {
  const Outcome rope = program({"check", "--plan", root + "examples/rope/rope.json"});
  REQUIRE(rope.code == 0);
  CHECK(std::regex_search(rope.out,
                          std::regex("an evaluation: [0-9]+ tasks of [0-9]+ parts, [0-9]+ joins\nwork [0-9.]+ us, span [0-9.]+ us")));
  CHECK(std::regex_search(rope.out,
                          std::regex("expected speed-up: 1\\.[0-9]+ on 2 workers, [2-8]\\.[0-9]+ on 8 workers, [0-9.]+ on 64 workers")));
  const Outcome pendulum = program({"check", "--plan", root + "examples/pendulum/pendulum.json"});
  CHECK(pendulum.out.find("1 task of 1 part, 0 joins") != std::string::npos);
}

TEST_CASE("check says where velocities are integrated in the place of momenta") {
  const Outcome chain = program({"check", root + "examples/rope/hundred.json"});
  CHECK(chain.code == 0);
  CHECK(chain.out.find("instead of hdca") != std::string::npos);
  CHECK(chain.out.find("velocities") != std::string::npos);
  const Outcome pendulum = program({"check", root + "examples/pendulum16/pendulum16.json"});
  CHECK(pendulum.out.find("instead of hdca") == std::string::npos);
}

TEST_CASE("check says which bodies cannot start as the model says") {
  const Folder folder;
  std::string text = double_pendulum;
  text.replace(text.find("\"mass\": 1"), 0, "\"initial\": { \"velocity\": [1, 0, -2] }, ");
  const Outcome outcome = program({"check", folder.write("model.json", text)});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("body upper cannot start as its \"initial\" says: velocity (") != std::string::npos);
  CHECK(outcome.out.find("body lower") == std::string::npos);
}
