#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "apps/program.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// A parallelogram of bars of 1 m between two pivots 1 m apart; `left`, `right` and `top_left` are more keys of
/// these joints.
std::string parallelogram(const std::string& left = "", const std::string& right = "", const std::string& top_left = "") {
  return R"json({ "arthron": 1, "name": "parallelogram", "gravity": [0, -9.81, 0],
  "bodies": { "a": { "mass": 1, "com": [0, 0.5, 0], "inertia": [0.1, 0.1, 0.1] },
              "b": { "mass": 1, "com": [0.5, 1, 0], "inertia": [0.1, 0.1, 0.1] },
              "c": { "mass": 1, "com": [1, 0.5, 0], "inertia": [0.1, 0.1, 0.1] } },
  "joints": { "left": { "type": "revolute", "parent": "ground", "child": "a", "at": [0, 0, 0], "axis": [0, 0, 1])json" +
         left + R"json( },
              "top_left": { "type": "revolute", "parent": "a", "child": "b", "at": [0, 1, 0], "axis": [0, 0, 1])json" +
         top_left + R"json( },
              "top_right": { "type": "revolute", "parent": "b", "child": "c", "at": [1, 1, 0], "axis": [0, 0, 1] },
              "right": { "type": "revolute", "parent": "ground", "child": "c", "at": [1, 0, 0], "axis": [0, 0, 1])json" +
         right + R"json( } },
  "simulate": { "until": 1, "output": { "step": 0.1 } } })json";
}

struct LoopModels {
  Folder folder;
  [[nodiscard]] Outcome run(const std::string& text, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"run", folder.write("model.json", text)});
    return program(options);
  }
  [[nodiscard]] Outcome check(const std::string& text) const { return program({"check", folder.write("model.json", text)}); }
};

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE_FIXTURE(LoopModels, "check names the redundant directions of a loop and its degrees of freedom") {
  const Outcome outcome = check(parallelogram());
  CAPTURE(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out, "\n1 degree of freedom\n"));
  CHECK(has(outcome.out,
            "3 of 5 closure directions are redundant: translation z, rotations x and y (axes of the file); their reactions are not "
            "unique, the smallest are reported\n"));
  CHECK(has(outcome.out, "closures examined as assembled and at "));
}

TEST_CASE_FIXTURE(LoopModels, "check tells a singular position as assembled: the parallelogram laid flat can also fold the other way") {
  const auto turned = [](const char* angle) { return R"(, "initial": { "position": "=)" + std::string(angle) + R"(" })"; };
  const Outcome outcome = check(parallelogram(turned("pi/2"), turned("pi/2"), turned("-pi/2")));
  CAPTURE(outcome.out);
  CHECK(has(outcome.out, "\n1 degree of freedom (2 in the singular position as assembled)\n"));
  CHECK(has(outcome.out, "3 of 5 closure directions are redundant: translation z, rotations x and y"));
  CHECK(has(outcome.out, "singular position as assembled: 4 are redundant there, translations x and z, rotations x and y"));
}

TEST_CASE_FIXTURE(LoopModels, "a loop that cannot close is refused with joint, bodies and gap") {
  // Both bars turned outward by a right angle: their tips are 3 m apart, the bar between them is 1 m long.
  const Outcome apart = run(parallelogram(R"(, "motion": "=pi/2")", R"(, "motion": "=-pi/2")"));
  CAPTURE(apart.err);
  CHECK(apart.code == cli::ExitCode::user_mistake);
  CHECK(apart.complains_of("stays open by 2000 mm and"));
  CHECK(apart.complains_of("\"left\" (driven)"));
  CHECK(apart.complains_of("\"right\" (driven)"));
}

TEST_CASE_FIXTURE(LoopModels, "drives that contradict each other are refused at the start, naming both joints") {
  const Outcome outcome = run(parallelogram(R"(, "motion": "=t")", R"(, "motion": "=2*t")"));
  CAPTURE(outcome.err);
  CHECK(outcome.code == cli::ExitCode::user_mistake);
  CHECK(outcome.complains_of("joints "));
  CHECK(outcome.complains_of("\"left\" (driven)"));
  CHECK(outcome.complains_of("\"right\" (driven)"));
  CHECK(outcome.complains_of("contradict each other in loop "));
}

