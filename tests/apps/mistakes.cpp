#include <doctest/doctest.h>

#include "apps/program.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

struct Refusals {
  Folder folder;
  std::string model = folder.write("model.json", double_pendulum);

  [[nodiscard]] Outcome run(std::vector<std::string> options) const {
    options.insert(options.begin(), {"run", model});
    return program(options);
  }
  /// Exit code 2, nothing on the standard output, no file left behind, and a message with these words.
  void check_refused(const Outcome& outcome, const std::vector<std::string>& words) const {
    CAPTURE(outcome.err);
    CHECK(outcome.code == cli::ExitCode::user_mistake);
    CHECK(outcome.out.empty());
    CHECK(folder.names() == std::vector<std::string>{"model.json"});
    for (const std::string& word : words) {
      CAPTURE(word);
      CHECK(outcome.complains_of(word));
    }
  }
};

}  // namespace

TEST_CASE_FIXTURE(Refusals, "files that are no models are refused") {
  check_refused(program({"run", folder.file("none.json")}), {"none.json", "no such file"});
  check_refused(program({"run", folder.file("")}), {"directory"});
  const std::string broken = folder.file("../arthron_broken.json");
  std::ofstream(broken) << "{ \"arthron\": 1,";
  check_refused(program({"run", broken}), {"arthron_broken.json", "found"});
  std::filesystem::remove(broken);
}

TEST_CASE_FIXTURE(Refusals, "misspelt commands and options are refused with the nearest name") {
  check_refused(program({"rnu", model}), {"\"rnu\"", "did you mean \"run\"?"});
  check_refused(program({}), {"no command"});
  check_refused(program({"run"}), {"arthron run", "no file"});
  check_refused(run({"--unti", "3"}), {"--unti\n", "did you mean \"--until\"?"});
  check_refused(run({"--tolerence=1e-6"}), {"--tolerence\n", "did you mean \"--tolerance\"?"});
  check_refused(run({"extra.json"}), {"extra.json"});
  check_refused(run({"--until"}), {"--until\n"});
}

TEST_CASE_FIXTURE(Refusals, "values out of range are refused under the option's name") {
  for (const char* value : {"0", "nan", "-1", "inf", "1e-40", "x", ""}) {
    CAPTURE(value);
    check_refused(run({"--tolerance", value}), {"--tolerance\n"});
    check_refused(run({"--relative-tolerance", value}), {"--relative-tolerance\n"});
    check_refused(run({"--absolute-tolerance", value}), {"--absolute-tolerance\n"});
    check_refused(run({"--output-step", value}), {"--output-step\n"});
    check_refused(run({"--step", value}), {"--step\n"});
    check_refused(run({"--threads", value}), {"--threads\n"});
    check_refused(run({"--max-steps", value}), {"--max-steps\n"});
  }
  for (const char* value : {"nan", "-1", "inf", "1e300", "5s"}) check_refused(run({"--until", value}), {"--until\n"});
  check_refused(run({"--integrator", "dopri4"}), {"--integrator\n", "did you mean \"dopri5\"?"});
  check_refused(run({"--formulation", "hdc"}), {"--formulation\n", "did you mean \"hdca\"?"});
  check_refused(run({"--elimination", "pairs"}), {"--elimination\n", "did you mean \"pair\"?"});
}

TEST_CASE_FIXTURE(Refusals, "all wrong options are reported in one go") {
  check_refused(run({"--until", "-1", "--tolerance", "0", "--integrator", "rk3"}), {"--until\n", "--tolerance\n", "--integrator\n"});
}

TEST_CASE_FIXTURE(Refusals, "unknown channels and parameters are refused with the nearest name") {
  check_refused(run({"--channel", "tip.positio"}), {"--channel\n", "did you mean \"tip.position\"?"});
  check_refused(run({"--set", "lenght=2"}), {"--set", "did you mean \"length\"?"});
  check_refused(run({"--set", "length"}), {"--set", "name=value"});
  check_refused(run({"--set", "length=long"}), {"--set", "a number"});
}

TEST_CASE_FIXTURE(Refusals, "a channel of the model file is refused by its JSON pointer") {
  std::string text = double_pendulum;
  text.replace(text.find("\"step\": 0.1"), 11, R"("channels": ["tip.position", "elbow_joint.angle"])");
  folder.write("model.json", text);
  check_refused(run({}), {"model.json:14: /simulate/output/channels/1\n", "elbow_joint.angle"});
}

TEST_CASE_FIXTURE(Refusals, "what is found after loading is told with its line") {
  check_refused(run({"--until", "1e9", "--output-step", "1e3", "--integrator", "rk4"}), {"model.json:14: /simulate/integrator/step\n"});
  check_refused(program({"inverse", model}), {"model.json:9: /joints\n", "no joint with a motion"});
  check_refused(program({"kc", model, "--output", folder.file("curves")}), {"model.json:1: /ports\n", "no outputs"});
}

TEST_CASE_FIXTURE(Refusals, "devices, which may have no end, are not read") {
  check_refused(program({"run", "/dev/zero"}), {"/dev/zero\n  found a device", "expected a model file"});
  check_refused(run({"--resume", "/dev/zero"}), {"/dev/zero\n  found a device", "expected a checkpoint"});
  check_refused(program({"sweep", "/dev/zero"}), {"/dev/zero\n  found a device", "expected a study"});
  check_refused(program({"plot", "/dev/zero", "--output", folder.file("plot.html")}), {"\"/dev/zero\", a device"});
  std::string text = double_pendulum;
  text.insert(text.find("\"parameters\""), R"("subsystems": { "part": { "use": "/dev/zero" } }, )");
  folder.write("model.json", text);
  check_refused(run({}), {"model.json:3: /subsystems/part/use\n", "a device"});
}

TEST_CASE_FIXTURE(Refusals, "outputs that cannot be written are refused before the run") {
  check_refused(run({"--output", folder.file("none/rows.csv")}), {"--output\n"});
  check_refused(run({"--output", folder.file("")}), {"--output\n", "directory"});
  check_refused(run({"--summary", folder.file("none/summary.json"), "--output", folder.file("rows.csv")}), {"--summary\n"});
  check_refused(run({"--output", model}), {"--output\n", "the model's own file"});
  check_refused(run({"--output", folder.file("x"), "--summary", folder.file("x")}), {"--summary\n"});
  if (std::filesystem::exists("/dev/full")) check_refused(run({"--output", "/dev/full"}), {"--output\n"});
}

TEST_CASE_FIXTURE(Refusals, "an unknown component type is refused with the nearest name") {
  check_refused(program({"types", "revolut"}), {"did you mean \"revolute\"?"});
}
