#include <doctest/doctest.h>

#include <algorithm>

#include "apps/program.hpp"

using namespace arthron::test;

namespace {

std::string study(const std::string& variation, const std::string& results = R"("tip": {"channel": "tip.position.z", "take": "min"})") {
  return R"({
  "arthron_study": 1, "name": "swings", "model": "model.json",
  )" + variation +
         R"(,
  "results": { )" +
         results + R"( }
})";
}

/// The program on a study beside the double pendulum.
Outcome sweep(const Folder& folder, const std::string& text, const std::vector<std::string>& options = {}) {
  folder.write("model.json", double_pendulum);
  std::vector<std::string> arguments{"sweep", folder.write("study.json", text), "--output", folder.file("table.csv")};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return program(arguments);
}

}  // namespace

TEST_CASE("sweep writes a table of all variants and prints what the results are like") {
  const Folder folder;
  const Outcome outcome = sweep(folder, study(R"("grid": {"length": [1, 2, 0.5]})"));
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  const std::string table = folder.read("table.csv");
  CHECK(table.starts_with("variant,length,status,tip [m],message\n0,1,ok,-"));
  CHECK(std::count(table.begin(), table.end(), '\n') == 4);
  CHECK(outcome.out.find("variants            3 of ") != std::string::npos);
  CHECK(outcome.out.find("\ntip [m]") != std::string::npos);
  CHECK(folder.names().size() == 3);
  CHECK(sweep(folder, study(R"("grid": {"length": [1]})"), {"--quiet"}).out.empty());
}

TEST_CASE("variants from a list, with spaces, empty lines and line ends of other systems") {
  const Folder folder;
  folder.write("list.csv", "\xEF\xBB\xBFlength\r\n 2 \r\n\r\n0.5\r\n");
  CHECK(sweep(folder, study(R"("list": "list.csv")")).code == 0);
  CHECK(folder.read("table.csv").find("\n1,0.5,ok,") != std::string::npos);
}

TEST_CASE("variants that fail have their reasons in the table, and the exit code is 3") {
  const Folder folder;
  const std::string model = folder.write("spring.json", R"({
    "arthron": 1, "name": "spring", "parameters": { "mass": 1 },
    "bodies": { "load": { "mass": "=mass", "com": [0, 0, 0], "inertia": [1, 1, 1] } },
    "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "load", "at": [0, 0, 0], "axis": [0, 0, 1],
                           "spring": { "stiffness": 100 }, "initial": { "position": 1 } } },
    "simulate": { "until": 100, "integrator": { "type": "rk4", "step": 0.01 } }
  })");
  // A body without mass has no inertia; one so light swings too fast for the step, and the method goes astray.
  const std::string file = folder.write("study.json", R"({"arthron_study": 1, "name": "masses", "model": "spring.json",
    "grid": {"mass": [1, 0, 1e-9]}, "results": {"end": {"channel": "slide.position"}}})");
  const Outcome outcome = program({"sweep", file, "--output", folder.file("table.csv")});
  CHECK(outcome.code == 3);
  CHECK(
      outcome.complains_of("variant 1 refused: " + model + ":3: /bodies/load/inertia: found an inertia of a body without mass; expected"));
  CHECK(outcome.complains_of("variant 2 failed: "));
  const std::string table = folder.read("table.csv");
  CHECK(table.find("\n1,0,refused,,\"" + model) != std::string::npos);
  CHECK(table.find("\n2,1e-09,failed,,") != std::string::npos);
  CHECK(outcome.out.find(", 2 failed\n") != std::string::npos);
  CHECK(folder.names().size() == 3);
}

