#pragma once
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "arthron/simulation/run.hpp"

namespace arthron::test {

/// A whole run and the channels it was asked for, row by row.
struct Rows {
  RunSummary summary;
  std::vector<std::vector<double>> values;
};

inline Rows rows_of(std::shared_ptr<const Model> model, const std::vector<std::string>& paths) {
  Simulation simulation(std::move(model));
  std::vector<ChannelRequest> requests;
  for (const std::string& path : paths) requests.push_back({path, "", ""});
  ChannelSet channels(simulation.plan(), requests);
  Rows rows;
  rows.summary =
      run(simulation, channels, {[&](double, std::span<const double> row) { rows.values.emplace_back(row.begin(), row.end()); }, {}});
  REQUIRE(rows.summary.status.ok());
  return rows;
}

inline Rows rows_of(Model model, const std::vector<std::string>& paths) {
  return rows_of(std::make_shared<const Model>(std::move(model)), paths);
}

}  // namespace arthron::test
