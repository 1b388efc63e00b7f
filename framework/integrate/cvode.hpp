#pragma once
#include "arthron/integrate/integrator.hpp"

/// SUNDIALS CVODE as an Integrator; exists only in builds with ARTHRON_HAS_SUNDIALS.
namespace arthron {

/// Variable-order Adams with functional iteration.
[[nodiscard]] std::unique_ptr<Integrator> make_adams(const IntegratorSettings& settings, const IntegratorLimits& limits, Ode& ode);
/// Variable-order BDF with Newton iteration: dense difference-quotient Jacobian up to 300 states, matrix-free GMRES above.
[[nodiscard]] std::unique_ptr<Integrator> make_bdf(const IntegratorSettings& settings, const IntegratorLimits& limits, Ode& ode);

}  // namespace arthron
