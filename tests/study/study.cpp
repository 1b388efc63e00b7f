#include "arthron/study/study.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "arthron/components/builtins.hpp"
#include "arthron/simulation/run.hpp"
#include "arthron/spatial/lane_count.hpp"
#include "arthron/study/run_study.hpp"
#include "arthron/study/table.hpp"
#include "support/folder.hpp"

using namespace arthron;
using arthron::test::Folder;

namespace {

const Registry& types() {
  static const Registry registry = builtin_registry();
  return registry;
}

std::string example(const std::string& name) { return std::string(ARTHRON_SOURCE_DIR) + "/examples/" + name; }

/// Four suspensions used as subsystems, their parameters deep in the model.
std::string four_post_study(const Folder& folder, const std::string& variation, const std::string& results) {
  return folder.write("study.json", R"({"arthron_study": 1, "name": "ride", "model": ")" +
                                        std::filesystem::relative(example("four_post/four_post.json"), folder.file("")).string() +
                                        R"(", "simulate": {"until": 0.3}, )" + variation + results + "}");
}

constexpr auto grid = R"("grid": {"bump": [0.02, 0.05], "front.left.rate": {"from": 2e4, "to": 6e4, "count": 3}})";
constexpr auto two_results = R"(, "results": {"heave": {"channel": "heave.position", "take": "range"},
                                              "late": {"channel": "heave.position", "from": 0.2}})";

std::string table(const Study& study, const Folder& folder, Executor& executor) {
  const StudyReport report = run_study(study, {folder.file("table.csv")}, executor);
  CHECK(report.complete);
  return folder.read("table.csv");
}

}  // namespace

TEST_CASE("a variant is the model run with its parameters set, those of subsystems by their paths") {
  const Folder folder;
  const Study study(four_post_study(folder, R"("lanes": false, )" + std::string(grid), two_results), types());
  REQUIRE(study.size() == 6);
  CHECK(study.values(4) == std::vector<double>{0.05, 4e4});

  Model model = load_model(example("four_post/four_post.json"), types(), {{"bump", 0.05}, {"front.left.rate", 4e4}});
  model.simulation.until = 0.3;
  Simulation simulation(std::make_shared<const Model>(std::move(model)));
  ChannelSet channels(simulation.plan(), {{"heave.position", "", ""}});
  std::vector<double> heave;
  RunObserver observer;
  observer.row = [&](double, std::span<const double> values) { heave.push_back(values[0]); };
  REQUIRE(run(simulation, channels, observer).status.ok());

  REQUIRE(study.group_size() == 1);
  const auto rows = study.run(4);
  REQUIRE(rows);
  REQUIRE(rows->size() == 1);
  CHECK(rows->front().results ==
        std::vector<double>{*std::max_element(heave.begin(), heave.end()) - *std::min_element(heave.begin(), heave.end()), heave.back()});
}

TEST_CASE("without results, a study takes the final values of the model's output channels") {
  const Folder folder;
  const Study study(four_post_study(folder, grid, ""), types());
  const Simulation simulation(std::make_shared<const Model>(load_model(example("four_post/four_post.json"), types())));
  std::vector<ChannelRequest> requests;
  for (const std::string& path : simulation.settings().channels) requests.push_back({path, "", ""});
  const ChannelSet channels(simulation.plan(), requests);
  REQUIRE(study.results().size() == channels.columns().size());
  for (std::size_t i = 0; i < study.results().size(); ++i) CHECK(study.results()[i].name == channels.columns()[i].name);
}

TEST_CASE("1 and 4 threads give equal tables, byte for byte") {
  const Folder folder;
  const Study study(four_post_study(folder, R"("latin_hypercube": {"count": 40, "parameters": {
      "front.left.rate": {"type": "uniform", "from": 1e4, "to": 9e4}, "bump": {"type": "normal", "mean": 0, "deviation": 0.02}}})",
                                    two_results),
                    types());
  ThreadExecutor alone(1), four(4);
  const std::string by_one = table(study, folder, alone);
  CHECK(by_one == table(study, folder, four));
  CHECK(std::count(by_one.begin(), by_one.end(), '\n') == 41);
  CHECK(by_one.starts_with("variant,front.left.rate [N/m],bump [m],status,heave [m],late [m],message\n0,"));
}

