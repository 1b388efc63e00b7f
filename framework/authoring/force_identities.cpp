#include "arthron/authoring/force_identities.hpp"

#include <cmath>

#include "arthron/authoring/joint_identities.hpp"
#include "arthron/authoring/measures.hpp"
#include "arthron/component/lane_force.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"

namespace arthron {

namespace {

constexpr Identity load_is_finite{"load, energy and measurements are finite", 0};
constexpr Identity load_is_repeatable{"the same state gives the same load", 0};
constexpr Identity coincidence_is_finite{"they are finite where all handles lie in one place", 0};
constexpr Identity load_is_gradient{"load is minus the gradient of energy", difference_error};
constexpr Identity power_is_loss{"power is the loss of energy, internal states included", difference_error};
constexpr Identity load_in_any_frame{"load is the same in any frame, mirror images too", rounding_error};
constexpr Identity energy_in_any_frame{"energy is the same in any frame, mirror images too", rounding_error};
constexpr Identity load_is_same_on_lanes{"SIMD lanes give the same load", rounding_error};
constexpr Identity motion_keeps_energy{"bodies under the force alone keep their energy", 1e-8};

/// Load and rates of internal states.
std::vector<double> numbers_of(const SingleForce::Answer& answer) {
  std::vector<double> values = numbers_of(answer.wrenches, answer.wrenches.size());
  values.insert(values.end(), answer.xdot.begin(), answer.xdot.end());
  return values;
}

/// 0, or NaN where one of the numbers is not finite.
double finite(const SingleForce& force, double t, const SingleForce::States& states) {
  const SingleForce::Answer answer = force.answer(t, states);
  std::vector<double> values = numbers_of(answer);
  values.insert(values.end(), answer.measured.begin(), answer.measured.end());
  values.push_back(answer.energy);
  for (const double value : values)
    if (!std::isfinite(value)) return std::nan("");
  return 0;
}

/// While the handles move on with their velocities and the internal states with their rates.
void examine_power(const SingleForce& force, double t, const SingleForce::States& states, Examination& examination) {
  const SingleForce::Answer now = force.answer(t, states);
  double power = 0;
  for (std::size_t i = 0; i < states.size(); ++i) power += dot(now.wrenches[i], states[i].velocity);
  const Derivative loss = derivative([&](double dt) {
    SingleForce::States moved;
    for (const HandleState& state : states) moved.push_back(displaced(state, dt * state.velocity));
    std::vector<double> x = force.x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * now.xdot[i];
    return std::vector<double>{-force.answer(t, moved, x).energy};
  });
  note_derivative(examination, power_is_loss, loss, {power}, [&] { return force.words(t, states); });
}

}  // namespace

void examine_numbers(const SingleForce& force, double t, const SingleForce::States& states, Examination& examination) {
  const auto not_finite = [&](const SingleForce::States& at) { return "it writes not a number, or nothing, " + force.words(t, at); };
  examination.note(load_is_finite, finite(force, t, states), [&] { return not_finite(states); });
  SingleForce::States together(states.size(), states[0]);
  for (const bool moving : {true, false}) {
    if (!moving)
      for (HandleState& handle : together) handle.velocity = {}, handle.rotation = Mat3::identity();
    examination.note(coincidence_is_finite, finite(force, t, together), [&] { return not_finite(together); });
  }
  const auto once = numbers_of(force.answer(t, states));
  (void)force.answer(t, together);
  examination.note(load_is_repeatable, deviation(once, numbers_of(force.answer(t, states))), [&] { return force.words(t, states); });
}

void examine_gradient(const SingleForce& force, double t, const SingleForce::States& states, Examination& examination) {
  if (!force.definition.conservative()) return;
  if (!force.x.empty()) return examine_power(force, t, states, examination);
  const std::vector<Spatial6> wrenches = force.answer(t, states).wrenches;
  double scale = 1;
  for (const Spatial6& wrench : wrenches) scale = std::max({scale, norm(wrench.linear), norm(wrench.angular)});
  for (std::size_t i = 0; i < states.size(); ++i) {
    Derivative gradient{std::vector<double>(6, 0), 0};
    for (std::size_t k = 0; k < 6; ++k) {
      Spatial6 direction;
      double* const part[] = {&direction.linear.x,  &direction.linear.y,  &direction.linear.z,
                              &direction.angular.x, &direction.angular.y, &direction.angular.z};
      *part[k] = 1;
      const Derivative along = derivative([&](double distance) {
        SingleForce::States moved = states;
        moved[i] = displaced(states[i], distance * direction);
        return std::vector<double>{-force.answer(t, moved).energy / scale};
      });
      gradient.value[k] = along.value[0];
      gradient.uncertainty = std::max(gradient.uncertainty, along.uncertainty);
    }
    std::vector<double> load;
    append(load, (1 / scale) * wrenches[i]);
    note_derivative(examination, load_is_gradient, gradient, load,
                    [&] { return "of the load on handle " + std::to_string(i + 1) + ' ' + force.words(t, states); });
  }
}

void examine_frames(const SingleForce& force, double t, const SingleForce::States& states, RandomKeys& random, Examination& examination) {
  const auto number = [&] { return random.number(-1, 1); };
  const HandleState turned = displaced({{}, Mat3::identity(), {}}, {{number(), number(), number()}, {number(), number(), number()}});
  for (const bool mirrored : {false, true}) {
    Placement placement{{turned.rotation, turned.position}, 1, {1, 1, 1}};
    if (mirrored) placement = placement * Placement::mirror(1);
    const SingleForce placed(force.instance, placement);
    SingleForce::States seen;
    for (const HandleState& state : states) seen.push_back(seen_from(placement, state));
    SingleForce::Answer expected = force.answer(t, seen);
    const SingleForce::Answer found = placed.answer(t, states);
    for (Spatial6& wrench : expected.wrenches) wrench = placement.wrench(wrench);
    const auto place = [&] { return std::string(mirrored ? "as a turned mirror image " : "turned and moved ") + force.words(t, states); };
    examination.note(load_in_any_frame, deviation(numbers_of(expected), numbers_of(found)), place);
    examination.note(energy_in_any_frame, deviation({expected.energy}, {found.energy}), place);
  }
}

void examine_lanes(const SingleForce& force, double t, const SingleForce::States& states, Examination& examination) {
  const std::unique_ptr<LaneForceBatch> lanes = force.definition.type().make_lane_batch();
  LaneTimeFunctions functions;
  const Placement as_drawn;
  (void)lanes->add(per_lane<const ForceDefinition*>([&](std::size_t) { return &force.definition; }), {},
                   per_lane<const Placement*>([&](std::size_t) { return &as_drawn; }), functions);
  std::vector<HandleStateOf<Lanes>> together(states.size());
  std::vector<Spatial<Lanes>> wrenches(states.size());
  std::vector<Lanes> x(force.x.begin(), force.x.end()), xdot(x.size());
  LaneForceRoom room{together, states, std::vector<Spatial6>(states.size()), force.x, force.x};
  PerLane<SingleForce::States> own;
  for (int lane = 0; lane < lane_count; ++lane) {
    SingleForce::States& mine = own[lane];
    for (const HandleState& state : states) mine.push_back(displaced(state, 0.1 * lane * state.velocity));
    set_lane(together.data(), lane, mine.data(), static_cast<int>(states.size()));
  }
  std::vector<Lanes> values(functions.size()), rates(functions.size());
  const LaneInstant now{t, per_lane<const Signal*>([](std::size_t) { return nullptr; }), true, values.data(), rates.data()};
  functions.sample(now, values.data(), rates.data());
  lanes->load(now, {together.data(), x.data(), wrenches.data(), xdot.data(), room});
  for (int lane = 0; lane < lane_count; ++lane) {
    const SingleForce::States& mine = own[lane];
    SingleForce::Answer found{std::vector<Spatial6>(states.size()), std::vector<double>(xdot.size()), {}, 0};
    get_lane(wrenches.data(), lane, found.wrenches.data(), static_cast<int>(states.size()));
    get_lane(xdot.data(), lane, found.xdot.data(), static_cast<int>(xdot.size()));
    examination.note(load_is_same_on_lanes, deviation(numbers_of(force.answer(t, mine)), numbers_of(found)),
                     [&] { return "in lane " + std::to_string(lane + 1) + ' ' + force.words(t, mine); });
  }
}

void examine_energy(const SingleForce& force, const Registry& registry, Examination& examination) {
  if (!force.definition.conservative()) return;
  nlohmann::ordered_json json{{"arthron", 1}, {"name", "force under examination"}, {"gravity", {0, 0, 0}}};
  for (std::size_t i = 0; i < force.handles(); ++i) {
    const std::string name = RandomKeys::body(static_cast<int>(i));
    const double k = static_cast<double>(i);
    const Vec3 at = force.definition.handles()[i].point;
    json["bodies"][name] = {{"mass", 1 + 0.3 * k}, {"com", {at.x + 0.1, at.y - 0.1, at.z + 0.2}}, {"inertia", {0.3, 0.4, 0.35}}};
    json["joints"]["j" + name] = {
        {"type", "free"},
        {"parent", "ground"},
        {"child", name},
        {"at", {at.x, at.y, at.z}},
        {"initial", {{"position", {0.1, -0.1 * k, 0.05 * k, 0.2, 0.1 * k, 0}}, {"velocity", {0.3, 0.2 - k, 0.1, 0.5 * k, -0.4, 0.3}}}}};
  }
  Model model = parse_model(json.dump(), "force", registry);
  Force alone{"force", 0, force.instance.force.definition, force.definition.handles(), {}, {}};
  for (std::size_t i = 0; i < alone.handles.size(); ++i) alone.handles[i] = {{static_cast<int>(i) + 1}, alone.handles[i].point, -1};
  model.forces.push_back(alone);
  model.simulation.integrator = {"dopri5", 1e-12, 1e-12, 1e-3};
  model.simulation.until = 0.5;
  model.simulation.threads = 1;
  Simulation simulation(std::make_shared<const Model>(std::move(model)));
  Status status = simulation.start();
  if (status.ok()) status = simulation.observe();
  const double before = status.ok() ? energy(simulation.plan(), simulation.workspace()).total() : 0;
  if (status.ok()) status = simulation.advance_to(simulation.settings().until);
  if (status.ok()) status = simulation.observe();
  const std::string with = " with " + force.instance.words;
  if (!status.ok()) {
    const std::string why = describe(status, simulation.plan(), simulation.workspace(), simulation.state().t);
    examination.note(motion_keeps_energy, std::nan(""), [&] { return why + with; });
    return;
  }
  const double after = energy(simulation.plan(), simulation.workspace()).total();
  examination.note(motion_keeps_energy, deviation({before}, {after}), [&] { return "after 0.5 s" + with; });
}

}  // namespace arthron
