#include "arthron/authoring/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/dense_oracle.hpp"

namespace arthron {

namespace {

/// All in the Model's order: plans number bodies and closures each in its own way.
struct Found {
  std::vector<Spatial6> A, F;  // of the moving bodies
  std::vector<double> udot, sigma;
  std::vector<double> xdot;  // of internal states
};

/// `sigma`: rows of the plan's closures, one behind the other.
template <class PerBody>
Found in_order(const Plan& plan, const PerBody& A, const PerBody& F, const std::vector<double>& udot, const std::vector<double>& sigma,
               std::vector<double> xdot) {
  Found result;
  result.xdot = std::move(xdot);
  for (const int b : plan.body_of)
    if (b >= plan.grounds) result.A.push_back(A[b]), result.F.push_back(F[b]);
  for (const PlanJoint& joint : plan.joints)
    result.udot.insert(result.udot.end(), udot.begin() + joint.u, udot.begin() + joint.u + joint.nu);
  std::vector<int> first{0};
  for (const PlanClosure& closure : plan.closures) first.push_back(first.back() + closure.rows);
  const auto add = [&](int c) { result.sigma.insert(result.sigma.end(), sigma.begin() + first[c], sigma.begin() + first[c + 1]); };
  for (const PlanJoint& joint : plan.joints)
    if (joint.closure >= 0) add(joint.closure);
  for (int c = plan.cuts; c < std::ssize(plan.closures); ++c) add(c);
  return result;
}

Found found(const Plan& plan, const Workspace& work) {
  std::vector<double> sigma, xdot;
  for (const PlanForce& force : plan.forces)
    xdot.insert(xdot.end(), work.xdot.begin() + force.states.first, work.xdot.begin() + force.states.last);
  for (std::size_t c = 0; c < plan.closures.size(); ++c)
    for (int r = 0; r < plan.closures[c].rows; ++r) sigma.push_back(work.closures->cuts[c].sigma[r]);
  return in_order(plan, work.A, work.F, work.udot, sigma, std::move(xdot));
}

/// The oracle takes the loads as they are, and knows nothing of internal states.
Found found(const Plan& plan, const DenseSolution& dense, std::vector<double> xdot) {
  return in_order(plan, dense.A, dense.F, dense.udot, dense.sigma, std::move(xdot));
}

double size(double a) { return std::abs(a); }
double size(const Spatial6& a) { return norm(a.linear) + norm(a.angular); }

/// Like std::max, but a NaN wins and stays.
void raise(double& worst, double value) {
  if (!(value <= worst)) worst = value;
}

template <class Number>
double difference(const std::vector<Number>& expected, const std::vector<Number>& values, double least) {
  if (expected.size() != values.size()) return std::numeric_limits<double>::infinity();
  double worst = 0, scale = least;
  for (std::size_t i = 0; i < values.size(); ++i) raise(worst, size(expected[i] - values[i])), raise(scale, size(expected[i]));
  return worst / scale;
}

Disagreement compare(const Plan& plan, const Way& way, const Found& truth, const Found& values) {
  const double gravity = std::max(norm(plan.model->gravity), 1.0);
  double mass = 1e-9;
  for (const PlanBody& body : plan.bodies) mass += body.mass;
  return {way,
          {},
          difference(truth.A, values.A, gravity),
          difference(truth.udot, values.udot, gravity),
          difference(truth.F, values.F, mass * gravity),
          difference(truth.sigma, values.sigma, mass * gravity),
          difference(truth.xdot, values.xdot, 1)};
}

/// Internal states that are none of the initial ones, by their place in the model whatever the plan.
void stir(const Plan& plan, Workspace& work) {
  for (std::size_t f = 0; f < plan.forces.size(); ++f)
    for (int i = plan.forces[f].states.first; i < plan.forces[f].states.last; ++i)
      work.x[i] += 0.4 * std::sin(1.7 * static_cast<double>(f) + i - plan.forces[f].states.first);
}

Status moving_state(const Plan& plan, unsigned seed, Workspace& work, State& state) {
  std::vector<JointStart> starts;
  for (const Joint& joint : plan.model->joints) {
    starts.push_back({joint.initial_position, joint.initial_velocity, {}, joint.keep});
    std::vector<double>& velocity = starts.back().velocity;
    velocity.resize(joint.definition->type().nu(), 0);
    for (std::size_t i = 0; i < velocity.size() && joint.motion.empty(); ++i)
      velocity[i] += 0.5 * std::sin(3.0 * static_cast<double>(starts.size()) + 0.7 * static_cast<double>(i) + seed);
  }
  return assemble(plan, starts, 0, work, state);
}

/// Coordinates, and momenta or velocities, of free joints as another plan numbers them.
void renumber(const Plan& from, const std::vector<double>& q, const std::vector<double>& rates, const Plan& to, State& state) {
  state.q.resize(to.nq), state.p.resize(to.nu);
  for (std::size_t j = 0; j < to.joints.size(); ++j) {
    const PlanJoint &there = from.joints[j], &here = to.joints[j];
    if (here.closure >= 0 || here.driven) continue;
    std::copy_n(q.begin() + there.q, here.nq, state.q.begin() + here.q);
    std::copy_n(rates.begin() + there.u, here.nu, state.p.begin() + here.u);
  }
}

/// The state of another plan of the same model, whose velocities are `u`.
Status evaluate_in(const Plan& plan, const Plan& from, const State& state, const std::vector<double>& u, Workspace& work) {
  State start;
  if (const Status status = initial_state(plan, work, start); !status.ok()) return status;
  stir(plan, work);
  renumber(from, state.q, plan.formulation->integrates_momenta() ? state.p : u, plan, start);
  return plan.formulation->observe(plan, 0, start.q.data(), start.p.data(), work);
}

}  // namespace

std::vector<Way> other_ways() {
  std::vector<Way> list;
  for (const auto& formulation : formulations())
    if (formulation->follows_elimination())
      for (const char* elimination : {"pair", "modular"}) list.push_back({std::string(formulation->name()), elimination});
  for (const auto& formulation : formulations())
    if (formulation != formulations().front()) list.push_back({std::string(formulation->name()), "auto"});
  return list;
}

double Disagreement::largest() const {
  double worst = accelerations;
  raise(worst, joint_accelerations), raise(worst, reactions), raise(worst, multipliers), raise(worst, state_rates);
  return worst;
}

Agreement compare_formulations(Model model, unsigned seed, const Planner& planned) {
  const std::shared_ptr<const Plan> plan = planned(model);
  const std::unique_ptr<Workspace> work = make_workspace(*plan);
  Agreement agreement;
  agreement.bodies = plan->bodies.size();
  State state;
  agreement.status = moving_state(*plan, seed, *work, state);
  stir(*plan, *work);
  if (agreement.status.ok()) agreement.status = evaluate_accelerations(*plan, 0, state.q.data(), state.p.data(), *work);
  if (!agreement.status.ok()) return agreement;

  constexpr std::size_t most_bodies = 80;
  const bool large = plan->bodies.size() > most_bodies;
  agreement.dense = !large;
  Found truth = found(*plan, *work);
  if (!large) {
    const Found oracle = found(*plan, dense_accelerations(*plan, *work), truth.xdot);
    agreement.ways.push_back(compare(*plan, {"hdca", model.simulation.elimination}, oracle, truth));
    truth = oracle;
  }
  for (const Way& way : other_ways()) {
    const Formulation& formulation = formulation_named(way.formulation);
    if ((large && formulation.is_cubic(*plan)) || !formulation.objections(*plan).empty()) continue;
    if (way.elimination == "pair" && large) continue;
    model.simulation.formulation = way.formulation;
    model.simulation.elimination = way.elimination;
    const std::shared_ptr<const Plan> own_plan = planned(model);
    const std::unique_ptr<Workspace> own = make_workspace(*own_plan);
    const Status status = evaluate_in(*own_plan, *plan, state, work->u, *own);
    if (status.ok()) {
      agreement.ways.push_back(compare(*own_plan, way, truth, found(*own_plan, *own)));
    } else {
      constexpr double nothing = std::numeric_limits<double>::infinity();
      agreement.ways.push_back({way, status, nothing, nothing, nothing, nothing, nothing});
    }
  }
  return agreement;
}

}  // namespace arthron