TEST_CASE("an interrupted study keeps what is finished, computes the rest once, and its table is that of one go") {
  const Folder folder;
  // One variant at a time: on lanes, those of a group are finished together.
  const Study study(four_post_study(folder, R"("lanes": false, )" + std::string(grid), two_results), types());
  ThreadExecutor executor(1);
  const std::string expected = table(study, folder, executor);
  std::filesystem::remove(folder.file("table.csv"));

  std::size_t computed = 0;
  for (std::size_t target = 1; target <= 6; ++target) {
    StudyRun run{folder.file("table.csv")};
    std::atomic<bool> enough = false;
    run.show = [&](std::size_t done, std::size_t total) {
      CHECK(total == 6 - (target - 1));
      enough = done == 1;
      ++computed;
    };
    run.proceed = [&] { return !enough; };
    const StudyReport report = run_study(study, run, executor);
    CHECK(report.earlier == target - 1);
    CHECK(report.rows.size() == target);
    CHECK(report.complete == (target == 6));
  }
  CHECK(computed == 6);
  CHECK(folder.read("table.csv") == expected);
  CHECK(folder.names().size() == 2);
}

TEST_CASE("rows read back as they were written, and damaged ones are no rows") {
  const Folder folder;
  const Study study(four_post_study(folder, grid, two_results), types());
  const StudyRow good{3, StudyRow::Status::ok, {0.1, -1.0 / 3}, ""}, bad{5, StudyRow::Status::failed, {}, "at 1 s, \"hinge\" broke"};
  for (const StudyRow& row : {good, bad}) {
    const std::string line = study_line(study, row);
    const auto again = read_study_line(study, line);
    REQUIRE(again);
    CHECK(again->variant == row.variant);
    CHECK(again->results == row.results);
    CHECK(again->message == row.message);
    for (std::size_t size = 0; size < line.size(); ++size) CHECK(!read_study_line(study, line.substr(0, size)));
  }
  CHECK(!read_study_line(study, "3,0.05,1,ok,0,0,\n"));
  CHECK(!read_study_line(study, "77,0.05,2e4,ok,0,0,\n"));
}

TEST_CASE("fingerprints tell studies, models and lists apart, and not where they are or how they are laid out") {
  const Folder folder;
  const auto fingerprint = [&](const std::string& name, const std::string& bump, const std::string& list, const std::string& spaces) {
    folder.write(name + "/model.json", R"({"arthron": 1, "name": "m", "parameters": {"mass": )" + bump + R"(},
      "bodies": {"b": {"mass": "=mass", "com": [0, 0, 0], "inertia": [1, 1, 1]}},
      "joints": {"j": {"type": "free", "parent": "ground", "child": "b", "at": [0, 0, 0]}}})");
    folder.write(name + "/list.csv", list);
    return Study(folder.write(name + "/study.json",
                              R"({"arthron_study": 1, "name": "s", )" + spaces + R"( "model": "model.json", "list": "list.csv"})"),
                 types())
        .fingerprint();
  };
  const std::string first = fingerprint("a", "1", "mass\n1\n", "");
  CHECK(first == fingerprint("b", "1", "mass\n1\n", "\n\n"));
  CHECK(first != fingerprint("c", "2", "mass\n1\n", ""));
  CHECK(first != fingerprint("d", "1", "mass\n2\n", ""));
}

