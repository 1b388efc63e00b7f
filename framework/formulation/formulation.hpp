#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arthron/core/diagnostic.hpp"
#include "arthron/core/status.hpp"

namespace arthron {

struct Plan;
struct Workspace;
struct TaskGraph;

/// Numbers that one formulation alone needs, sized once: Workspace::formulation.
struct FormulationWork {
  FormulationWork() = default;
  FormulationWork(const FormulationWork&) = delete;
  FormulationWork& operator=(const FormulationWork&) = delete;
  virtual ~FormulationWork() = default;
};

/// A way to write and solve the equations of motion: what is integrated, and how its rates are found. Kinematics, loads and right-hand
/// sides are shared by all (framework/dynamics). Readers of JSON, the command line, `check`, reports and comparisons ask this interface and
/// the list below, so that a formulation joins them all by being in the list.
class Formulation {
 public:
  /// `name` as JSON and the command line have it, `summary` for who has to choose.
  Formulation(std::string_view name, std::string_view summary) : name_(name), summary_(summary) {}
  Formulation(const Formulation&) = delete;
  Formulation& operator=(const Formulation&) = delete;
  virtual ~Formulation() = default;

  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] std::string_view summary() const { return summary_; }

  /// What is integrated behind the coordinates q. True: the momenta p of the joints, which hold the impulses of the cut joints since
  /// re-anchoring; velocities follow from them by framework/dynamics and always fit the closures. False: the velocities u, which fit them
  /// no better than they are integrated.
  [[nodiscard]] virtual bool integrates_momenta() const = 0;
  /// The one to integrate velocities with where momenta would be a bad state; null: there is none, or no need of one.
  [[nodiscard]] virtual const Formulation* with_velocities() const { return nullptr; }

  /// Whether the settings' elimination, folding or pairing, says how it eliminates.
  [[nodiscard]] virtual bool follows_elimination() const { return false; }
  /// What of a model it cannot compute; nothing where it can. Models with such mistakes are refused.
  [[nodiscard]] virtual std::vector<Diagnostic> objections(const Plan&) const { return {}; }
  /// Whether an evaluation of this Plan takes a time that grows with the third power of its size: comparisons leave it out of large models.
  [[nodiscard]] virtual bool is_cubic(const Plan&) const { return false; }

  /// How it computes a Plan, in a line; more below what else `check` says, in whole lines.
  [[nodiscard]] virtual std::string describe(const Plan& plan) const = 0;
  [[nodiscard]] virtual std::string details(const Plan&) const { return ""; }

  /// Called once for each Workspace.
  [[nodiscard]] virtual std::unique_ptr<FormulationWork> make_work(const Plan&) const { return nullptr; }

  /// (t, q, p) -> (qdot, pdot), with u for p where velocities are integrated. Allocates nothing, throws nothing.
  [[nodiscard]] virtual Status rates(const Plan& plan, double t, const double* q, const double* p, double* qdot, double* pdot,
                                     Workspace& work) const = 0;
  /// The same state with all that observe.hpp reads: accelerations, reactions, momenta, freedoms of the cut joints.
  [[nodiscard]] virtual Status observe(const Plan& plan, double t, const double* q, const double* p, Workspace& work) const = 0;
  /// The tasks of rates() that workers may share; null where it runs on one.
  [[nodiscard]] virtual const TaskGraph* tasks(const Workspace&) const { return nullptr; }

 private:
  std::string_view name_, summary_;
};

/// All there are, the default first.
[[nodiscard]] std::span<const std::unique_ptr<const Formulation>> formulations();
[[nodiscard]] std::vector<std::string> formulation_names();
/// Null when unknown.
[[nodiscard]] const Formulation* find_formulation(std::string_view name);
/// Throws InternalError when unknown.
[[nodiscard]] const Formulation& formulation_named(std::string_view name);

/// Adds one to the list, before anything else is done: readers take no lock. Throws InternalError when its name is taken.
void add_formulation(std::unique_ptr<const Formulation> formulation);

/// Those of framework/formulations, with which the list begins.
[[nodiscard]] std::vector<std::unique_ptr<const Formulation>> builtin_formulations();

}  // namespace arthron
