#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/process.hpp"
#include "arthron/simulation/shortest_text.hpp"
#include "plotting/result_table.hpp"
#include "support/occurrences.hpp"
#include "suspension/corner.hpp"

/// What `report` writes. Source of truth: tables and summaries of `run` and `kc`.
using namespace arthron;
using namespace arthron::test;
using Json = nlohmann::ordered_json;

namespace {

bool contains(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

/// The first tag that does not fit the one it closes; "" where all do, as in XML.
std::string first_unbalanced(const std::string& page) {
  std::vector<std::string> open;
  for (std::size_t at = page.find("<html"); (at = page.find('<', at)) != std::string::npos;) {
    const std::size_t end = page.find('>', at);
    if (end == std::string::npos) return page.substr(at, 40);
    const std::string tag = page.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(tag.starts_with('/') ? 1 : 0, tag.find_first_of(" />", 1) - (tag.starts_with('/') ? 1 : 0));
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return tag;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
    at = end;
  }
  return open.empty() ? "" : open.back();
}

/// A page that is whole, needs nothing from outside and runs nothing.
void check_stands_alone(const std::string& page) {
  CHECK(page.starts_with("<!DOCTYPE html>\n"));
  CHECK(first_unbalanced(page) == "");
  CHECK(page.ends_with("</html>\n"));
  CHECK(!contains(page, "<script"));
  CHECK(!contains(page, "<link"));
  CHECK(!contains(page, "url("));
  CHECK(!contains(page, "@import"));
  CHECK(!contains(page, "href"));
  CHECK(occurrences(page, "src=") == occurrences(page, "src=\"data:image/svg+xml;base64,"));
  CHECK(occurrences(page, "http") == occurrences(page, "http-equiv") + occurrences(page, "xmlns=\"http://www.w3.org/1999/xhtml\""));
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "<tr>";
  for (const std::string& cell : cells) text += "<td>" + cell + "</td>";
  return text + "</tr>";
}

}  // namespace

TEST_CASE("the numbers of a report are those of the run's summary and table") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum), page_file = folder.file("page.html");
  REQUIRE(program({"run", model, "--output", folder.file("rows.csv"), "--summary", folder.file("summary.json")}).code == 0);
  const Outcome outcome = program({"report", model, "--output", page_file});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const std::string page = folder.read("page.html");
  check_stands_alone(page);

  const Json summary = Json::parse(folder.read("summary.json"));
  const auto rounded = [&](const char* key) { return rounded_text(summary[key].get<double>()); };
  CHECK(contains(page, row({"At the start", rounded("energy_start") + " J"})));
  CHECK(contains(page, row({"At the end", rounded("energy_end") + " J"})));
  CHECK(contains(page, row({"Drift, the largest of all rows", rounded("energy_drift") + " J"})));
  CHECK(contains(page, row({"Constraint error", rounded("constraint_error") + " of the momentum, the largest of all rows"})));
  CHECK(contains(page, row({"Steps", summary["steps_accepted"].dump() + " accepted, " + summary["steps_rejected"].dump() + " rejected"})));
  CHECK(contains(page, row({"Evaluations", summary["evaluations"].dump()})));
  CHECK(contains(page, row({"Joints", "2: 2 revolute"})));
  CHECK(contains(page, row({"Degrees of freedom", "2"})));
  CHECK(contains(page, row({"length", "1", ""})));
  CHECK(contains(page, "No warnings."));

  const cli::ResultTable rows = cli::read_result(folder.file("rows.csv"), "test");
  REQUIRE(rows.columns.size() > 5);
  for (std::size_t i = 1; i < rows.columns.size(); ++i) {
    const cli::ResultColumn& column = rows.columns[i];
    CAPTURE(column.name);
    double squares = 0;
    for (const double value : column.values) squares += value * value;
    const auto [least, largest] = std::minmax_element(column.values.begin(), column.values.end());
    CHECK(contains(
        page, row({column.name, column.unit, rounded_text(column.values.front()), rounded_text(column.values.back()), rounded_text(*least),
                   rounded_text(*largest), rounded_text(std::sqrt(squares / static_cast<double>(column.values.size())))})));
  }
}

