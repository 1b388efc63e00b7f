#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/process.hpp"
#include "apps/program.hpp"
#include "arthron/formulation/formulation.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

const std::string libraries = ARTHRON_TEST_PLUGINS;

std::string library(const std::string& name) { return libraries + "/lib" + name + ".so"; }
const std::string screw = std::filesystem::path(libraries).parent_path() / "examples/plugins/screw/build/libacme_screw.so";

/// A pendulum on a joint of the given type and keys, with the libraries that it names.
std::string pendulum(const std::string& plugins, const std::string& joint, const std::string& forces = "",
                     const std::string& simulate = R"("until": 1, "output": { "step": 0.1 })") {
  return R"({ "arthron": 1, "name": "pendulum",
  "plugins": [)" +
         plugins + R"(],
  "bodies": { "rod": { "mass": 2, "com": [0.5, 0, 0], "inertia": [0.001, 0.17, 0.17] } },
  "joints": {
    "hinge": { "parent": "ground", "child": "rod", "at": [0, 0, 0], )" +
         joint + R"( }
  },
  "forces": { )" +
         forces + R"( },
  "simulate": { )" +
         simulate + " } }";
}

std::string quoted(const std::string& text) { return '"' + text + '"'; }
const std::string hinge = R"("type": "revolute", "axis": [0, 1, 0])";
const std::string throwing = R"("type": "faulty/pose", "limit": 0.5)";

struct PluginFolder {
  Folder folder;

  [[nodiscard]] Outcome run(const std::string& model, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"run", folder.write("model.json", model), "--output", folder.file("rows.csv")});
    return program(options);
  }
  [[nodiscard]] std::string rows() const {
    std::ostringstream text;
    text << std::ifstream(folder.file("rows.csv")).rdbuf();
    return text.str();
  }
  /// Of all rows, one behind the other.
  [[nodiscard]] std::vector<double> numbers() const {
    std::istringstream table(rows());
    std::vector<double> values;
    std::string cell;
    std::getline(table, cell);  // names
    for (std::string line; std::getline(table, line);)
      for (std::istringstream cells(line); std::getline(cells, cell, ',');) values.push_back(std::stod(cell));
    return values;
  }
  static void check(const Outcome& outcome, int code, const std::vector<std::string>& words) {
    CAPTURE(outcome.err);
    CHECK(outcome.code == code);
    for (const std::string& word : words) {
      CAPTURE(word);
      CHECK(outcome.complains_of(word));
    }
  }
  static void check_refused(const Outcome& outcome, const std::vector<std::string>& words) {
    check(outcome, cli::ExitCode::user_mistake, words);
  }
  static void check_failed(const Outcome& outcome, const std::vector<std::string>& words) {
    check(outcome, cli::ExitCode::numerical_failure, words);
  }
};

}  // namespace

TEST_CASE_FIXTURE(PluginFolder, "a plug-in joint moves as the built-in one does, in a tree and in a loop, under every formulation") {
  std::ostringstream text;
  text << std::ifstream(std::filesystem::path(screw).parent_path() / "../screw.json").rdbuf();
  std::string own = text.str(), built_in = own;
  own.replace(own.find("build/acme_screw"), 16, screw);
  built_in.replace(built_in.find("\"build/acme_screw\""), 18, "");
  for (std::size_t at; (at = built_in.find("acme/screw")) != std::string::npos;) built_in.replace(at, 10, "screw");
  for (const std::string& formulation : formulation_names()) {
    CAPTURE(formulation);
    const std::vector<std::string> options = {"--formulation", formulation, "--integrator", "rk4", "--step", "0.001"};
    REQUIRE(run(own, options).code == 0);
    const std::vector<double> by_plugin = numbers();
    REQUIRE(run(built_in, options).code == 0);
    const std::vector<double> compiled_in = numbers();  // the second algorithm: closed forms instead of derivatives of the pose
    REQUIRE(by_plugin.size() == compiled_in.size());
    CHECK(by_plugin.size() == 11 * 8);
    for (std::size_t i = 0; i < by_plugin.size(); ++i) CHECK(std::abs(by_plugin[i] - compiled_in[i]) <= 1e-11);
  }
}

