#include "arthron/suspension/rig.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "arthron/core/diagnostic.hpp"
#include "arthron/simulation/examine_loops.hpp"
#include "arthron/suspension/compose.hpp"

namespace arthron {
namespace {

using std::size_t;

TimeFunction line(double value, double rate) {
  if (rate == 0) return TimeFunction(value);
  return TimeFunction(Table({0, 1}, {value, value + rate}, Table::Interpolation::linear));
}

int channel_of(const Force& force, std::string_view name) {
  const auto channels = force.definition->type().channels();
  const auto found = std::find_if(channels.begin(), channels.end(), [&](const OutputChannel& channel) { return channel.name == name; });
  return static_cast<int>(found - channels.begin());
}

RigInput between(const RigInput& a, const RigInput& b, double part) {
  const auto at = [&](double from, double to) { return part < 1 ? from + part * (to - from) : to; };
  return {at(a.left, b.left), at(a.right, b.right), at(a.rack, b.rack)};
}

/// Goes a way in one step, or in shorter ones where `step`, told how many of how many parts are done, says that it cannot be. False where
/// a part in a thousand is still too long.
template <class Step>
bool in_parts(const Step& step) {
  constexpr int most_parts = 1024;
  for (int done = 0, parts = 1; done < parts;) {
    if (step(done, parts)) {
      for (++done; parts > 1 && done % 2 == 0; parts /= 2) done /= 2;
    } else if (parts < most_parts) {
      done *= 2, parts *= 2;
    } else {
      return false;
    }
  }
  return true;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

double measured(const Plan& plan, const Workspace& work, int force, std::string_view channel) {
  const Force& of = plan.model->forces[force];
  std::vector<double> values(of.definition->type().channels().size());
  force_measure(plan, work, force, values.data());
  return values[channel_of(of, channel)];
}

}  // namespace

SuspensionRig::SuspensionRig(const std::string& file, const Registry& registry, const std::vector<ParameterOverride>& overrides)
    : file_(file) {
  ComposedRig composed = compose_rig(file, registry, overrides);
  corner_ = composed.corner;
  model_ = std::make_shared<Model>(std::move(composed.model));
  for (Joint& joint : model_->joints) joint.initial_velocity.clear();
  find_parts();
  add_loads();
  simulation_ = std::make_unique<Simulation>(model_);
  work_ = make_workspace(simulation_->plan());
  if (const Status status = simulation_->start(); !status.ok())
    throw ModelError({{file, 0, "/joints", describe(status, simulation_->plan(), simulation_->workspace(), 0),
                       "a suspension that can be assembled with its wheel centres at the drawn height", ""}});
  at_rest_.assign(simulation_->plan().nu, 0);
  statics_ = std::make_unique<Statics>(simulation_->plan());
  drawn_ = simulation_->state().q;
  reset();
  find_springs();
  find_left_out();
  compliant_ = !joints_hold_wheels();
  if (compliant_) require_bushings_hold_wheels();
  find_signs_of_slides();
  constexpr double steers = 1e-6;  // a rack that turns the wheels less does not steer [rad/m]
  for (const WheelSight& wheel : observe()) steers_ = steers_ || norm(wheel.twist[2].angular) > steers;
}

/// With the inputs at rest, no momentum may move a wheel.
bool SuspensionRig::joints_hold_wheels() {
  idle_freedoms_ = examine_loops(*simulation_).freedom;
  if (idle_freedoms_ == 0) return true;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> momenta(at_rest_.size());
  for (double& p : momenta) p = uniform(random);
  solve({}, momenta);
  double fastest = 0;
  for (const double u : work_->u) fastest = std::max(fastest, std::abs(u));
  for (const Wheel& wheel : wheels_) {
    const Spatial6 V = marker_state(simulation_->plan(), *work_, wheel.marker).velocity;
    if (norm(V.linear) + norm(V.angular) > 1e-9 * fastest) return false;
  }
  return true;
}

/// Finds rest at the drawn heights, and tries whether it withstands loads.
void SuspensionRig::require_bushings_hold_wheels() {
  const auto require = [&](bool holds) {
    if (holds) return;
    throw ModelError({{file_, 0, "/joints",
                       "a wheel that can still move while its height and the rack are held: " + std::to_string(idle_freedoms_) +
                           " freedoms of both corners are left",
                       "joints that leave each wheel one freedom besides steering, or bushings that hold the others", ""}});
  };
  require(settle());
  drawn_ = q_;
  const Firmness firmness = statics_->firmness(0, q_.data(), *work_);
  require(firmness.unstable == 0);
  // One newton or newton metre moves a wheel that is held by far less than a millimetre or milliradian.
  constexpr double firm = 1e-3, radius = 0;
  const Spatial6 units[] = {{{1, 0, 0}, {}}, {{0, 1, 0}, {}}, {{}, {1, 0, 0}}, {{}, {0, 1, 0}}, {{}, {0, 0, 1}}};
  for (const Spatial6& unit : units) {
    const AxleLoad load{{{{}, unit}, {{}, unit}}};
    require(load_with(load, radius));
    for (const Spatial6& twist : response(load, radius)) require(norm(twist.linear) < firm && norm(twist.angular) < firm);
  }
  idle_freedoms_ = firmness.loose;
  reset();
}

void SuspensionRig::set(const RigInput& value, const RigInput& rate) {
  const auto motion = [&](int body) -> PrescribedMotion& { return *model_->bodies[body].motion; };
  motion(wheels_[0].post).translation[2] = line(value.left, rate.left);
  motion(wheels_[1].post).translation[2] = line(value.right, rate.right);
  motion(rack_).translation[1] = line(value.rack, rate.rack);
}

void SuspensionRig::reset() {
  input_ = {};
  for (const auto& load : loads_) *load = {};
  q_ = drawn_;
  work_->q = simulation_->workspace().q;
  set(input_, {});
  if (compliant_ && !settle()) refuse_lost_position();
}

void SuspensionRig::refuse_lost_position() const {
  throw ModelError({{file_, 0, "/joints", "a position that is not found again when the rig comes back to it",
                     "a position that rounding does not decide, of bodies, loops and springs of comparable size", ""}});
}

/// Rest near the present position; false, and nothing moved, where there is none.
bool SuspensionRig::settle() {
  const std::vector<double> guess = work_->q;
  if (statics_->settle(0, q_.data(), *work_).status.ok()) return true;
  work_->q = guess;
  return false;
}

void SuspensionRig::set_loads(const AxleLoad& value, const AxleLoad& rate, double wheel_radius) {
  for (size_t side = 0; side < 2; ++side) *loads_[side] = {value[side], rate[side], wheel_radius};
}

bool SuspensionRig::load_with(const AxleLoad& load, double wheel_radius) {
  if (compliant_) return follow_rest(input_, load, wheel_radius);
  set_loads(load, {}, wheel_radius);
  return true;
}

bool SuspensionRig::move_to(const RigInput& input) {
  if (compliant_) return follow_rest(input, {loads_[0]->value, loads_[1]->value}, loads_[0]->wheel_radius);
  const std::vector<double> q = q_, guess = work_->q;
  const bool found = in_parts([&](int done, int parts) {
    set(between(input_, input, (done + 1.0) / parts), {});
    return close();
  });
  if (found)
    input_ = input;
  else
    q_ = q, work_->q = guess;
  set(input_, {});
  return found;
}

/// Closes the loops near the present position; false, and nothing moved, where that cannot be.
bool SuspensionRig::close() {
  constexpr int newton_steps = 30;
  constexpr double closed = 1e-13;  // opening that still counts as closed where rounding is out of reach [m]
  std::vector<double> q = q_, guess = work_->q;
  const Projection projection = project(simulation_->plan(), 0, q.data(), 0, newton_steps, *work_);
  const bool found = projection.error <= closed || projection.status.ok();
  if (found)
    q_ = q;
  else
    work_->q = guess;
  return found;
}

/// The rest under other inputs and loads, which go there within a second of the rig's time. Newton's method alone may end at another rest,
/// or at none, when it starts far away: so rest is predicted from its rate, and steps are halved where it is not stable or not near the
/// prediction.
bool SuspensionRig::follow_rest(const RigInput& input, const AxleLoad& load, double wheel_radius) {
  constexpr int parts_with_kinks = 64;
  const std::vector<double> q = q_, guess = work_->q;
  const std::array<RigLoad, 2> before{*loads_[0], *loads_[1]};
  const AxleLoad present{before[0].value, before[1].value};
  set(input_, {input.left - input_.left, input.right - input_.right, input.rack - input_.rack});
  set_loads(present, {load[0] - present[0], load[1] - present[1]}, wheel_radius);
  // A stop that is met bends the way of rest however short the step.
  const bool found =
      in_parts([&](int done, int parts) { return next_rest(static_cast<double>(done) / parts, 1.0 / parts, parts < parts_with_kinks); });
  // The last digit of what was asked for.
  set(input, {});
  set_loads(load, {}, wheel_radius);
  if (found && settle()) {
    input_ = input;
    return true;
  }
  set(input_, {});
  for (size_t side = 0; side < 2; ++side) *loads_[side] = before[side];
  q_ = q, work_->q = guess;
  if (!settle()) refuse_lost_position();
  return false;
}

/// From rest at t to that at t + span: stable and, where asked for, nearer to the prediction than to where it was. False, and nothing
/// moved, where none is found.
bool SuspensionRig::next_rest(double t, double span, bool near) {
  const std::vector<double> guess = work_->q;
  std::vector<double> predicted = q_, q;
  // The rate is that of the rest found last.
  bool found = statics_->settle(t, q_.data(), *work_).status.ok() && statics_->predict(t, span, predicted.data(), *work_).ok();
  q = predicted;
  found = found && statics_->settle(t + span, q.data(), *work_).status.ok();
  found = found && statics_->firmness(t + span, q.data(), *work_).unstable == 0;
  constexpr double small = 1e-6;  // no other rest is so near [m or rad]
  if (found && near) found = distance(q, predicted) <= small + distance(q_, predicted) / 2;
  if (found)
    q_ = q;
  else
    work_->q = guess;
  return found;
}

void SuspensionRig::solve(const RigInput& rate, const std::vector<double>& momenta) {
  set(input_, rate);
  const Status status = solve_velocities(simulation_->plan(), 0, q_.data(), momenta.data(), *work_);
  if (!status.ok())
    throw ModelError({{file_, 0, "/joints", describe(status, simulation_->plan(), *work_, 0), "bodies that can be moved", ""}});
}

/// The motion that changing inputs and loads cause, in the workspace.
void SuspensionRig::follow(const RigInput& rate, double interval) {
  if (!compliant_) return solve(rate, at_rest_);
  set(input_, rate);
  const Status status = statics_->rate(0, q_.data(), interval, *work_);
  if (!status.ok())
    throw ModelError({{file_, 0, "/joints", describe(status, simulation_->plan(), *work_, 0), "bodies that can be moved", ""}});
}

std::array<Spatial6, 2> SuspensionRig::response(const AxleLoad& growth, double wheel_radius) {
  std::array<Spatial6, 2> twist{};
  if (!compliant_) return twist;
  constexpr double interval = 1;  // the load grows by some newtons
  constexpr double fast = 100;    // [1/s]
  for (size_t side = 0; side < 2; ++side) loads_[side]->rate = fast * growth[side], loads_[side]->wheel_radius = wheel_radius;
  follow({}, interval);
  for (size_t side = 0; side < 2; ++side) {
    twist[side] = (1 / fast) * marker_state(simulation_->plan(), *work_, wheels_[side].marker).velocity;
    loads_[side]->rate = {};
  }
  return twist;
}

double SuspensionRig::virtual_power(const std::vector<Spatial6>& wrenches, const std::vector<double>& efforts) const {
  const Plan& plan = simulation_->plan();
  double power = 0;
  for (int i = 0; i < plan.force_handles; ++i) power += dot(wrenches[i], work_->handles[i].velocity);
  for (const int j : plan.loaded_joints) {
    const PlanJoint& joint = plan.joints[j];
    for (int c = joint.u; c < joint.u + joint.nu; ++c) power += efforts[c] * work_->u[c];
  }
  return power;
}

void SuspensionRig::look_at_springs(int input, std::array<WheelSight, 2>& sight) const {
  const Plan& plan = simulation_->plan();
  for (size_t side = 0; side < 2; ++side) {
    sight[side].springs.resize(wheels_[side].springs.size());
    for (size_t i = 0; i < sight[side].springs.size(); ++i) {
      const Spring& spring = wheels_[side].springs[i];
      SpringSight& seen = sight[side].springs[i];
      double& rate = seen.rate[input];
      if (spring.force >= 0) {
        seen.length = measured(plan, *work_, spring.force, "length");
        rate = measured(plan, *work_, spring.force, "rate");
      } else {
        std::array<double, 6> values{};
        joint_position(plan, *work_, JointIndex{spring.joint}, values.data());
        seen.length = spring.sign * values[0];
        joint_velocity(plan, *work_, JointIndex{spring.joint}, values.data());
        rate = spring.sign * values[0];
      }
    }
  }
}

std::array<WheelSight, 2> SuspensionRig::observe() {
  const Plan& plan = simulation_->plan();
  std::array<WheelSight, 2> sight;
  // Loads at rest, then the motion that each input causes.
  solve({}, at_rest_);
  const std::vector<Spatial6> wrenches = work_->wrenches;
  const std::vector<double> efforts = work_->tau;
  for (size_t side = 0; side < 2; ++side) {
    const HandleState wheel = marker_state(plan, *work_, wheels_[side].marker);
    sight[side].side = side == 0 ? 1 : -1;
    sight[side].centre = wheel.position;
    sight[side].axis = wheel.rotation * wheels_[side].axis;
  }
  constexpr double interval = 5e-4;  // at a unit rate, differences over half a millimetre [s]
  constexpr RigInput unit[rig_inputs] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int input = 0; input < rig_inputs; ++input) {
    follow(unit[input], interval);
    for (size_t side = 0; side < 2; ++side) {
      sight[side].twist[input] = marker_state(plan, *work_, wheels_[side].marker).velocity;
      if (static_cast<int>(side) == input) sight[side].force = -virtual_power(wrenches, efforts);
    }
    look_at_springs(input, sight);
  }
  set(input_, {});
  return sight;
}

}  // namespace arthron