TEST_CASE_FIXTURE(LoopModels, "drives that come to contradict each other end the run there, and the rows so far are kept") {
  const Outcome outcome = run(parallelogram(R"(, "motion": "=0.2*t")", R"x(, "motion": "=0.2*t + step(t, 0.5, 0, 1, 1)")x"),
                              {"--output", folder.file("rows.csv")});
  CAPTURE(outcome.err);
  CHECK(outcome.code == cli::ExitCode::numerical_failure);
  CHECK(outcome.complains_of("contradict each other in loop "));
  CHECK(outcome.complains_of("at t = 0.5"));
  CHECK(has(folder.read("rows.csv"), "\n0,"));
}

TEST_CASE_FIXTURE(LoopModels, "drives that agree run: the parallelogram driven at both pivots") {
  const Outcome outcome = run(parallelogram(R"(, "motion": "=t")", R"(, "motion": "=t")"));
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
}

TEST_CASE_FIXTURE(LoopModels, "a body with no path to a ground and a body without mass are refused by name") {
  std::string lost = parallelogram();
  lost.insert(lost.find("\"a\": {"), R"("lost": { "mass": 1, "inertia": [1, 1, 1] }, "astray": { "mass": 1, "inertia": [1, 1, 1] }, )");
  lost.insert(lost.find("\"left\": {"), R"("pair": { "type": "fixed", "parent": "lost", "child": "astray", "at": [0, 0, 0] }, )");
  const Outcome no_path = run(lost);
  CHECK(no_path.code == cli::ExitCode::user_mistake);
  CAPTURE(no_path.err);
  for (const char* body : {"\"lost\"", "\"astray\""})
    CHECK(no_path.complains_of("body " + std::string(body) + " with no path of joints to a ground"));
  std::string light = parallelogram();
  light.replace(light.find("\"mass\": 1"), 9, "\"mass\": 0");
  const Outcome no_mass = run(light);
  CHECK(no_mass.code == cli::ExitCode::user_mistake);
  CHECK(no_mass.complains_of("/bodies/a/inertia"));
}

TEST_CASE_FIXTURE(LoopModels, "the summary tells how far loops open, and what closes them can be switched off") {
  const std::string summary = folder.file("summary.json");
  const auto opening = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--summary", summary, "--tolerance", "1e-4"});
    options.insert(options.begin(), {"run", ARTHRON_SOURCE_DIR "/examples/loop4/loop4.json"});
    CHECK(program(options).code == 0);
    const auto json = nlohmann::json::parse(folder.read("summary.json"));
    CHECK(json.at("loops") == 1);
    CHECK(json.at("loop_opening_rate") < 1e-11);
    return json.at("loop_opening").get<double>();
  };
  CHECK(opening({}) < 1e-12);
  const double loose = opening({"--loop-tolerance", "1e-6"});
  CHECK(loose <= 1e-6);
  CHECK(loose > 1e-12);
  CHECK(opening({"--no-project", "--no-reanchor"}) > 1e-7);
  CHECK(has(run(parallelogram()).out, "\nloop opening "));
}

TEST_CASE_FIXTURE(LoopModels, "cut joints have multipliers, opening and opening rate as channels; springs are no multipliers") {
  const Outcome outcome =
      run(parallelogram(), {"--output", "-", "--until", "0.1", "--channel", "top_right.multipliers", "--channel", "top_right.reaction",
                            "--channel", "top_right.opening", "--channel", "top_right.opening_rate"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(has(outcome.out, "top_right.multipliers.force.x [N]"));
  CHECK(has(outcome.out, "top_right.opening.rz [rad]"));
  CHECK(has(outcome.out, "top_right.opening_rate.x [m/s]"));
  CHECK(run(parallelogram(), {"--channel", "left.multipliers"}).code == cli::ExitCode::user_mistake);
}
