#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"

/// Examples against the solutions of tests/data, whose README tells where each comes from.
namespace arthron::test {

/// Rows of a reference solution: t and the columns after it.
inline std::vector<std::vector<double>> reference(const std::string& example) {
  std::ifstream file(ARTHRON_SOURCE_DIR "/tests/data/" + example + ".csv");
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

/// A marker, and where in the rows its coordinates begin.
struct Followed {
  std::string marker;
  std::size_t column = 1;
  std::size_t coordinates = 2;
};

inline int marker_index(const Model& model, const std::string& path) {
  const auto found = std::find_if(model.markers.begin(), model.markers.end(), [&](const Marker& marker) { return marker.path == path; });
  REQUIRE(found != model.markers.end());
  return static_cast<int>(found - model.markers.begin());
}

inline Model example_model(const std::string& example) {
  static const Registry registry = builtin_registry();
  return load_model(ARTHRON_SOURCE_DIR "/examples/" + example + "/" + example + ".json", registry);
}

/// Largest error so far of a marker's coordinates, at each of the rising `times` [m].
inline std::vector<double> position_errors(const std::string& example, const IntegratorSettings& integrator, const Followed& followed,
                                           const std::vector<double>& times, std::string_view formulation = "hdca") {
  Model model = example_model(example);
  model.simulation.integrator = integrator;
  model.simulation.formulation = formulation;
  Simulation simulation(std::make_shared<const Model>(std::move(model)));
  const int marker = marker_index(simulation.model(), followed.marker);
  REQUIRE(simulation.start().ok());
  std::vector<double> errors;
  double worst = 0;
  for (const auto& row : reference(example)) {
    if (errors.size() == times.size()) break;
    REQUIRE(simulation.advance_to(row[0]).ok());
    REQUIRE(simulation.observe().ok());
    const Vec3 position = marker_state(simulation.plan(), simulation.workspace(), marker).position;
    const double coordinates[] = {position.x, position.y, position.z};
    for (std::size_t i = 0; i < followed.coordinates; ++i) {
      const double error = std::abs(coordinates[i] - row[followed.column + i]);
      REQUIRE(std::isfinite(error));
      worst = std::max(worst, error);
    }
    if (row[0] == times[errors.size()]) errors.push_back(worst);
  }
  REQUIRE(errors.size() == times.size());
  return errors;
}

}  // namespace arthron::test
