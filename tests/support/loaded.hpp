#pragma once
#include <memory>
#include <string>

#include "arthron/components/builtins.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/model/load.hpp"

namespace arthron::test {

inline const Registry& builtins() {
  static const Registry registry = builtin_registry();
  return registry;
}

/// Divides even small models: parts of a few bodies, joined wherever they can be.
inline constexpr Grain fine_grain{300, 0};

/// A model compiled and put into its initial state.
struct Loaded {
  std::shared_ptr<const Plan> plan;
  std::unique_ptr<Workspace> work;
  State state;

  explicit Loaded(Model model, const Grain& grain = {})
      : plan(compile(std::make_shared<const Model>(std::move(model)), grain)), work(make_workspace(*plan)) {
    if (!initial_state(*plan, *work, state).ok()) throw std::runtime_error("no initial state");
  }
  static Loaded text(const std::string& json, const std::string& elimination = "fold", const Grain& grain = {}) {
    Model model = parse_model(json, "test.json", builtins());
    model.simulation.elimination = elimination;
    return Loaded(std::move(model), grain);
  }

  Status evaluate(double t, const double* q, const double* p, double* qdot, double* pdot) {
    return arthron::evaluate(*plan, t, q, p, qdot, pdot, *work);
  }
  Status accelerate() { return evaluate_accelerations(*plan, state.t, state.q.data(), state.p.data(), *work); }
};

}  // namespace arthron::test
