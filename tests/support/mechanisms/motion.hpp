#pragma once
#include <functional>
#include <string>
#include <vector>

#include "arthron/simulation/examine_loops.hpp"
#include "arthron/simulation/run.hpp"
#include "support/mechanisms/mechanism.hpp"

namespace arthron::test {

/// Place and motion of a body in one row, world axes.
struct BodyRow {
  Vector x, v, w, a, alpha;  // of the mass centre; accelerations where they were asked for
  Matrix R;
};

/// A run: its rows, or why there are none.
struct Motion {
  std::string failure;  // empty: none
  RunSummary summary;
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
  std::map<std::string, std::size_t> columns;
  LoopReport loops;
  std::map<std::string, Vector> reaction_places;  // on the child of a joint, at the drawn position

  [[nodiscard]] bool ok() const { return failure.empty(); }
  [[nodiscard]] double value(std::size_t row, const std::string& column) const { return rows[row][columns.at(column)]; }
  /// The columns of a channel in one row: "j3.position", "j3.position.1" and so on.
  [[nodiscard]] std::vector<double> values(std::size_t row, const std::string& channel) const;
  [[nodiscard]] Vector vector(std::size_t row, const std::string& channel) const;
  [[nodiscard]] BodyRow body(std::size_t row, const std::string& path, bool accelerations = false) const;

 private:
  mutable std::map<std::string, std::vector<std::size_t>> groups_;
};

/// Settings of a run that differ from the defaults, merged into "simulate".
struct How {
  Json simulate = Json::object();
  std::vector<std::string> channels;
  bool examine_loops = false;
  bool fine_grain = false;  // divides even small models among workers
  long max_steps = 20000;
};

/// The model with these settings, as a file that `arthron run` reads.
[[nodiscard]] Json with_settings(Json model, const How& how);

/// Runs a model from its definition. No exception leaves.
[[nodiscard]] Motion move(const Registry& types, const Json& model, const How& how);

}  // namespace arthron::test