TEST_CASE_FIXTURE(PluginFolder, "types of a plug-in are listed with their library, described in the schema and suggested") {
  const Outcome types = program({"types", "--plugin", screw});
  CHECK(types.code == 0);
  CHECK(types.out.find("joint acme/screw: 1 freedom\n  from " + screw + "\n") != std::string::npos);
  CHECK(program({"types", "acme/screw", "--plugin", screw}).out.find("pitch") != std::string::npos);
  CHECK(program({"schema", "--plugin", screw}).out.find("acme/screw") != std::string::npos);
  check_refused(program({"types", "acme/screw"}), {"acme/screw"});
  check_refused(run(pendulum(quoted(screw), R"("type": "acme/scrw", "axis": [0, 1, 0], "pitch": 1)")),
                {"model.json:5: /joints/hinge/type", "did you mean \"acme/screw\"?"});
}

TEST_CASE_FIXTURE(PluginFolder, "libraries are named from the file, by their short names, by an option, and more than once") {
  std::filesystem::create_directory(folder.file("lib"));
  std::filesystem::copy(screw, folder.file("lib/libacme_screw.so"));
  const std::string joint = R"("type": "acme/screw", "axis": [0, 1, 0], "pitch": 0.1)";
  CHECK(run(pendulum(R"("lib/libacme_screw.so")", joint)).code == 0);
  CHECK(run(pendulum(R"("./lib/acme_screw", "lib/../lib/libacme_screw.so")", joint)).code == 0);
  CHECK(run(pendulum("", joint), {"--plugin", folder.file("lib/libacme_screw.so"), "--plugin", folder.file("lib/acme_screw")}).code == 0);
  check_refused(run(pendulum("", joint)), {"found \"acme/screw\"; expected a joint type"});
}

TEST_CASE_FIXTURE(PluginFolder, "a library that a subsystem names is looked for beside it, and known in the whole model") {
  std::filesystem::create_directory(folder.file("parts"));
  std::filesystem::copy(screw, folder.file("parts/libacme_screw.so"));
  folder.write("parts/part.json", R"({ "arthron": 1, "name": "part", "plugins": ["acme_screw"] })");
  CHECK(run(R"({ "arthron": 1, "name": "whole", "subsystems": { "part": { "use": "parts/part.json" } },
    "bodies": { "rod": { "mass": 2, "com": [0.5, 0, 0], "inertia": [0.001, 0.17, 0.17] } },
    "joints": { "hinge": { "type": "acme/screw", "parent": "ground", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0], "pitch": 1 } },
    "simulate": { "until": 0.1 } })")
            .code == 0);
}

TEST_CASE_FIXTURE(PluginFolder, "a library that is not there is refused with the nearest one") {
  std::filesystem::copy(screw, folder.file("libacme_screw.so"));
  const std::string joint = R"("type": "acme/screw", "axis": [0, 1, 0], "pitch": 1)";
  const Outcome outcome = run(pendulum(R"("./libacme_scrw.so")", joint));
  check_refused(outcome, {"model.json:2: /plugins/0", "\"./libacme_scrw.so\", no such file", "did you mean \"./libacme_screw.so\"?"});
  CHECK_FALSE(outcome.complains_of("/joints/hinge"));  // its types are excused
  check_refused(run(pendulum("", joint), {"--plugin", folder.file("none.so")}), {"--plugin\n", "none.so", "no such file"});
}

TEST_CASE_FIXTURE(PluginFolder, "a library of which a part is missing is refused before it is loaded, wherever it is cut off") {
  std::ostringstream whole;
  whole << std::ifstream(screw, std::ios::binary).rdbuf();
  const std::string bytes = whole.str();
  REQUIRE(bytes.size() > 1000);
  for (std::size_t part = 0; part < 16; ++part) {
    const std::string name = "cut_" + std::to_string(part) + ".so";
    check_refused(program({"types", "--plugin", folder.write(name, bytes.substr(0, part * bytes.size() / 16))}), {"--plugin\n", name});
  }
}

