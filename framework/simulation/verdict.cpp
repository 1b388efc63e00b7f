#include "arthron/simulation/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arthron/simulation/shortest_text.hpp"

namespace arthron {

namespace {

using std::size_t;

bool has_fixed_steps(const std::string& integrator) {
  const std::vector<IntegratorType>& types = integrator_types();
  return std::any_of(types.begin(), types.end(), [&](const IntegratorType& type) { return type.fixed_step && type.name == integrator; });
}

/// True when nothing adds energy, although dampers and friction of joints may take some.
bool is_passive(const Model& model) {
  const auto takes_only = [](const Joint& joint) { return joint.motion.empty() && joint.effort.empty() && !joint.drive; };
  return std::all_of(model.joints.begin(), model.joints.end(), takes_only) &&
         std::all_of(model.bodies.begin(), model.bodies.end(), [](const Body& body) { return !body.motion; }) &&
         std::all_of(model.forces.begin(), model.forces.end(), [](const Force& force) { return force.definition->conservative(); });
}

}  // namespace

Verdict::Verdict(const Plan& plan)
    : plan_(plan),
      settings_(plan.model->simulation),
      fixed_step_(has_fixed_steps(settings_.integrator.type)),
      conservative_(is_conservative(plan)),
      passive_(is_passive(*plan.model)) {}

Status Verdict::judge(const Workspace& work, const IntegratorStatistics& statistics) {
  words_.clear();
  if (!begun_) steps_before_ = statistics.accepted;
  const double steps = static_cast<double>(statistics.accepted - steps_before_);
  measure(work);
  Status status = judge_loops(work, steps);
  if (status.ok()) status = judge_energy(work, steps);
  begun_ = true;
  if (status.ok())
    sound_until_ = work.t;
  else
    words_ += "; rows up to t = " + rounded_text(sound_until_) + " s are sound";
  return status;
}

void Verdict::measure(const Workspace& work) {
  Vec3 low = work.body.back().X_WB.p, high = low;
  far_ = 0;
  for (const BodyWork& body : work.body) {
    const Vec3 p = body.X_WB.p;
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    far_ = std::max(far_, norm(p));
  }
  size_ = norm(high - low);
  for (const Coupling& coupling : plan_.model->couplings)
    for (const Coupling::Term& term : coupling.terms) {
      const PlanJoint& joint = plan_.joints[term.joint.value];
      far_ = std::max(far_, std::abs(term.coefficient * work.q[joint.q + term.freedom]));
    }
}

Status Verdict::judge_loops(const Workspace& work, double steps) {
  if (plan_.closures.empty()) return {};
  const IntegratorSettings& integrator = settings_.integrator;
  const double size = std::max(size_, *std::max_element(closure_scales(work).begin(), closure_scales(work).end()));
  const double of_step = integrator.absolute_tolerance * std::max(1.0, size) + integrator.relative_tolerance * size;
  const double projected = fixed_step_ ? 1e-6 * size : 10 * of_step;
  const double drifted = fixed_step_ ? 1e-2 * size : (steps + 10) * of_step * std::max(1.0, work.t);
  // Assembly counts a gap of 1e-9 m as closed where it comes no closer.
  const double assembled = 2e-9, rounding = 1e-12 * far_;
  const double bound = std::max({2 * settings_.loops.tolerance, assembled, rounding, projected, settings_.loops.project ? 0 : drifted});
  const double opening = closure_error(plan_, work);
  if (opening <= bound) return {};
  words_ = "more than the " + rounded_text(1e3 * bound) + " mm that " +
           (fixed_step_ ? "a run with fixed steps may leave" : "the tolerance of the run explains");
  return {Status::Code::came_open, widest_joint(plan_, work)};
}

double Verdict::energy_of_step(const Workspace& work, double kinetic) const {
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  const IntegratorSettings& integrator = settings_.integrator;
  const double absolute = fixed_step_ ? rounding : integrator.absolute_tolerance;
  const double relative = fixed_step_ ? rounding : integrator.relative_tolerance;
  const double reach = std::max(1.0, size_), gravity = norm(plan_.model->gravity);
  double momenta = 0, velocities = 0, loads = 0, coordinate = 0;
  for (const double p : work.p) momenta += std::abs(p);
  for (int i = 0; i < plan_.nu; ++i) velocities += std::abs(work.u[i]);
  for (int i = 0; i < plan_.nq; ++i) coordinate = std::max(coordinate, std::abs(work.q[i]));
  for (const PlanBody& body : plan_.bodies) loads += body.mass * gravity;
  for (const Spatial6& wrench : work.wrenches) loads += norm(wrench.linear) + norm(wrench.angular) / reach;
  for (const int j : plan_.loaded_joints)
    for (int i = 0; i < plan_.joints[j].nu; ++i) loads += std::abs(work.tau[plan_.joints[j].u + i]);
  double energy = 2 * kinetic * relative + absolute * momenta + loads * (absolute + relative * coordinate) * reach;
  // Methods that measure momenta themselves.
  if (settings_.integrator.type == "adams" || settings_.integrator.type == "bdf") energy += absolute * velocities;
  return energy;
}

Status Verdict::judge_energy(const Workspace& work, double steps) {
  if (!conservative_ && !passive_) return {};
  const Energy now = energy(plan_, work);
  if (!begun_) start_ = now.total(), kinetic_ = potential_ = of_step_ = 0;
  kinetic_ = std::max(kinetic_, now.kinetic), potential_ = std::max(potential_, std::abs(now.potential));
  of_step_ = std::max(of_step_, energy_of_step(work, now.kinetic));
  const double gain = now.total() - start_, off = conservative_ ? std::abs(gain) : gain;
  const double rounding = 1e-9 * (kinetic_ + potential_), explained = (steps + 100) * of_step_;
  const double by_tolerance = std::min(std::clamp(kinetic_ / 10, explained, 10 * explained), kinetic_ / 2 + 100 * of_step_);
  constexpr double one_digit = 0.1;
  const double bound = (fixed_step_ ? one_digit * kinetic_ + explained : by_tolerance) + rounding;
  // What is no number is no small error.
  if (off <= bound) return {};
  words_ = "it has changed by " + rounded_text(gain) + " J, more than the " + rounded_text(bound) + " J that " +
           (fixed_step_ ? "a run with fixed steps may be off by" : "the tolerance of the run explains") +
           ", of a kinetic energy of up to " + rounded_text(kinetic_) + " J";
  return {Status::Code::energy_off};
}

}  // namespace arthron
