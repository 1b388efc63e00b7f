#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// A mass on a spring, x = cos 2t.
constexpr auto oscillator = R"json({ "arthron": 1, "name": "oscillator", "gravity": [0, 0, 0],
  "bodies": { "mass": { "mass": 1, "com": [0, 0, 0], "inertia": [1, 1, 1] } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "mass", "at": [0, 0, 0], "axis": [1, 0, 0],
                         "spring": { "stiffness": 4 }, "initial": { "position": 1 } } },
  "simulate": { "until": 20, "output": { "step": 0.1, "channels": ["slide.position"] } } })json";

struct TrueError {
  double time, error;
};

/// Of every row, from the closed form; the largest so far.
std::vector<TrueError> errors_in(const std::string& csv) {
  std::vector<TrueError> list;
  std::istringstream in(csv);
  std::string line;
  std::getline(in, line);
  double worst = 0;
  while (std::getline(in, line)) {
    const double t = std::stod(line), x = std::stod(line.substr(line.find(',') + 1));
    worst = std::fmax(worst, std::abs(x - std::cos(2 * t)));
    list.push_back({t, worst});
  }
  return list;
}

}  // namespace

TEST_CASE("the digits that a second run confirms are those that agree with the closed form") {
  for (const std::vector<std::string>& method : {std::vector<std::string>{"--tolerance", "1e-4"},
                                                 {"--integrator", "dopri8", "--tolerance", "1e-5"},
                                                 {"--integrator", "rk4", "--step", "0.05"}}) {
    CAPTURE(method.back());
    const Folder folder;
    std::vector<std::string> words = {
        "run", folder.write("model.json", oscillator), "--digits", "--output", folder.file("rows.csv"), "--summary", folder.file("s.json")};
    words.insert(words.end(), method.begin(), method.end());
    const Outcome outcome = program(words);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.out.find("hold until [s]") != std::string::npos);
    CHECK(outcome.out.find("slide.position") != std::string::npos);
    const std::vector<TrueError> errors = errors_in(folder.read("rows.csv"));
    REQUIRE(errors.size() == 201);
    const auto digits = nlohmann::json::parse(folder.read("s.json")).at("digits");
    const auto& channel = digits.at("channels").at("slide.position");
    CHECK(digits.at("compared_until") == 20.0);
    CHECK(channel.at("largest").get<double>() == doctest::Approx(1).epsilon(1e-3));
    // The second run has a sixteenth of the error or less.
    CHECK(channel.at("difference").get<double>() == doctest::Approx(errors.back().error).epsilon(0.1));
    const double rounding = 2000 * std::numeric_limits<double>::epsilon();  // of thousands of evaluations, amplitudes of 1
    int confirmed = 0;
    for (const auto& [text, until] : channel.at("until").items()) {
      const double allowed = 0.5 * std::pow(10, -std::stoi(text));
      CAPTURE(text);
      if (until.is_null()) {
        CHECK(errors.front().error > 0.9 * allowed);
        continue;
      }
      ++confirmed;
      for (const auto& [t, error] : errors) {
        if (t <= until.get<double>()) CHECK(error <= 1.2 * allowed + rounding);
        if (t > until.get<double>() + 0.15) CHECK(error >= 0.8 * allowed);
      }
    }
    CHECK(confirmed >= 2);
  }
}

TEST_CASE("rows and figures are those of a run without --digits") {
  const Folder folder;
  const std::string model = folder.write("model.json", oscillator);
  REQUIRE(program({"run", model, "--output", folder.file("plain.csv"), "--summary", folder.file("plain.json"), "--quiet"}).code == 0);
  REQUIRE(program({"run", model, "--digits", "--output", folder.file("rows.csv"), "--summary", folder.file("s.json"), "--quiet"}).code ==
          0);
  CHECK(folder.read("plain.csv") == folder.read("rows.csv"));
  const auto plain = nlohmann::json::parse(folder.read("plain.json")), checked = nlohmann::json::parse(folder.read("s.json"));
  CHECK(plain.at("evaluations") == checked.at("evaluations"));
  CHECK_FALSE(plain.contains("digits"));
}

TEST_CASE("--digits is refused where nothing tighter can be run, and in live runs") {
  const Folder folder;
  const std::string model = folder.write("model.json", oscillator);
  for (const std::vector<std::string>& option : {std::vector<std::string>{"--tolerance", "1e-15"}, {"--live"}}) {
    std::vector<std::string> words = {"run", model, "--digits"};
    words.insert(words.end(), option.begin(), option.end());
    const Outcome outcome = program(words);
    CHECK(outcome.code == cli::ExitCode::user_mistake);
    CHECK(outcome.complains_of("--digits"));
  }
}
