#pragma once
#include <cmath>
#include <string>

#include "arthron/simulation/run.hpp"
#include "support/loaded.hpp"

namespace arthron::test {

/// A point mass of 2 kg, 0.5 m below a hinge about y, let go at 2 rad. The body's own inertia is that of a dust grain.
inline constexpr auto pendulum = R"json({
  "arthron": 1, "name": "pendulum",
  "bodies": { "rod": { "mass": 2, "com": [0, 0, -0.5], "inertia": [1e-12, 1e-12, 1e-12] } },
  "joints": { "hinge": { "type": "revolute", "parent": "ground", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0], "initial": { "position": 2 } } },
  "markers": { "tip": { "body": "rod", "at": [0, 0, -0.5] } } })json";

inline constexpr auto double_pendulum = R"json({
  "arthron": 1, "name": "double pendulum",
  "bodies": { "upper": { "mass": 1, "com": [0.5, 0, 0], "inertia": [0.01, 0.1, 0.1] },
              "lower": { "mass": 2, "com": [1.5, 0, 0], "inertia": [0.01, 0.2, 0.2] } },
  "joints": { "shoulder": { "type": "revolute", "parent": "ground", "child": "upper", "at": [0, 0, 0], "axis": [0, 1, 0] },
              "elbow": { "type": "revolute", "parent": "upper", "child": "lower", "at": [1, 0, 0], "axis": [0, 1, 0] } } })json";

/// A body tumbling without forces, started about its middle axis.
inline constexpr auto tumbling = R"json({
  "arthron": 1, "name": "tumbling", "gravity": [0, 0, 0],
  "bodies": { "box": { "mass": 1, "com": [0, 0, 0], "inertia": [1, 2, 3] } },
  "joints": { "float": { "type": "free", "parent": "ground", "child": "box", "at": [0, 0, 0],
                         "initial": { "velocity": [0, 0, 0, 0.01, 3, 0.01] } } } })json";

inline std::shared_ptr<const Model> model_of(const std::string& text, const std::function<void(SimulationSettings&)>& change = {}) {
  Model model = parse_model(text, "test.json", builtins());
  if (change) change(model.simulation);
  return std::make_shared<const Model>(std::move(model));
}

/// Integrated as closely as rounding leaves sense in.
inline Simulation tight(const std::string& text, double until) {
  return Simulation(model_of(text, [&](SimulationSettings& s) { s.until = until, s.integrator = {"dopri5", 1e-11, 1e-11, 1e-3}; }));
}

}  // namespace arthron::test
