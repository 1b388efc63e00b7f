#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "apps/program.hpp"
#include "arthron/formulation/formulation.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) list.push_back(line);
  return list;
}

}  // namespace

TEST_CASE("a run writes the chosen channels, prints a summary and says nothing else") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const Outcome outcome =
      program({"run", model, "--output", folder.file("rows.csv"), "--channel", "tip.position", "--channel", "energy.total"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find("real-time factor") != std::string::npos);
  const std::vector<std::string> rows = lines(folder.read("rows.csv"));
  REQUIRE(rows.size() == 1 + 11);
  CHECK(rows[0] == "t [s],tip.position.x [m],tip.position.y [m],tip.position.z [m],energy.total [J]");
  CHECK(rows[1] == "0,2,0,0,0");
  CHECK(rows[11].starts_with("1,"));
}

TEST_CASE("two runs give byte-identical files, whatever the number of threads") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  for (const char* threads : {"1", "4"}) {
    REQUIRE(program({"run", model, "--threads", threads, "--output", folder.file(threads), "--quiet"}).code == 0);
  }
  CHECK(folder.read("1") == folder.read("4"));
  CHECK(folder.read("1").size() > 1000);
}

TEST_CASE("rows go to the standard output for -, and the summary then to the other one") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const Outcome outcome = program({"run", model, "--output", "-", "--until", "0.2"});
  CHECK(outcome.code == 0);
  CHECK(lines(outcome.out).size() == 4);
  CHECK(outcome.err.find("wall time") != std::string::npos);
  CHECK(program({"run", model, "--output", "-", "--quiet"}).err.empty());
}

TEST_CASE("a profile has the tasks of evaluations by their names, and changes no number") {
  const Folder folder;
  const std::vector<std::string> run{"run",           std::string(ARTHRON_SOURCE_DIR) + "/examples/rope/rope.json",
                                     "--until",       "0.002",
                                     "--output-step", "0.001",
                                     "--channel",     "end.position",
                                     "--quiet",       "--output"};
  for (const char* threads : {"1", "2"}) {
    CAPTURE(threads);
    auto with = run, without = run;
    with.insert(with.end(), {folder.file("with.csv"), "--threads", threads, "--profile", folder.file("profile.json")});
    without.insert(without.end(), {folder.file("without.csv"), "--threads", "1"});
    REQUIRE(program(with).code == 0);
    REQUIRE(program(without).code == 0);
    CHECK(folder.read("with.csv") == folder.read("without.csv"));
    const auto profile = nlohmann::json::parse(folder.read("profile.json"));
    const auto named = [&](const char* words) {
      return std::any_of(profile.begin(), profile.end(),
                         [&](const auto& event) { return event.value("name", "").find(words) != std::string::npos; });
    };
    for (const char* words : {"fold", "unfold", "momenta"}) {
      CAPTURE(words);
      CHECK(named(words));
    }
  }
}

TEST_CASE("the summary file is JSON with the run's figures") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  REQUIRE(program({"run", model, "--summary", folder.file("s.json"), "--quiet"}).code == 0);
  const auto summary = nlohmann::json::parse(folder.read("s.json"));
  CHECK(summary.at("model") == "double_pendulum");
  CHECK(summary.at("outcome") == "finished");
  CHECK(summary.at("simulated_time") == 1.0);
  CHECK(summary.at("rows") == 11);
  CHECK(summary.at("evaluations").get<int>() > 0);
  CHECK(summary.at("conservative") == true);
  CHECK(summary.at("energy_drift").get<double>() < 1e-4);
}

TEST_CASE("options replace what the model file says") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const Outcome outcome =
      program({"run", model, "--until", "0.5", "--output-step", "0.25", "--set", "length=2", "--integrator", "rk4", "--step", "0.01",
               "--output", "-", "--channel", "tip.position.x", "--summary", folder.file("s.json"), "--quiet"});
  CHECK(outcome.code == 0);
  const std::vector<std::string> rows = lines(outcome.out);
  REQUIRE(rows.size() == 4);
  CHECK(rows[1] == "0,4");
  const auto summary = nlohmann::json::parse(folder.read("s.json"));
  CHECK(summary.at("steps_accepted") == 50);
  CHECK(summary.at("integrator") == "rk4");
}

TEST_CASE("both eliminations give the same motion to the tolerance") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  double x[2];
  for (int i = 0; i < 2; ++i) {
    const Outcome outcome = program({"run", model, "--elimination", i == 0 ? "fold" : "pair", "--tolerance", "1e-10", "--output", "-",
                                     "--channel", "tip.position.x", "--quiet"});
    REQUIRE(outcome.code == 0);
    x[i] = std::stod(lines(outcome.out).back().substr(2));
  }
  CHECK(x[0] == doctest::Approx(x[1]).epsilon(1e-8));
}

TEST_CASE("a computation that fails keeps its rows, names the joint and exits with 3") {
  const Folder folder;
  std::string text = double_pendulum;
  text.replace(text.find("\"at\": \"elbow\""), 13, R"x("effort": "=sqrt(0.55 - t)", "at": "elbow")x");
  const std::string model = folder.write("model.json", text);
  const Outcome outcome = program({"run", model, "--output", folder.file("rows.csv"), "--summary", folder.file("s.json")});
  CHECK(outcome.code == cli::ExitCode::numerical_failure);
  CHECK(outcome.complains_of("elbow_joint"));
  CHECK(outcome.complains_of("t = 0.5"));
  CHECK(lines(folder.read("rows.csv")).size() == 1 + 6);
  CHECK(nlohmann::json::parse(folder.read("s.json")).at("outcome") == "failed");
}