TEST_CASE("a report tells loops, where they are cut, and what is redundant, as check does") {
  const Folder folder;
  const std::string model = std::string(ARTHRON_SOURCE_DIR) + "/examples/fourbar_ladder/fourbar_ladder.json";
  const Outcome checked = program({"check", model});
  REQUIRE(program({"report", model, "--until", "0.1", "--output", folder.file("page.html")}).code == 0);
  const std::string page = folder.read("page.html");
  check_stands_alone(page);
  std::istringstream lines(checked.out);
  int loops = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("loop ")) continue;
    ++loops;
    CHECK(contains(page, "<td>" + line + "</td>"));
  }
  CHECK(loops > 0);
  CHECK(contains(page, "<b>Redundant loops.</b>"));
  CHECK(contains(page, "Loop opening rate"));
}

TEST_CASE("options of a report are those of a run") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  REQUIRE(program({"report", model, "--output", folder.file("page.html"), "--until", "0.5", "--channel", "energy.total", "--integrator",
                   "rk4", "--step", "0.01", "--set", "length=2", "--formulation", "dca"})
              .code == 0);
  const std::string page = folder.read("page.html");
  CHECK(contains(page, row({"Integrator", "rk4"})));
  CHECK(contains(page, row({"Formulation", "dca"})));
  CHECK(contains(page, row({"Step", "0.01 s"})));
  CHECK(contains(page, row({"Simulated time", "0.5 s in 6 rows"})));
  CHECK(contains(page, row({"length", "2", ""})));
  CHECK(contains(page, "<tr><td>energy.total</td>"));
  CHECK(!contains(page, "<td>tip.position.x</td>"));
}

TEST_CASE("energy that drifts in a conservative model is a warning") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  REQUIRE(program({"report", model, "--output", folder.file("page.html"), "--integrator", "rk2", "--step", "0.01", "--until", "20"}).code ==
          0);
  CHECK(contains(folder.read("page.html"), "<li class=\"warning\"><b>Energy drift.</b>"));
}

TEST_CASE("a run that fails gives a report that says why, and exit code 3; one at the step limit, 2") {
  const Folder folder;
  std::string text = double_pendulum;
  text.replace(text.find("\"at\": \"elbow\""), 13, R"x("effort": "=sqrt(0.55 - t)", "at": "elbow")x");
  const std::string model = folder.write("model.json", text);
  const Outcome failed = program({"report", model, "--output", folder.file("page.html")});
  CAPTURE(failed.err);
  CHECK(failed.code == 3);
  const std::string page = folder.read("page.html");
  check_stands_alone(page);
  CHECK(contains(page, "<li class=\"failure\"><b>Failed.</b>"));
  CHECK(contains(page, "The run reached "));
  CHECK(contains(page, "model.json"));
  CHECK(program({"report", folder.write("model.json", double_pendulum), "--max-steps", "5", "--output", folder.file("page.html")}).code ==
        2);
  CHECK(contains(folder.read("page.html"), "<li class=\"failure\"><b>Step limit.</b>"));
}

