#include "arthron/model/hardpoints.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "apps/program.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

const std::string corner_file = ARTHRON_SOURCE_DIR "/subsystems/double_wishbone/double_wishbone.json";

std::vector<Hardpoint> read_points(const std::string& text, std::string* report = nullptr) {
  std::vector<Diagnostic> mistakes;
  std::vector<Hardpoint> points = read_hardpoints(text, "points.csv", mistakes).points;
  if (report)
    for (const Diagnostic& mistake : mistakes) *report += to_string(mistake) + '\n';
  else
    REQUIRE(mistakes.empty());
  return points;
}

bool same_bits(const Vec3& a, const Vec3& b) {
  const auto equal = [](double x, double y) { return x == y && std::signbit(x) == std::signbit(y); };
  return equal(a.x, b.x) && equal(a.y, b.y) && equal(a.z, b.z);
}

/// A file with a body at each of two points.
std::string using_table(const std::string& parameters) {
  return R"({ "arthron": 1, "name": "m", "parameters": )" + parameters + R"(,
  "bodies": { "b": { "mass": 1, "com": "a", "inertia": [1, 1, 1] } },
  "joints": { "j": { "type": "free", "parent": "ground", "child": "b", "at": "=a + c" } } })";
}

}  // namespace

TEST_CASE("any double survives being written as a decimal in any unit and read again") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-30, 12);
  std::vector<Hardpoint> points;
  for (int i = 0; i < 2000; ++i) {
    const auto number = [&] { return mantissa(random) * std::pow(10.0, exponent(random)); };
    points.push_back({"p" + std::to_string(i), {number(), number(), number()}, 0});
  }
  points.push_back({"exact", {0, -0.0, 0.18}, 0});
  points.push_back({"extreme", {1e20, 5e-324, -123456789012345680.0}, 0});
  for (const char* unit : {"m", "dm", "cm", "mm", "um"}) {
    CAPTURE(unit);
    const std::vector<Hardpoint> again = read_points(hardpoint_text(points, unit));
    REQUIRE(again.size() == points.size());
    for (std::size_t i = 0; i < points.size(); ++i) CHECK(same_bits(again[i].at, points[i].at));
  }
}

TEST_CASE("tables are written as engineers write them") {
  CHECK(hardpoint_text({{"ball", {0.01, 0.7, -0.1805}, 0}, {"top", {0, 12, 1e-7}, 0}}, "mm") ==
        "name,x [mm],y [mm],z [mm]\nball,10,700,-180.5\ntop,0,12000,0.0001\n");
  CHECK(same_bits(read_points("name;x;y;z;unit\n\"ball\"; 10 ;700;+180;mm\n# the other\ntop;1;2;3;\n").front().at, {0.01, 0.7, 0.18}));
  CHECK(same_bits(read_points("name;x;y;z;unit\nball;10;700;180;mm\ntop;1;2;3;\n").back().at, {1, 2, 3}));
  CHECK(same_bits(read_points("z [cm],x [m],y [in],name\r\n1.5e1,2,1,p\r\n").front().at, {2, 0.0254, 0.15}));
}

TEST_CASE("mistakes in tables are told with their lines") {
  const auto told = [](const std::string& text) {
    std::string report;
    (void)read_points(text, &report);
    return report;
  };
  CHECK(told("") ==
        "points.csv\n  found no points; expected a head with the columns name, x, y and z, as in \"name,x [mm],y [mm],z [mm]\"\n");
  CHECK(told("name,x,y\na,1,2\n").find("points.csv:1: /\n  found \"name,x,y\"; expected a head") == 0);
  CHECK(told("name,x [kg],y,z\n").find("found \"kg\"; expected a unit of length, such as mm") != std::string::npos);
  CHECK(told("name,x,y,z\na,1,2\n").find("points.csv:2: /\n  found a line of 3; expected one of 4") == 0);
  CHECK(told("name,x,y,z\na,1,2,3O\n").find("points.csv:2: /\n  found \"3O\"; expected a number, z of a") == 0);
  CHECK(told("name,x,y,z\na,1,2,3\na,1,2,3\n")
            .find("points.csv:3: /\n  found \"a\" again; expected each point once; the first is in line 2") == 0);
  CHECK(told("name,x,y,z\n2a,1,2,3\n").find("points.csv:2: /\n  found \"2a\"; expected a name") == 0);
}