TEST_CASE("a run that would take for ever stops at the number of steps allowed") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const Outcome outcome = program({"run", model, "--max-steps", "3", "--quiet"});
  CHECK(outcome.code == cli::ExitCode::user_mistake);
  CHECK(outcome.complains_of("--max-steps"));
}

TEST_CASE("check tells the structure of a model") {
  const Folder folder;
  const Outcome outcome = program({"check", folder.write("model.json", double_pendulum), "--set", "length=2"});
  CHECK(outcome.code == 0);
  for (const char* words : {"2 bodies: upper, lower", "2 joints: 2 revolute", "2 degrees of freedom", "0 driven", "0 forces", "length = 2",
                            "1 marker: tip", "0 open ports", "total mass 3 kg", "(2.33333, 0, 0)", "elimination"}) {
    CAPTURE(words);
    CHECK(outcome.out.find(words) != std::string::npos);
  }
}

TEST_CASE("types, schema, version and help answer") {
  const Outcome types = program({"types"});
  CHECK(types.code == 0);
  CHECK(types.out.find("revolute") != std::string::npos);
  const Outcome one = program({"types", "screw"});
  CHECK(one.out.find("pitch") != std::string::npos);
  CHECK(one.out.find("revolute") == std::string::npos);
  CHECK(nlohmann::json::parse(program({"schema"}).out).contains("$schema"));
  CHECK(program({"--version"}).out.starts_with("arthron "));
  const Outcome help = program({"--help"});
  CHECK(help.code == 0);
  CHECK(help.out.find("130") != std::string::npos);
  CHECK(program({"run", "--help"}).out.find("--relative-tolerance") != std::string::npos);
}

TEST_CASE("a model in which nothing moves runs, is shown and is reported") {
  const Folder folder;
  const std::string still = folder.write("still.json", R"({"arthron": 1, "name": "still", "simulate": {"until": 0.1}})");
  const std::string shaken = folder.write("shaken.json", R"({"arthron": 1, "name": "shaken",
    "grounds": {"table": {"motion": {"translation": ["=t", 0, 0]}}}, "markers": {"m": {"body": "table", "at": [0, 0, 0]}},
    "simulate": {"until": 1, "output": {"step": 0.5, "channels": ["m.position.x"]}}})");
  CHECK(program({"run", still, "--output", folder.file("still.csv")}).code == 0);
  CHECK(program({"view", still, "--output", folder.file("still.html")}).code == 0);
  CHECK(program({"run", shaken, "--output", folder.file("shaken.csv")}).code == 0);
  CHECK(folder.read("shaken.csv") == "t [s],m.position.x [m]\n0,0\n0.5,0.5\n1,1\n");
}

TEST_CASE("a run whose energy goes astray keeps its rows and ends with the code of a numerical failure") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const Outcome outcome = program({"run", model, "--until", "20", "--integrator", "rk2", "--step", "0.2", "--output",
                                   folder.file("rows.csv"), "--summary", folder.file("s.json")});
  CHECK(outcome.code == 3);
  CHECK(outcome.complains_of("the energy is wrong although nothing in the model adds or takes any at t = "));
  CHECK(outcome.complains_of("J that a run with fixed steps may be off by"));
  const std::vector<std::string> rows = lines(folder.read("rows.csv"));
  CHECK(rows.size() > 2);
  const auto summary = nlohmann::json::parse(folder.read("s.json"));
  CHECK(summary["outcome"] == "failed");
  CHECK(rows.size() == 1 + summary["rows"].get<std::size_t>());
}

TEST_CASE("drives that contradict a loop are found however fast the whole moves") {
  for (const char* speed : {"0", "1", "100", "1e4"})
    for (const std::string& formulation : formulation_names()) {
      CAPTURE(speed);
      CAPTURE(formulation);
      const Folder folder;
      const std::string model = folder.write("model.json", std::string(R"json({ "arthron": 1, "name": "contra", "gravity": [0, 0, 0],
        "bodies": { "base": { "mass": 1, "inertia": [1, 1, 1] }, "arm": { "mass": 1, "com": [0.5, 0, 0], "inertia": [0.1, 0.1, 0.1] } },
        "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "base", "at": [0, 0, 0], "axis": [0, 1, 0], "initial": { "velocity": )json") +
                                                               speed + R"json( } },
                    "hinge": { "type": "revolute", "parent": "base", "child": "arm", "at": [0, 0, 0], "axis": [0, 1, 0], "motion": "=0.05*(1 - cos(t))" },
                    "rod": { "type": "distance", "parent": "base", "child": "arm", "from": [1, 0, 1], "at": [1, 0, 0] } } })json");
      const Outcome outcome = program({"run", model, "--until", "3", "--formulation", formulation, "--quiet"});
      CHECK(outcome.code == 3);
      CHECK(outcome.complains_of("joint \"hinge\" (driven) cannot be followed in loop base-arm"));
    }
}