TEST_CASE_FIXTURE(PluginFolder, "files that are no plug-ins are refused") {
  check_refused(run(pendulum(R"("./model.json")", hinge)), {"/plugins/0", "\"./model.json\", which is no shared library"});
  check_refused(run(pendulum(R"(".")", hinge)), {"/plugins/0", "\".\""});
  check_refused(run(pendulum(quoted(library("no_plugin")), hinge)), {"libno_plugin.so", "a shared library that is no plug-in"});
  check_refused(program({"types", "--plugin", library("no_plugin")}), {"--plugin\n", "a shared library that is no plug-in"});
}

TEST_CASE_FIXTURE(PluginFolder, "of a library that was built for another kernel nothing runs") {
  const Outcome outcome = run(pendulum(quoted(library("other_build")), hinge));
  check_refused(outcome, {"model.json:2: /plugins/0", "libother_build.so\", built with kernel 0.0.7, kernel headers 0123456789ab;",
                          "expected kernel " ARTHRON_VERSION ", kernel headers ", "rebuild it"});
}

TEST_CASE_FIXTURE(PluginFolder, "every fact of a library's build that differs is told") {
  std::ostringstream content;
  content << std::ifstream(screw, std::ios::binary).rdbuf();
  const auto with = [&](const std::string& name, const std::string& value, const std::string& instead) {
    std::string bytes = content.str();
    // The record stands behind its signature; names have 24 places, values 40.
    const std::size_t fact = bytes.find(name, bytes.find("ARTHRON plug-in"));
    REQUIRE(bytes.compare(fact + 24, value.size(), value) == 0);
    bytes.replace(fact + 24, instead.size(), instead);
    std::ofstream(folder.file("libchanged.so"), std::ios::binary) << bytes;
    return run(pendulum(R"("changed")", hinge));
  };
  check_refused(with("compiler", "", "XCC 1"), {"compiler XCC 1"});
  check_refused(with("containers", "plain", "other"), {"built with containers other; expected containers plain"});
  check_refused(with("sanitizer", "", "thirst"), {"sanitizer thirst"});
  check_refused(with("sizes of lanes", "4 32 32", "2 16 16"), {"sizes of lanes 2 16 16; expected sizes of lanes 4 32 32"});
  check_refused(with("kernel", ARTHRON_VERSION, "9"), {"built with kernel 9"});
  std::ofstream(folder.file("libcut.so"), std::ios::binary) << content.str().substr(0, content.str().size() / 2);
  check_refused(run(pendulum(R"("cut")", hinge)), {"\"cut\", "});
}

TEST_CASE_FIXTURE(PluginFolder, "a library that needs what nobody has is refused with the symbol") {
  check_refused(run(pendulum(quoted(library("missing_symbol")), hinge)), {"/plugins/0", "cannot be loaded", "function_of_nobody"});
}

TEST_CASE_FIXTURE(PluginFolder, "a registration that throws is refused in its words") {
  check_refused(run(pendulum(quoted(library("throws_at_registration")), hinge)), {"/plugins/0", "registration throws: no licence at all"});
  check_refused(run(pendulum(quoted(library("twice")), hinge)), {"/plugins/0", "\"faulty/twice\" is registered twice"});
}

TEST_CASE_FIXTURE(PluginFolder, "a type is of one library") {
  const std::string joint = R"("type": "acme/screw", "axis": [0, 1, 0], "pitch": 1)";
  check_refused(run(pendulum(quoted(screw) + ", " + quoted(library("other_screw")), joint)),
                {"model.json:2: /plugins/1", "libother_screw.so\", which has a type \"acme/screw\"", screw + " has it already"});
  check_refused(run(pendulum(quoted(screw), joint), {"--plugin", library("other_screw")}),
                {"/plugins/0", "which has a type \"acme/screw\"", library("other_screw") + " has it already"});
  check_refused(run(pendulum(quoted(library("unnamed_vendor")), hinge)), {"which has a type \"revolute\"", "vendor/name"});
}

