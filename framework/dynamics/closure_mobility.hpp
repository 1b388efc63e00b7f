#pragma once
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/multiplier_system.hpp"

/// Scales against which the rows of a closure are small. The trace of its Gamma = J Mq^-1 J^T is no such scale where every row is
/// redundant, as those of a second hinge on one axis are: then it is rounding itself.
namespace arthron {

/// Length with which rotation rows are measured, so that rows of both kinds weigh alike: the radius of gyration of the bodies a cut joins.
[[nodiscard]] double length_scale(const Plan& plan, const PlanClosure& closure);
/// Trace of D^T M^-1 D of the cut's bodies, if nothing held them: tree joints and other closures only take from it. 0 for a coupling,
/// whose terms do not cancel; infinite for a body without mass. Large where inertias are small: a hint that a trace may be rounding, no
/// proof. With masses times the factor of each body, if given.
[[nodiscard]] double mobility_of_free_bodies(const Plan& plan, const PlanClosure& closure, double scale,
                                             std::span<const double> factor = {});

/// A trace above this part of what free bodies would have is far from rounding.
inline constexpr double surely_mobile = 1e-6;

/// Whether no row of a closure with a small trace says anything that tree joints and closures below do not say already: no free column
/// moves the cut in its constrained directions, or the trace is the rounding of what other closures took.
[[nodiscard]] bool is_redundant(const Plan& plan, std::size_t closure, double trace, const Workspace& work);

/// The same for any trace, beside that of free bodies.
[[nodiscard]] inline bool adds_nothing(const Plan& plan, std::size_t closure, double trace, double free_mobility, const Workspace& work) {
  return !(trace > surely_mobile * free_mobility) && is_redundant(plan, closure, trace, work);
}

/// Clears the diagonal block of a closure that adds nothing, and tells so.
bool clear_if_redundant(const Plan& plan, std::size_t closure, const MultiplierSystem::Place& block, const Workspace& work);

}  // namespace arthron