TEST_CASE("an interrupted report exits with 130 and shows what was computed") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const pid_t child = start(folder, {"report", model, "--until", "1e6", "--output-step", "10", "--integrator", "gauss4", "--step", "0.02",
                                     "--output", folder.file("page.html")});
  // It could go on for hours.
  CHECK(comes_true([&] { return catches(child, SIGINT); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  REQUIRE(kill(child, SIGINT) == 0);
  CHECK(exit_code(child) == 130);
  const std::string page = folder.read("page.html");
  check_stands_alone(page);
  CHECK(contains(page, "<b>Interrupted.</b>"));
}

TEST_CASE("names cannot break a report") {
  const Folder folder;
  std::string text = double_pendulum;
  text.replace(text.find("\"double_pendulum\""), 17, R"("</title><script>alert(1)</script> & \"quotes\" \u0001")");
  const std::string model = folder.write("a<b>&\".json", text);
  REQUIRE(program({"report", model, "--output", folder.file("page.html")}).code == 0);
  const std::string page = folder.read("page.html");
  check_stands_alone(page);
  CHECK(contains(page, "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot; ?"));
}

TEST_CASE("mistakes of report are named and leave no page") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  std::filesystem::create_directory(folder.file("empty"));
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& words) {
    const Outcome outcome = program(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.complains_of(words));
    CHECK(folder.names().size() == 2);
  };
  const std::string page = folder.file("page.html");
  refused({"report", model}, "--output\n  found nothing; expected this option");
  refused({"report", model, "--output", folder.file("page.pdf")}, "expected FILE.html");
  refused({"report", model, "--output", folder.file("none/page.html")}, "a file that can be written");
  refused({"report", model, "--output", page, "--channel", "tip.positoin"}, "did you mean \"tip.position\"?");
  refused({"report", model, "--output", page, "--until", "-1"}, "--until");
  refused({"report", model, "--output", page, "--summary", "x.json"}, "--summary");
  refused({"report", folder.file("none.json"), "--output", page}, "none.json");
  refused({"report", folder.file("empty"), "--output", page}, "expected a folder that arthron kc wrote");
}

TEST_CASE("the sheet of a suspension has the values of design.json and charts of every table") {
  const Folder folder;
  const std::string model = folder.write("corner.json", bushed_corner_json(3e6, 30).dump());
  REQUIRE(program({"kc", model, "--output", folder.file("curves"), "--step", "0.02", "--wheelbase", "2.7", "--cg-height", "0.5",
                   "--brake-share", "0.65"})
              .code == 0);
  const Outcome outcome = program({"report", folder.file("curves"), "--output", folder.file("sheet.html")});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const std::string page = folder.read("sheet.html");
  check_stands_alone(page);
  const Json design = Json::parse(folder.read("curves/design.json"));
  const auto value = [&](const char* part, const char* side, const char* name, double factor) {
    return rounded_text(factor * design[part][side][name].get<double>());
  };
  CHECK(contains(page, row({"Camber", value("parallel_bump", "left", "camber [deg]", 1), value("parallel_bump", "right", "camber [deg]", 1),
                            "deg", "inclination of the wheel's plane, + top outward"})));
  CHECK(contains(page, row({"Wheel rate", value("parallel_bump", "left", "wheel_rate [N/m]", 1e-3),
                            value("parallel_bump", "right", "wheel_rate [N/m]", 1e-3), "N/mm", "wheel force over wheel travel"})));
  CHECK(contains(page, row({"Roll centre height", value("parallel_bump", "axle", "roll_centre.height [m]", 1e3), "", "mm",
                            "above the mean of both CP"})));
  CHECK(contains(
      page, row({"Toe", value("parallel_lateral_force", "left", "toe [deg/kN]", 1),
                 value("parallel_lateral_force", "right", "toe [deg/kN]", 1), value("opposite_lateral_force", "left", "toe [deg/kN]", 1),
                 value("opposite_lateral_force", "right", "toe [deg/kN]", 1), "deg/kN", "+ toe-in"})));
  for (const char* title :
       {"Parallel bump: alignment", "Opposite bump: alignment in roll", "Single wheel: alignment", "Steering", "Compliance: lateral force",
        "Compliance: brake force", "Compliance: drive force", "Compliance: aligning torque"})
    CHECK(contains(page, "<h2>" + std::string(title) + "</h2>"));

  // An interrupted rig leaves tables and no values.
  std::filesystem::remove(folder.file("curves/design.json"));
  REQUIRE(program({"report", folder.file("curves"), "--output", folder.file("sheet.html")}).code == 0);
  CHECK(contains(folder.read("sheet.html"), "The folder has no design.json"));
  const Outcome option = program({"report", folder.file("curves"), "--until", "3", "--output", folder.file("other.html")});
  CHECK(option.code == 2);
  CHECK(option.complains_of("--until"));
  CHECK(!std::filesystem::exists(folder.file("other.html")));
}