TEST_CASE_FIXTURE(PluginFolder, "a parse() that throws is named with its type, its library and the component's place") {
  const std::string model = pendulum(quoted(library("throws")), R"("type": "faulty/parse", "limit": 1)");
  check_refused(run(model), {"model.json:5: /joints/hinge/type", "\"faulty/parse\" from " + library("throws"), "no licence for hinges"});
  check_refused(program({"types", "--plugin", library("throws")}), {library("throws"), "faulty/parse", "no licence for hinges"});
}

TEST_CASE_FIXTURE(PluginFolder, "a joint that throws ends the run with its name, and rows so far are kept") {
  const std::string model = pendulum(quoted(library("throws")), throwing);
  std::vector<std::vector<std::string>> ways;
  for (const std::string& formulation : formulation_names()) ways.push_back({"--formulation", formulation, "--tolerance", "1e-8"});
  for (const char* integrator : {"rk4", "bs32", "rkf78", "adams", "bdf", "implicit_midpoint", "gauss4"})
    ways.push_back({"--integrator", integrator, "--step", "0.001"});
  ways.push_back({"--elimination", "pair"});
  for (const std::vector<std::string>& way : ways) {
    CAPTURE(way[1]);
    const Outcome outcome = run(model, way);
    check_failed(outcome, {"model.json:5: /joints/hinge", "joint \"hinge\" of type \"faulty/pose\" from " + library("throws"),
                           "threw: turned too far at t = 0.2"});
    // A rod falls 0.5 rad from the horizontal in 0.26 s: rows at 0, 0.1 and 0.2.
    const std::string table = rows();
    CHECK(std::count(table.begin(), table.end(), '\n') == 4);
  }
  check_failed(run(pendulum(quoted(library("throws")), R"("type": "faulty/number", "limit": 0.5)")),
               {"\"faulty/number\"", "something that is no std::exception"});
}

TEST_CASE_FIXTURE(PluginFolder, "a joint that throws as drawn is refused") {
  check_refused(run(pendulum(quoted(library("throws")), R"("type": "faulty/pose", "limit": -1)")),
                {"/joints/hinge/type", "whose pose() in the design position throws: turned too far"});
}

TEST_CASE_FIXTURE(PluginFolder, "a force that throws is named, whatever it was asked for") {
  const auto on_rod = [](const std::string& type) {
    return R"("oil": { "type": ")" + type + R"(", "on": ["rod", [1, 0, 0]], "after": 0.55 })";
  };
  const std::string plugin = quoted(library("throws"));
  check_failed(run(pendulum(plugin, hinge, on_rod("faulty/load"))),
               {"force \"oil\" of type \"faulty/load\" from " + library("throws"), "out of oil at t = 0.5"});
  const std::string table = rows();
  CHECK(std::count(table.begin(), table.end(), '\n') == 7);
  check_failed(run(pendulum(plugin, hinge, on_rod("faulty/energy"))),
               {"force \"oil\" of type \"faulty/energy\"", "no energy left at t = 0.6"});
}

TEST_CASE_FIXTURE(PluginFolder, "cut joints that throw are named too") {
  const std::string model = R"({ "arthron": 1, "name": "loop", "plugins": [")" + library("throws") + R"("],
    "bodies": { "a": { "mass": 1, "com": [0, 0, 0.5], "inertia": [0.1, 0.1, 0.1] }, "b": { "mass": 1, "com": [0.5, 0, 1], "inertia": [0.1, 0.1, 0.1] },
                "c": { "mass": 1, "com": [1, 0, 0.5], "inertia": [0.1, 0.1, 0.1] } },
    "joints": { "one": { "type": "revolute", "parent": "ground", "child": "a", "at": [0, 0, 0], "axis": [0, 1, 0], "initial": { "velocity": 1 } },
                "two": { "type": "revolute", "parent": "a", "child": "b", "at": [0, 0, 1], "axis": [0, 1, 0] },
                "three": { "type": "revolute", "parent": "b", "child": "c", "at": [1, 0, 1], "axis": [0, 1, 0] },
                "four": { "type": "faulty/pose", "parent": "ground", "child": "c", "at": [1, 0, 0], "limit": 0.3, "cut": true } },
    "simulate": { "until": 1, "output": { "step": 0.1 } } })";
  for (const std::string& formulation : formulation_names()) {
    CAPTURE(formulation);
    check_failed(run(model, {"--formulation", formulation}), {"/joints/four", "joint \"four\" of type \"faulty/pose\"", "turned too far"});
  }
}