TEST_CASE("mistakes in studies are told with their places, and nothing is written") {
  const Folder folder;
  const auto refused = [&](const std::string& text, const std::string& words) {
    const Outcome outcome = sweep(folder, text);
    CHECK(outcome.code == 2);
    CHECK_MESSAGE(outcome.complains_of(words), outcome.err);
    CHECK(folder.names().size() <= 3);
  };
  refused(study(R"("grid": {"lengt": [1, 2]})"), "study.json:3: /grid/lengt\n  found \"lengt\"; expected a parameter of ");
  refused(study(R"("grid": {"lengt": [1, 2]})"), "did you mean \"length\"?");
  refused(study(R"("grid": {})"), "/grid\n  found no parameters; expected at least one");
  refused(study(R"("grid": {"length": []})"), "/grid/length\n  found no values");
  refused(study(R"("grid": {"length": {"from": 0, "to": 1, "count": 3, "spacing": "log"}})"),
          "found \"log\" from 0 to 1; expected ends of one sign");
  refused(study(R"("grid": {"length": {"from": 0, "to": 1, "count": 1000000}, "b": [1, 2]})"),
          "found 2e+06 variants; expected at most 1000000");
  refused(study(R"("grid": {"length": [1]}, "parameters": {"length": 2})"), "/parameters/length\n  found \"length\", which varies");
  refused(study(R"("grid": {"length": [1]}, "list": "x.csv")"), "found \"list\" besides \"grid\"; expected one of grid, random");
  refused(study(R"("list": "x.csv")"), "/list\n  found \"x.csv\", no such file");
  refused(study(R"("description": "")"), "found nothing that varies");
  refused(study(R"("random": {"count": 3, "parameters": {"length": {"type": "normal", "mean": 1}}})"),
          "expected \"deviation\", standard deviation");
  refused(study(R"("random": {"count": 3, "parameters": {"length": {"type": "unifrm"}}})"), "did you mean \"uniform\"?");
  refused(study(R"("random": {"count": 3})"), "/random/parameters\n  found no parameters");
  refused(study(R"("grid": {"length": [1]}, "simulate": {"until": -1})"), "/simulate/until\n  found -1");
  refused(study(R"("grid": {"length": [1]})", R"("a": {"channel": "tip.position"})"),
          "found \"tip.position\", which is 3 columns; expected one");
  refused(study(R"("grid": {"length": [1]})", R"("a": {"channel": "tp.position.x"})"),
          "study.json:4: /results/a/channel\n  found \"tp.position.x\"");
  refused(study(R"("grid": {"length": [1]})", R"("a": {"channel": "tip.position.x", "take": "maxx"})"), "did you mean \"max\"?");
  refused(study(R"("grid": {"length": [1]})", R"("a": {"channel": "tip.position.x", "from": 5})"),
          "found 5 s; expected a time before the end at 1 s");
  refused(study(R"("grid": {"length": [1]})", R"("length": {"channel": "tip.position.x"})"), "another name: a column of the table has it");
  refused(double_pendulum, "/arthron\n  found a model; expected a study");
  folder.write("list.csv", "length\n1\nx\n2,3\n");
  refused(study(R"("list": "list.csv")"), "list.csv:3: length\n  found \"x\"; expected a number");
  refused(study(R"("list": "list.csv")"), "list.csv:4: /\n  found a row of 2; expected one of 1");
}

TEST_CASE("sweep refuses the files of its own study as output, and counts of threads that are none") {
  const Folder folder;
  const std::string text = study(R"("grid": {"length": [1]})");
  CHECK(sweep(folder, text, {"--threads", "0"}).complains_of("--threads\n  found \"0\"; expected a whole number >= 1"));
  CHECK(program({"sweep", folder.file("study.json"), "--output", folder.file("model.json")}).complains_of("which the study reads"));
  CHECK(program({"sweep", folder.file("study.json"), "--output", "-"}).complains_of("found \"-\", the console; expected a file"));
}

TEST_CASE("a journal of the study as it was before a change is refused, until --restart") {
  const Folder folder;
  folder.write("table.csv.journal", "arthron_journal 1 1d02b9a4-0000-0000-0000-000000000000\n");
  const std::string text = study(R"("grid": {"length": [1, 2]})");
  const Outcome refused = sweep(folder, text);
  CHECK(refused.code == 2);
  CHECK(refused.complains_of(
      "the journal of another study: its files or the program have changed; expected the study as it was, or --restart"));
  CHECK(sweep(folder, text, {"--restart"}).code == 0);
  CHECK(folder.names().size() == 3);
}

TEST_CASE("types and schema tell of studies") {
  CHECK(program({"types", "study"}).out.find("latin_hypercube") != std::string::npos);
  CHECK(program({"schema", "study"}).out.find("\"Arthron study\"") != std::string::npos);
  CHECK(program({"schema", "studi"}).complains_of("did you mean \"study\"?"));
}

TEST_CASE("a variant whose energy goes astray is a row that failed") {
  const Folder folder;
  const Outcome outcome =
      sweep(folder, study(R"("grid": {"length": [1, 1000]}, "simulate": {"until": 20, "integrator": {"type": "rk2", "step": 0.2}})"));
  CHECK(outcome.code == 3);
  const std::string table = folder.read("table.csv");
  CHECK(table.find("\n0,1,failed,") != std::string::npos);
  CHECK(table.find("the energy is wrong") != std::string::npos);
  CHECK(table.find("\n1,1000,ok,") != std::string::npos);
}
