#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"

using namespace arthron;

namespace {

/// Rows of a reference solution: t and the columns after it. tests/data/README.md tells where each comes from.
std::vector<std::vector<double>> reference(const std::string& name) {
  std::ifstream file(std::string(ARTHRON_SOURCE_DIR "/tests/data/") + name);
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    rows.push_back(row);
  }
  REQUIRE_FALSE(rows.empty());
  return rows;
}

/// Largest error of the tip's position so far, at the times asked for.
std::vector<double> tip_errors(const char* integrator, double tolerance, const std::vector<double>& times) {
  static const Registry registry = builtin_registry();
  Model model = load_model(ARTHRON_SOURCE_DIR "/examples/pendulum16/pendulum16.json", registry);
  model.simulation.integrator = {integrator, tolerance, tolerance};
  Simulation simulation(std::make_shared<const Model>(std::move(model)));
  REQUIRE(simulation.start().ok());
  const auto tip = std::find_if(simulation.model().markers.begin(), simulation.model().markers.end(), [](const Marker& marker) { return marker.path == "tip"; });
  REQUIRE(tip != simulation.model().markers.end());
  std::vector<double> errors;
  double worst = 0;
  for (const auto& row : reference("pendulum16.csv")) {
    REQUIRE(simulation.advance_to(row[0]).ok());
    REQUIRE(simulation.observe().ok());
    const Vec3 position = marker_state(simulation.plan(), simulation.workspace(), static_cast<int>(tip - simulation.model().markers.begin())).position;
    worst = std::max({worst, std::abs(position.x - row[1]), std::abs(position.y - row[2])});
    if (std::find(times.begin(), times.end(), row[0]) != times.end()) errors.push_back(worst);
  }
  return errors;
}

}  // namespace

TEST_CASE("16-link pendulum against the quadruple-precision reference: the tip within 1e-8 m over 5 s and 2e-6 m over 10 s at tolerance 1e-12") {
  for (const char* integrator : {"dopri5", "rkf78"}) {
    CAPTURE(integrator);
    const auto errors = tip_errors(integrator, 1e-12, {5, 10});
    REQUIRE(errors.size() == 2);
    CHECK(errors[0] < 1e-8);
    CHECK(errors[1] < 2e-6);
  }
}
