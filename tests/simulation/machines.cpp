#include <doctest/doctest.h>

#include <cmath>

#include "arthron/simulation/examine_loops.hpp"
#include "arthron/simulation/run.hpp"
#include "support/loaded.hpp"
#include "support/rows.hpp"

/// The machines of the subsystem-multiplier paper.
using namespace arthron;
using arthron::test::Rows;
using arthron::test::rows_of;

namespace {

std::shared_ptr<const Model> machine(const std::string& name, double until, double tolerance,
                                     const std::vector<ParameterOverride>& parameters = {}) {
  Model model = load_model(std::string(ARTHRON_SOURCE_DIR "/examples/") + name + '/' + name + ".json", test::builtins(), parameters);
  model.simulation.until = until;
  model.simulation.integrator = {"dopri5", tolerance, tolerance};
  return std::make_shared<const Model>(std::move(model));
}

LoopReport report_of(const std::string& name) {
  Simulation simulation(machine(name, 1, 1e-6));
  REQUIRE(simulation.start().ok());
  return examine_loops(simulation);
}

/// Energy of a free run stays within a hundred times the tolerance of the energies that are exchanged.
void check_free_run(const std::shared_ptr<const Model>& model, double exchanged) {
  const Rows rows = rows_of(model, {"energy.kinetic", "energy.total"});
  double kinetic = 0, drift = 0;
  for (const auto& row : rows.values) {
    kinetic = std::fmax(kinetic, row[0]);
    drift = std::fmax(drift, std::abs(row[1] - rows.values.front()[1]));
  }
  CHECK(kinetic > exchanged);
  CHECK(drift < 100 * model->simulation.integrator.relative_tolerance * kinetic);
  // Velocities are solved for, so closures hold to rounding; positions are projected to it.
  CHECK(rows.summary.loop_opening_rate < 1e-11);
  CHECK(rows.summary.loop_opening < 1e-12);
}

}  // namespace

TEST_CASE("degrees of freedom of the paper's machines, and three redundant directions in each planar loop of spatial hinges") {
  const std::pair<const char*, int> machines[] = {{"carpet_scraper", 1}, {"three_rrr", 3}, {"excavator", 3}};
  for (const auto& [name, freedom] : machines) {
    CAPTURE(name);
    const LoopReport report = report_of(name);
    CHECK(report.positions >= 4);
    CHECK(report.freedom == freedom);
    CHECK(report.freedom_as_assembled == freedom);
    for (const std::string& remark : report.remarks)
      CHECK(remark ==
            "3 of 5 closure directions are redundant: translation z, rotations x and y (axes of the file); their reactions are not unique, "
            "the "
            "smallest are reported");
  }
}

TEST_CASE("the machines conserve energy and stay closed") {
  check_free_run(machine("carpet_scraper", 2, 1e-8), 1);
  check_free_run(machine("three_rrr", 1, 1e-8), 1);
  check_free_run(machine("excavator", 1, 1e-8, {{"damping", 0}, {"boom_stroke", 0}, {"stick_stroke", 0}, {"bucket_stroke", 0}}), 100);
}

TEST_CASE("carpet scraper: the pantograph enlarges the coupler's path 3.5 times, and its crank starts with the velocity it is given") {
  const Rows rows = rows_of(machine("carpet_scraper", 2, 1e-8), {"P9.position", "scraper.position", "j1.velocity"});
  const double pivot[] = {0.0895, 0.41};
  for (const auto& row : rows.values)
    for (std::size_t i = 0; i < 2; ++i) CHECK(std::abs(row[3 + i] - pivot[i] - 3.5 * (row[i] - pivot[i])) < 1e-8);
  CHECK(rows.values.front()[6] == doctest::Approx(4.7124).epsilon(1e-12));
}

TEST_CASE("excavator: the parallelogram of boom and rocker keeps the bell crank from turning") {
  double moved = 0;
  const Rows rows = rows_of(machine("excavator", 4, 1e-6), {"bellcrank.orientation", "boom.orientation"});
  for (const auto& row : rows.values) {
    CHECK(std::abs(row[3]) < 1e-7);
    moved = std::fmax(moved, std::abs(row[7]));
  }
  CHECK(moved > 0.05);
}
