#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arthron/dynamics/dynamics.hpp"

/// All formulations at one state of a model, against one dense solution of everything at once.
namespace arthron {

/// A formulation and how it eliminates.
struct Way {
  std::string formulation, elimination;
};
/// Every formulation there is but what the state is found with (hdca, elimination as it comes), those that follow the elimination in both
/// ways.
[[nodiscard]] std::vector<Way> other_ways();

/// How far one way is from the truth: differences of body accelerations, joint accelerations, reactions, multipliers of cut joints and
/// rates of internal states, each relative to the largest of its kind, or to gravity and weight where all are smaller.
struct Disagreement {
  Way way;
  Status status;  // not ok: it found nothing, and the differences are infinite
  double accelerations = 0, joint_accelerations = 0, reactions = 0, multipliers = 0, state_rates = 0;
  [[nodiscard]] double largest() const;
};

/// Makes the Plan of a model.
using Planner = std::function<std::shared_ptr<const Plan>(Model)>;

struct Agreement {
  Status status;                   // of finding the state; not ok: nothing was compared
  bool dense = true;               // the truth is the dense solution; else HDCA's, of a model too large for one that is cubic in its size
  std::size_t bodies = 0;          // of the Plan
  std::vector<Disagreement> ways;  // HDCA first where the dense solution is the truth
};

/// Compares at the model's initial state, with some more motion in every joint as far as the loops admit it and other internal states. Ways
/// that are cubic in the size of the model, or lose digits on long light chains, are left out of large models, formulations of models that
/// they object to.
[[nodiscard]] Agreement compare_formulations(Model model, unsigned seed, const Planner& planned);

}  // namespace arthron
