#include "arthron/simulation/state_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arthron/component/author_code.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/dynamics/momentum_sizes.hpp"
#include "arthron/dynamics/uneven_loops.hpp"
#include "arthron/dynamics/velocity_state.hpp"
#include "arthron/integrate/integrator.hpp"
#include "arthron/simulation/plan_ode.hpp"

namespace arthron {
namespace {

bool is_symplectic(const IntegratorSettings& settings) { return settings.type == "implicit_midpoint" || settings.type == "gauss4"; }

/// So many times as many steps may momenta take.
constexpr double tolerated = 1.5;

/// The method that is tried: of methods with fixed steps the errors are as much larger as those of this one, and what methods with a
/// history do first says little.
IntegratorSettings tried_method(const IntegratorSettings& settings) {
  IntegratorSettings tried = settings;
  if (settings.type != "bs32" && settings.type != "dopri8" && settings.type != "rkf78") tried.type = "dopri5";
  return tried;
}

/// r above.
int order_of_estimate(const std::string& type) { return type == "bs32" ? 3 : type == "dopri5" ? 5 : 8; }

/// What fixed steps, which have no tolerance, keep.
double relative_tolerance(const IntegratorSettings& settings) {
  constexpr double of_fixed_steps = 1e-10;
  const std::vector<IntegratorType>& types = integrator_types();
  const bool fixed =
      std::any_of(types.begin(), types.end(), [&](const IntegratorType& type) { return type.fixed_step && type.name == settings.type; });
  return fixed ? of_fixed_steps : settings.relative_tolerance;
}

/// Simulated time that an evaluation brings, over the first steps of a motion from rest [s]; 0 where it fails, or tries steps in vain.
double time_per_evaluation(const Plan& plan, const State& at_rest, const IntegratorSettings& method) {
  constexpr int steps = 8, tries = 64;
  const SimulationSettings& settings = plan.model->simulation;
  const std::unique_ptr<Workspace> work = make_workspace(plan);
  work->x = at_rest.x;
  PlanOde ode(plan, *work,
              {settings.loops.reanchor, settings.loops.project, settings.loops.tolerance, false, method.absolute_tolerance,
               method.relative_tolerance});
  const std::unique_ptr<Integrator> integrator = make_integrator(method, {.max_steps = tries}, ode);
  State state = at_rest;
  if (!plan.formulation->integrates_momenta() &&
      !velocities_of_momenta(plan, 0, at_rest.q.data(), at_rest.p.data(), state.p.data(), *work).ok())
    return 0;
  std::copy(state.q.begin(), state.q.end(), work->q.begin());
  ode.start_cuts(0);
  std::vector<double> y;
  ode.write(state, y);
  Status status = integrator->start(0, y);
  for (int i = 0; i < steps && status.ok(); ++i) status = integrator->step(std::numeric_limits<double>::infinity());
  return status.ok() ? integrator->time() / static_cast<double>(integrator->statistics().evaluations) : 0;
}

/// What leverage may become where a body hangs on one far lighter, or a loop holds one: however firmly joints hold them at the start, they
/// may come loose, and what closes a loop pushes the light ones as hard as the heavy ones.
double leverage_of_masses(const Plan& plan, const Workspace& work) {
  double most = 0;
  if (!plan.closures.empty()) {
    if (const auto& uneven = work.closures->uneven) most = *std::max_element(uneven->factor.begin(), uneven->factor.end());
    return most;
  }
  std::vector<double> lightest(plan.bodies.size(), std::numeric_limits<double>::infinity());  // per body, of it and those it hangs on
  for (std::size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const double mass = plan.bodies[b].mass, on = lightest[plan.bodies[b].parent];
    most = std::max(most, mass / on);
    lightest[b] = mass > 0 ? std::min(mass, on) : on;
  }
  return most;
}

/// Whether velocities are the better state; `plan` is left with one formulation or the other.
bool go_farther(Plan& plan, const Formulation& velocities, const State& at_rest) {
  const IntegratorSettings method = tried_method(plan.model->simulation.integrator);
  const double of_momenta = time_per_evaluation(plan, at_rest, method);
  plan.formulation = &velocities;
  return time_per_evaluation(plan, at_rest, method) > tolerated * of_momenta;
}

/// The same before anything is tried.
bool are_better(Plan& plan, const Formulation& velocities) {
  // Symplectic methods solve the equations of a step to 1e-9 at least, or give up: rounding itself has to be below that.
  constexpr double few = 4, of_symplectic_steps = 1e-9;
  const std::unique_ptr<Workspace> work = make_workspace(plan);
  State state;
  if (!initial_state(plan, *work, state).ok()) return false;
  const std::vector<double> at_rest(state.p.size(), 0.0);
  if (!momenta_of_velocities(plan, 0, state.q.data(), at_rest.data(), state.p.data(), *work).ok()) return false;
  if (!solve_velocities(plan, 0, state.q.data(), state.p.data(), *work).ok()) return false;
  const double leverage = momentum_leverage(plan, *work), possible = std::max(leverage, leverage_of_masses(plan, *work));
  const IntegratorSettings& settings = plan.model->simulation.integrator;
  const auto rounding = [&](double of) { return few * std::numeric_limits<double>::epsilon() * of; };
  if (is_symplectic(settings)) return std::numeric_limits<double>::epsilon() * possible > of_symplectic_steps;
  if (rounding(possible) > relative_tolerance(settings)) return true;
  const double noticed = std::pow(tolerated, order_of_estimate(tried_method(settings).type));
  const bool carried_along = std::any_of(plan.ground.begin(), plan.ground.end(), [](const PlanGround& ground) { return ground.motion; });
  if (carried_along && settings.relative_tolerance * speed_of_momenta(plan, *work) > noticed * settings.absolute_tolerance) return true;
  if (leverage <= noticed) return false;
  return go_farther(plan, velocities, state);
}

}  // namespace

void choose_state(Plan& plan) {
  const Formulation *const own = plan.formulation, *const velocities = own->with_velocities();
  // Pairs leave no factors to find the leverage from.
  if (!velocities || plan.elimination != Elimination::fold) return;
  bool better = false;
  try {
    better = are_better(plan, *velocities);
  } catch (const ComponentError&) {  // thrown again when the simulation starts
  }
  plan.formulation = better ? velocities : own;
}

}  // namespace arthron
