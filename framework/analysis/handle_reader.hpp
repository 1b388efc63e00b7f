#pragma once
#include <memory>
#include <string>
#include <vector>

#include "arthron/analysis/handles.hpp"
#include "arthron/dynamics/dynamics.hpp"

namespace arthron {

/// Finds handle equations of a model's subsystems at states that somebody else has found: a Plan that folds and one by subsystems, made
/// when first asked for, with workspaces of their own.
class HandleReader {
 public:
  explicit HandleReader(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  ~HandleReader();

  /// At the state of another Plan of the model, with the inputs that its workspace has.
  [[nodiscard]] Status mounted(const Plan& plan, const State& state, const Workspace& work, int subsystem,
                               std::vector<HandleEquations>& equations);
  [[nodiscard]] Status alone(const Plan& plan, const State& state, const Workspace& work, int subsystem,
                             std::vector<HandleEquations>& equations);

 private:
  struct Way {
    std::shared_ptr<const Plan> plan;
    std::unique_ptr<Workspace> work;
    State state;
  };
  [[nodiscard]] Status evaluate(const char* elimination, const Plan& plan, const State& state, const Workspace& work, Way& way) const;

  std::shared_ptr<const Model> model_;
  Way folded_, modular_;
  std::unique_ptr<MountedHandles> mounted_;  // of folded_
};

/// As JSON: {"t": ..., "subsystems": [...]}, frames, units and ports named.
[[nodiscard]] std::string to_json(const std::vector<HandleEquations>& equations, double t);
/// In words, for looking at.
[[nodiscard]] std::string to_text(const HandleEquations& equations);

}  // namespace arthron