TEST_CASE("a model's points go to a table and back without loss") {
  const Folder folder;
  const Outcome written = program({"hardpoints", corner_file, "--output", folder.file("points.csv")});
  REQUIRE(written.code == 0);
  CHECK(program({"hardpoints", corner_file}).out.find("\nlower_ball,10,700,180\n") != std::string::npos);
  // The same corner with its points in the table.
  const std::string text = [&] {
    std::ifstream stream(corner_file);
    std::string all((std::istreambuf_iterator<char>(stream)), {});
    const std::size_t first = all.find("\"lower_front\": {"), last = all.find("\"load\":");
    REQUIRE(last > first);
    all.replace(first, last - first, "\"from\": \"points.csv\",\n    ");
    const std::string library = ARTHRON_SOURCE_DIR "/subsystems/strut/strut.json";
    return all.replace(all.find("../strut/strut.json"), 19, library);
  }();
  const std::string moved = folder.write("corner.json", text);
  const Registry types = builtin_registry();
  const Model before = load_model(corner_file, types), after = load_model(moved, types);
  REQUIRE(before.parameters.size() == after.parameters.size());
  for (const Parameter& parameter : before.parameters) {
    CAPTURE(parameter.path);
    const auto same_path = [&](const Parameter& other) { return other.path == parameter.path; };
    const auto found = std::find_if(after.parameters.begin(), after.parameters.end(), same_path);
    REQUIRE(found != after.parameters.end());
    CHECK(found->value == parameter.value);
    CHECK(found->unit() == parameter.unit());
  }
  CHECK(program({"hardpoints", moved}).out == program({"hardpoints", corner_file}).out);
}

TEST_CASE("points of a subsystem are asked for by its path, and given by a table") {
  const std::string axle = ARTHRON_SOURCE_DIR "/subsystems/double_wishbone/double_wishbone_axle.json";
  CHECK(program({"hardpoints", axle, "--of", "left"}).out == program({"hardpoints", corner_file}).out);
  CHECK(program({"hardpoints", axle, "--of", "left", "--unit", "m"}).out.find("\nlower_ball,0.01,0.7,0.18\n") != std::string::npos);
  CHECK(program({"hardpoints", axle, "--of", "lef"}).complains_of("did you mean \"left\"?"));
  CHECK(program({"hardpoints", axle, "--unit", "in"}).complains_of("m, dm, cm, mm or um"));
}

TEST_CASE("a table gives the points of a use") {
  const Folder folder;
  folder.write("points.csv", "name,x [mm],y [mm],z [mm]\na,1,2,3\nc,4,5,6\n");
  const std::string used = folder.write("used.json", using_table(R"({ "a": [0, 0, 0], "c": [0, 0, 1] })"));
  const auto use = [&](const std::string& parameters) {
    return folder.write("m.json",
                        R"({ "arthron": 1, "name": "m", "subsystems": { "s": { "use": "used.json", "parameters": )" + parameters + "} } }");
  };
  const Registry types = builtin_registry();
  CHECK(same_bits(load_model(use(R"({ "from": "points.csv" })"), types).bodies[1].com, {0.001, 0.002, 0.003}));
  CHECK(same_bits(load_model(use(R"({ "from": "points.csv", "a.z": 9 })"), types).bodies[1].com, {0.001, 0.002, 9}));
  folder.write("points.csv", "name,x [mm],y [mm],z [mm]\na,1,2,3\nb,4,5,6\n");
  const Outcome unknown = program({"check", use(R"({ "from": "points.csv" })")});
  CHECK(unknown.code == 2);
  CHECK(unknown.complains_of("points.csv:3: /\n  found \"b\"; expected a parameter of"));
  CHECK(program({"check", use(R"({ "from": "point.csv" })")})
            .complains_of("found \"point.csv\", no such file; expected a table of hardpoints"));
}

TEST_CASE("--set takes units, whole points and components") {
  const auto line = [](std::vector<std::string> options, const std::string& name) {
    options.insert(options.begin(), {"check", corner_file, "--parameters"});
    const Outcome outcome = program(options);
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    std::istringstream lines(outcome.out);
    for (std::string one; std::getline(lines, one);)
      if (one.starts_with(name + " ")) return one.substr(one.find_first_not_of(' ', name.size()));
    return std::string();
  };
  CHECK(line({"--set", "lower_ball.z=0.185"}, "lower_ball").starts_with("[0.01, 0.7, 0.185] "));
  CHECK(line({"--set", "lower_ball.z=185mm"}, "lower_ball").starts_with("[0.01, 0.7, 0.185] "));
  CHECK(line({"--set", "lower_ball=[11, 701, 185] mm"}, "lower_ball").starts_with("[0.011, 0.701, 0.185] "));
  CHECK(line({"--set", "lower_ball=[11 mm, 0.701, 18.5 cm]"}, "lower_ball").starts_with("[0.011, 0.701, 0.185] "));
  CHECK(line({"--set", "wheel_rate=25 N/mm"}, "wheel_rate").starts_with("25000 "));
  const auto refused = [](const std::string& setting) { return program({"check", corner_file, "--set", setting}); };
  CHECK(refused("wheel_rate=25 mm").complains_of("--set wheel_rate\n  found a number in m; expected a number in N/m"));
  CHECK(refused("wheel_rate=25 Nn/mm").complains_of("did you mean \"N\"?"));
  CHECK(refused("lower_ball=3").complains_of("found one number; expected a vector [x, y, z]"));
  CHECK(refused("lower_ball=[1, 2]").complains_of("found a list of 2; expected [x, y, z]"));
  CHECK(refused("lower_bal.z=3").complains_of("did you mean \"lower_ball.z\"?"));
}
