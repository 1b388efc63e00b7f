#pragma once
#include <memory>
#include <string>
#include <vector>

#include "arthron/authoring/random_keys.hpp"
#include "arthron/component/registry.hpp"
#include "arthron/model/model.hpp"

namespace arthron {

/// A force as a model has it, and what to say of where it is from.
struct ForceInstance {
  std::string words;  // its keys, or its path in a model
  Force force;
};

/// A force with the given keys between bodies b0, b1, b2 and the ground "shaker". Throws ModelError.
[[nodiscard]] ForceInstance force_with_keys(const Registry& registry, nlohmann::ordered_json keys,
                                            const nlohmann::ordered_json& road = nlohmann::ordered_json::object());

/// One force in a batch of its own at chosen states of its handles, drawn in a file that `placement` lays into space.
class SingleForce {
 public:
  using States = std::vector<HandleState>;

  explicit SingleForce(const ForceInstance& from, const Placement& placement = {});

  [[nodiscard]] std::size_t handles() const { return definition.handles().size(); }
  /// Handles near where they are drawn or near the origin, by chance; turned, and moving.
  [[nodiscard]] States random_states(RandomKeys& random) const;
  /// What the force writes, NaN where it writes nothing.
  struct Answer {
    std::vector<Spatial6> wrenches;  // on the handles
    std::vector<double> xdot;        // rates of the internal states
    std::vector<double> measured;
    double energy;
  };
  [[nodiscard]] Answer answer(double t, const States& states) const { return answer(t, states, x); }
  [[nodiscard]] Answer answer(double t, const States& states, const std::vector<double>& internal) const;
  /// "with {...} at t = ..., positions [...], rotation vectors [...], velocities [...]"
  [[nodiscard]] std::string words(double t, const States& states) const;

  const ForceInstance& instance;
  const ForceDefinition& definition;
  std::unique_ptr<ForceBatch> batch;
  std::vector<double> x;  // internal states, somewhat off those at the start
};

/// The handle displaced by a distance along a direction, and turned about itself.
[[nodiscard]] HandleState displaced(const HandleState& handle, const Spatial6& displacement);

}  // namespace arthron