TEST_CASE("the schema of studies takes what the reader takes, and refuses what it refuses") {
  using Json = nlohmann::json;
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  const Json json = Json::parse(study_schema().dump());
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(json), schema);
  const auto accepts = [&](const Json& file) { return valijson::Validator().validate(schema, Adapter(file), nullptr); };

  std::ifstream stream(example("vehicle/ride_study.json"));
  const Json ride = Json::parse(stream);
  CHECK(accepts(ride));
  Json drawn = ride, misspelt = ride, nameless = ride;
  drawn.erase("grid");
  drawn["random"] = {{"count", 3}, {"parameters", {{"car.mass", {{"type", "normal"}, {"mean", 1200}, {"deviation", 100}}}}}};
  CHECK(accepts(drawn));
  drawn["random"]["parameters"]["car.mass"]["type"] = "uniform";
  CHECK(!accepts(drawn));
  misspelt["results"]["comfort"]["take"] = "rmss";
  CHECK(!accepts(misspelt));
  nameless["grid"]["car..mass"] = 3;
  CHECK(!accepts(nameless));
}

TEST_CASE("variants on lanes give the rows of variants one by one, to rounding, and do not depend on who computes what") {
  const Folder folder;
  const std::string model = std::filesystem::relative(example("rope/link.json"), folder.file("")).string();
  const auto swings = [&](const std::string& name, const std::string& more) {
    return Study(folder.write(name, R"({"arthron_study": 1, "name": "swings", "model": ")" + model + "\", " + more + R"(
      "simulate": {"until": 1, "integrator": {"type": "rk4", "step": 1e-3}, "output": {"step": 0.1}},
      "random": {"count": 11, "seed": 3, "parameters": {"length": {"type": "uniform", "from": 0.5, "to": 2}}},
      "results": {"reach": {"channel": "rod.position.z", "take": "min"}}})"),
                 types());
  };
  const Study lanes = swings("lanes.json", ""), alone = swings("alone.json", R"("lanes": false,)");
  REQUIRE(lanes.group_size() == lane_count);
  REQUIRE(alone.group_size() == 1);
  ThreadExecutor one(1), four(4);
  CHECK(table(lanes, folder, one) == table(lanes, folder, four));
  for (std::size_t v = 0; v < lanes.size(); ++v) {
    CAPTURE(v);
    const auto group = lanes.run(v / lane_count), single = alone.run(v);
    REQUIRE(group);
    REQUIRE(single);
    const StudyRow& row = (*group)[v % lane_count];
    REQUIRE(row.status == StudyRow::Status::ok);
    CHECK(row.variant == v);
    CHECK(std::abs(row.results[0] - single->front().results[0]) < 1e-9);
  }
}

TEST_CASE("a car over a bump on lanes: with equal steps its results are those of variants one by one, to rounding") {
  const Folder folder;
  const std::string model = std::filesystem::relative(example("vehicle/bump.json"), folder.file("")).string();
  const auto ride = [&](const std::string& name, const std::string& more) {
    return Study(folder.write(name, R"({"arthron_study": 1, "name": "ride", "model": ")" + model + "\", " + more + R"(
      "simulate": {"until": 0.6, "integrator": {"type": "rk4", "step": 1e-3}, "output": {"step": 0.01}},
      "grid": {"car.front.wheel_damping": [800, 2000], "bump": [0.04, 0.06]},
      "results": {"comfort": {"channel": "car.body.acceleration.z", "take": "rms"},
                  "load": {"channel": "car.front_left.tyre.normal_force", "take": "max"}}})"),
                 types());
  };
  const Study lanes = ride("lanes.json", ""), alone = ride("alone.json", R"("lanes": false,)");
  REQUIRE(lanes.group_size() == lane_count);
  const auto group = lanes.run(0);
  REQUIRE(group);
  for (std::size_t v = 0; v < lanes.size(); ++v) {
    CAPTURE(v);
    const auto single = alone.run(v);
    REQUIRE(single);
    REQUIRE((*group)[v].status == StudyRow::Status::ok);
    for (std::size_t i = 0; i < 2; ++i) CHECK(std::abs((*group)[v].results[i] / single->front().results[i] - 1) < 1e-9);
  }
}
