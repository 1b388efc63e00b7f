#include <doctest/doctest.h>

#include "arthron/simulation/run.hpp"
#include "arthron/study/study.hpp"
#include "support/folder.hpp"
#include "support/rope.hpp"

/// Subsystems built by C++ types in runs and in studies. Source of truth: the same model written as files.
using namespace arthron;
using arthron::test::Folder;
using arthron::test::types_with_rope;

namespace {

std::string with(const std::string& first, const std::string& second) {
  return R"({"arthron": 1, "name": "m", "parameters": {"n": 3}, "simulate": {"until": 0.5},
    "subsystems": {"a": {)" +
         first + R"(, "rotation": {"axis": [1, 2, 3], "angle": 0.5}, "connect": {"start": "ground", "pull": "=2 + t"}},
                   "b": {)" +
         second + R"(, "at": "a.end", "mirror": "y", "connect": {"start": "a.end"}}}})";
}

constexpr auto typed = R"("type": "acme/rope", "links": 3, "length": 1.5)", swept = R"("type": "acme/rope", "links": "=n", "length": 1.5)",
               from_file = R"("use": "rope.json")";

std::vector<double> state_after(const Model& model) {
  Simulation simulation(std::make_shared<const Model>(model));
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(0.5).ok());
  std::vector<double> state = simulation.state().q;
  state.insert(state.end(), simulation.state().p.begin(), simulation.state().p.end());
  return state;
}

}  // namespace

TEST_CASE("ropes built in C++ move as those of a file, to the last bit, one on the other and mirrored too") {
  const Folder folder;
  folder.write("rope.json", test::rope_file);
  const std::vector<double> built = state_after(parse_model(with(typed, typed), folder.file("m.json"), types_with_rope()));
  CHECK(built.size() == 12);
  CHECK(built == state_after(parse_model(with(from_file, from_file), folder.file("m.json"), types_with_rope())));
  CHECK(built == state_after(parse_model(with(from_file, typed), folder.file("m.json"), types_with_rope())));
}

TEST_CASE("a study over a type's own numbers builds every variant anew, its structure too") {
  const Folder folder;
  folder.write("m.json", with(swept, typed));
  folder.write("list.csv", "n,b.links,b.mass\n1,2,1\n3,3,0.75\n2,2.5,1\n");
  const std::string file = folder.write("study.json", R"({"arthron_study": 1, "name": "ropes", "model": "m.json",
    "list": "list.csv",
    "results": {"energy": {"channel": "energy.total"}}})");
  const Study study(file, types_with_rope());
  REQUIRE(study.size() == 3);
  std::vector<StudyRow> rows;
  for (std::size_t group = 0; group < study.groups(); ++group) {
    const std::vector<StudyRow> computed = study.run(group).value();
    rows.insert(rows.end(), computed.begin(), computed.end());
  }

  const auto energy = [&](const std::vector<ParameterOverride>& overrides) {
    Simulation simulation(std::make_shared<const Model>(load_model(folder.file("m.json"), types_with_rope(), overrides)));
    ChannelSet channels(simulation.plan(), {{"energy.total", "", ""}});
    double last = 0;
    RunObserver observer;
    observer.row = [&](double, std::span<const double> values) { last = values[0]; };
    REQUIRE(run(simulation, channels, observer).status.ok());
    return last;
  };
  CHECK(rows[0].results.at(0) == energy({{"n", 1}, {"b.links", 2}, {"b.mass", 1}}));
  CHECK(rows[1].results.at(0) == energy({}));
  CHECK(rows[0].results.at(0) != rows[1].results.at(0));
  CHECK(rows[2].status == StudyRow::Status::refused);
  CHECK(rows[2].message.find("whole number") != std::string::npos);
}

TEST_CASE("a study knows when a type of its model builds something else than before") {
  struct HeavierRope : test::Rope {
    static HeavierRope parse(const JsonReader& in) { return {Rope::parse(in)}; }
    void build(SubsystemBuilder& out) const { HeavierRope{{links, length, 2 * mass}}.Rope::build(out); }
  };
  Registry heavier = builtin_registry();
  heavier.add_subsystem<HeavierRope>();
  const Folder folder;
  folder.write("m.json", with(typed, typed));
  const std::string file = folder.write("study.json", R"({"arthron_study": 1, "name": "ropes", "model": "m.json", "grid": {"n": [1, 2]}})");
  const Study study(file, types_with_rope());
  CHECK(study.fingerprint() == Study(file, types_with_rope()).fingerprint());
  CHECK(study.fingerprint() != Study(file, heavier).fingerprint());
}