TEST_CASE_FIXTURE(PluginFolder, "what is thrown on a worker of several ends the run as it does on one") {
  std::string bodies, joints;
  for (int i = 0; i < 64; ++i) {
    const std::string n = std::to_string(i), comma = i > 0 ? ", " : "";
    bodies += comma + "\"rod_" + n + R"(": { "mass": 2, "com": [0.5, 0, 0], "inertia": [0.001, 0.17, 0.17] })";
    joints += comma + "\"hinge_" + n + R"(": { "type": "faulty/pose", "limit": )" + (i == 63 ? "0.5" : "9") +
              R"(, "parent": "ground", "child": "rod_)" + n + R"(", "at": [0, 0, 0] })";
  }
  const std::string model = R"({ "arthron": 1, "name": "many", "plugins": [")" + library("throws") + R"("], "bodies": { )" + bodies +
                            R"( }, "joints": { )" + joints + R"( }, "simulate": { "until": 1, "output": { "step": 0.1 } } })";
  for (const char* elimination : {"fold", "pair"}) {
    CAPTURE(elimination);
    check_failed(run(model, {"--threads", "3", "--elimination", elimination}), {"joint \"hinge_63\"", "turned too far at t = 0.2"});
  }
}

TEST_CASE_FIXTURE(PluginFolder, "of variants on lanes only those fail that throw") {
  folder.write("model.json",
               R"({ "arthron": 1, "name": "pendulum", "plugins": [")" + library("throws") + R"("], "parameters": { "limit": 0.5 },
    "bodies": { "rod": { "mass": 2, "com": [0.5, 0, 0], "inertia": [0.001, 0.17, 0.17] } },
    "joints": { "hinge": { "type": "faulty/pose", "limit": "=limit", "parent": "ground", "child": "rod", "at": [0, 0, 0] } },
    "simulate": { "until": 1, "integrator": { "type": "rk4", "step": 0.001 }, "output": { "step": 0.1, "channels": ["hinge.position"] } } })");
  const std::string study = folder.write("study.json", R"({ "arthron_study": 1, "name": "limits", "model": "model.json",
    "grid": { "limit": [0.5, 9, 1, 8] }, "results": { "last": { "channel": "hinge.position", "take": "max" } } })");
  const Outcome outcome = program({"sweep", study, "--output", folder.file("table.csv")});
  check_failed(outcome, {"variant 0 failed", "joint \"hinge\" of type \"faulty/pose\"", "turned too far", "variant 2 failed"});
  CHECK_FALSE(outcome.complains_of("variant 1"));
  CHECK_FALSE(outcome.complains_of("variant 3"));
}

TEST_CASE_FIXTURE(PluginFolder, "inverse dynamics of a joint that throws keeps the rows so far") {
  const std::string model =
      folder.write("model.json", pendulum(quoted(library("throws")), R"("type": "faulty/pose", "limit": 0.55, "motion": "=t")"));
  const Outcome outcome = program({"inverse", model, "--output", folder.file("rows.csv")});
  check_failed(outcome, {"joint \"hinge\" of type \"faulty/pose\"", "turned too far"});
  const std::string table = rows();
  CHECK(std::count(table.begin(), table.end(), '\n') == 7);
}

TEST_CASE_FIXTURE(PluginFolder, "the program itself lets plug-ins find the kernel, and outlives what they throw") {
  const std::string good = folder.write("good.json", pendulum(quoted(screw), R"("type": "acme/screw", "axis": [0, 1, 0], "pitch": 0.1)"));
  CHECK(exit_code(start(folder, {"run", good, "--quiet"})) == 0);
  const std::string bad = folder.write("bad.json", pendulum(quoted(library("throws")), throwing));
  CHECK(exit_code(start(folder, {"run", bad})) == cli::ExitCode::numerical_failure);
  CHECK(exit_code(start(folder, {"check", good, "--plugin", library("other_build")})) == cli::ExitCode::user_mistake);
}
