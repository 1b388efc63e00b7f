#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/spatial/rotation_vector.hpp"
#include "support/random_model.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

const Registry& registry() {
  static const Registry builtins = builtin_registry();
  return builtins;
}

/// One force between free bodies b0, b1, b2, evaluated at chosen states of its handles.
struct SingleForce {
  std::shared_ptr<const ForceDefinition> definition;
  std::unique_ptr<ForceBatch> batch;
  std::vector<double> x;  // internal states, as they start

  explicit SingleForce(const Json& force, const Json& road = Json::object()) {
    Json model{{"arthron", 1}, {"name", "lone"}, {"road", road}, {"forces", {{"force", force}}}};
    model["grounds"]["shaker"] = Json::object();
    for (const std::string body : {"b0", "b1", "b2"}) {
      model["bodies"][body] = {{"mass", 1}, {"inertia", {1, 1, 1}}};
      model["joints"]["j" + body] = {{"type", "free"}, {"parent", "ground"}, {"child", body}, {"at", {0, 0, 0}}};
    }
    definition = parse_model(model.dump(), "lone.json", registry()).forces[0].definition;
    batch = definition->type().make_batch();
    batch->add(*definition, {}, {});
    x.resize(definition->type().states().size());
    batch->initial_states(x.data());
  }
  std::size_t handles() const { return definition->handles().size(); }

  void load(const HandleState* states, Spatial6* wrenches) const {
    std::vector<double> xdot(x.size());
    batch->load({0, 1}, 0, {states, nullptr, x.data()}, {wrenches, nullptr, xdot.data()});
  }
  double power(const std::vector<HandleState>& states) const {
    std::vector<Spatial6> wrenches(states.size());
    load(states.data(), wrenches.data());
    double sum = 0;
    for (std::size_t i = 0; i < states.size(); ++i) sum += dot(wrenches[i], states[i].velocity);
    return sum;
  }
  std::vector<double> measured(const std::vector<HandleState>& states) const {
    std::vector<double> values(definition->type().channels().size());
    batch->measure(0, 0, {states.data(), nullptr, x.data()}, values.data());
    return values;
  }
};

Mat3 rotation(const Vec3& theta) {
  const auto q = quaternion_of(theta);
  return quaternion_rotation(q[0], q[1], q[2], q[3]);
}

/// The state a little later or earlier, at constant velocities.
HandleState moved(const HandleState& h, double dt) {
  return {h.position + dt * h.velocity.linear, rotation(dt * h.velocity.angular) * h.rotation, h.velocity};
}

HandleState random_state(RandomModel& random, double size) {
  const auto vector = [&](double scale) {
    return Vec3{random.number(-scale, scale), random.number(-scale, scale), random.number(-scale, scale)};
  };
  return {vector(size), rotation(vector(1)), {vector(1), vector(1)}};
}

/// Rate of the stored energy by central difference.
double energy_rate(const SingleForce& force, const std::vector<HandleState>& states) {
  const double step = 1e-5;
  std::vector<HandleState> before, after;
  for (const HandleState& h : states) before.push_back(moved(h, -step)), after.push_back(moved(h, step));
  return (force.batch->energy(0, 0, {after.data(), nullptr, force.x.data()}) -
          force.batch->energy(0, 0, {before.data(), nullptr, force.x.data()})) /
         (2 * step);
}

/// Keys of a type at random; without those whose names contain one of the words.
Json random_force(RandomModel& random, const ForceType& type, std::initializer_list<std::string_view> without) {
  Json force = random.keys_of(type, 3);
  std::vector<std::string> dropped;
  for (const auto& [key, value] : force.items())
    for (const std::string_view word : without)
      if (key.find(word) != std::string::npos) dropped.push_back(key);
  for (const std::string& key : dropped) force.erase(key);
  return force;
}

/// All registered forces but the applied one, which no law binds, at random states; `check` is told the force and the states.
template <class Check>
void for_every_law(std::initializer_list<std::string_view> without, Check check) {
  for (const auto& [name, type] : registry().forces()) {
    if (name == "force") continue;
    RandomModel random(registry(), 11);
    for (int sample = 0; sample < 200; ++sample) {
      CAPTURE(name);
      CAPTURE(sample);
      const SingleForce force(random_force(random, *type, without));
      std::vector<HandleState> states;
      for (std::size_t i = 0; i < force.handles(); ++i) states.push_back(random_state(random, 0.6));
      check(name, force, states);
    }
  }
}

}  // namespace

TEST_CASE("every conservative force: its power is the loss of its stored energy, by finite difference") {
  int checked = 0;
  for_every_law({"damping", "friction"}, [&](const std::string&, const SingleForce& force, const std::vector<HandleState>& states) {
    if (!force.definition->conservative()) return;
    // Truncation step^2 and rounding eps/step, times loads of tens of units.
    CHECK(std::abs(force.power(states) + energy_rate(force, states)) < 1e-7);
    ++checked;
  });
  CHECK(checked >= 5 * 200);
}

TEST_CASE("every force with damping and friction: what it gives is at most what it had stored") {
  // A tyre's aligning torque is left out: the brush model does not account for the work of yawing.
  for_every_law({"trail"}, [](const std::string&, const SingleForce& force, const std::vector<HandleState>& states) {
    CHECK(force.power(states) + energy_rate(force, states) < 1e-6);
  });
}

TEST_CASE("every force between two bodies: action and reaction balance, forces and moments") {
  for_every_law({}, [](const std::string&, const SingleForce& force, const std::vector<HandleState>& states) {
    if (states.size() != 2) return;
    std::array<Spatial6, 2> wrenches;
    force.load(states.data(), wrenches.data());
    const Spatial6 sum = wrench_from(wrenches[0], states[0].position) + wrench_from(wrenches[1], states[1].position);
    CHECK(norm(sum.linear) + norm(sum.angular) < 1e-13 * (1 + norm(wrenches[0].linear) + norm(wrenches[0].angular)));
  });
}

TEST_CASE("bushing: rates along its own axes, preload, and rotation about one axis as a torsion spring") {
  const SingleForce force({{"type", "bushing"},
                           {"from", {"ground", {0, 0, 0}}},
                           {"to", {"b0", {0, 0, 0}}},
                           {"x_axis", {0, 0, 1}},
                           {"stiffness", {3, 5, 7}},
                           {"damping", {0.1, 0.2, 0.3}},
                           {"preload", {0, 0, 10}},
                           {"rotational_stiffness", {2, 4, 6}}});
  HandleState a{{}, Mat3::identity(), {}}, b{{0.01, 0.02, 0.03}, rotation({0, 0, 2}), {{1, 0, 0}, {}}};
  std::array<Spatial6, 2> wrenches;
  force.load(std::array{a, b}.data(), wrenches.data());
  // x_axis is z, y_axis y laid across it, the third z x y = -x.
  CHECK(norm(wrenches[1].linear - Vec3{-7 * 0.01 - 0.3, -5 * 0.02, 10 - 3 * 0.03}) < 1e-14);
  CHECK(norm(wrenches[1].angular - Vec3{0, 0, -2 * 2}) < 1e-13);
  CHECK(force.definition->conservative() == false);
}

TEST_CASE("bump stop: nothing before it touches, linear and cubic rate behind, and pulls only as a rebound stop") {
  Json stop{{"type", "bump_stop"}, {"from", {"ground", {0, 0, 0}}}, {"to", {"b0", {0, 0, 0}}}, {"length", 0.5}, {"stiffness", 100},
            {"cubic", 1e4}};
  const HandleState a{{}, Mat3::identity(), {}};
  const auto at = [](double z) { return HandleState{{0, 0, z}, Mat3::identity(), {}}; };
  const auto push = [&](const SingleForce& force, double z) {
    std::array<Spatial6, 2> wrenches;
    force.load(std::array{a, at(z)}.data(), wrenches.data());
    return wrenches[1].linear.z;
  };
  const SingleForce bump(stop);
  CHECK(push(bump, 0.6) == 0);
  CHECK(push(bump, 0.4) == doctest::Approx(100 * 0.1 + 1e4 * 1e-3).epsilon(1e-12));
  stop["acts"] = "rebound";
  const SingleForce rebound(stop);
  CHECK(push(rebound, 0.4) == 0);
  CHECK(push(rebound, 0.6) == doctest::Approx(-20).epsilon(1e-12));
  stop["law"] = Json::array({{0, 0}, {0.1, 5}, {0.2, 20}});
  CHECK(push(SingleForce(stop), 0.65) == doctest::Approx(-12.5).epsilon(1e-12));
}

TEST_CASE("contact: normal to the road, at the nearest point of a curved one") {
  // A sphere of radius 0.5 in the valley z = x^2/2 (radius of curvature 1) with its centre on the normal of the point x = 0.3.
  const double x = 0.3, scale = 1 / std::sqrt(1 + x * x);
  const Vec3 foot{x, 0, x * x / 2}, normal{-x * scale, 0, scale};
  const SingleForce force({{"type", "contact"}, {"on", {"b0", {0, 0, 0}}}, {"radius", 0.1}, {"stiffness", 1e4}, {"exponent", 1}},
                          {{"height", "=x^2/2"}});
  const std::vector<HandleState> states{{foot + 0.09 * normal, Mat3::identity(), {}}};
  Spatial6 wrench;
  force.load(states.data(), &wrench);
  // Roundings of the distance, 1e-16, times the stiffness.
  CHECK(norm(wrench.linear - 100.0 * normal) < 1e-10);
}

namespace {

const Json tyre{{"type", "tyre"},
                {"on", {"b0", {0, 0, 0}}},
                {"axis", {0, 1, 0}},
                {"radius", 0.3},
                {"stiffness", 2e5},
                {"longitudinal_stiffness", 8e4},
                {"cornering_stiffness", 6e4},
                {"friction", {1.1, 0.9}},
                {"trail", 0.03},
                {"low_speed", 1e-6}};
constexpr double load = 2e5 * 0.02;  // at 0.28 m of height

/// Rolling at 20 m/s with the given lateral speed and slip speed.
HandleState rolling(double lateral, double braking = 0) {
  return {{0, 0, 0.28}, Mat3::identity(), {{20, lateral, 0}, {0, (20 - braking) / 0.28, 0}}};
}

}  // namespace

TEST_CASE("tyre: free rolling makes no slip force, small slips the stiffnesses, and the lateral force acts behind by the trail") {
  const SingleForce force(tyre);
  const auto free = force.measured({rolling(0)});
  CHECK(free[0] == doctest::Approx(load).epsilon(1e-12));
  CHECK(std::abs(free[1]) + std::abs(free[2]) < 1e-6);
  // Fiala: F = C tan(alpha) (1 - z + z^2/3), z = C tan(alpha) / (3 mu N).
  const double tangent = 1e-4, z = 6e4 * tangent / (3 * 0.9 * load);
  const auto side = force.measured({rolling(20 * tangent)});
  CHECK(side[2] == doctest::Approx(-6e4 * tangent * (1 - z + z * z / 3)).epsilon(1e-10));
  CHECK(side[3] == doctest::Approx(0.03 * 6e4 * tangent * std::pow(1 - z, 3)).epsilon(1e-10));
  CHECK(side[5] == doctest::Approx(tangent).epsilon(1e-6));
  const auto brake = force.measured({rolling(0, 20 * 1e-4)});
  CHECK(brake[1] == doctest::Approx(-8e4 * 1e-4).epsilon(1e-3));
  CHECK(brake[4] == doctest::Approx(-1e-4).epsilon(1e-9));
}

TEST_CASE("tyre: at full slip the force reaches the friction ellipse and the aligning torque is gone") {
  const SingleForce force(tyre);
  // Sliding begins at tan(alpha) = 3 mu N / C.
  const auto side = force.measured({rolling(20 * 1.0001 * 3 * 0.9 * load / 6e4)});
  CHECK(side[2] == doctest::Approx(-0.9 * load).epsilon(1e-12));
  CHECK(side[3] == 0);
  CHECK(force.measured({rolling(0, 20)})[1] == doctest::Approx(-1.1 * load).epsilon(1e-12));
  const auto both = force.measured({rolling(5, 10)});
  CHECK(std::pow(both[1] / (1.1 * load), 2) + std::pow(both[2] / (0.9 * load), 2) == doctest::Approx(1).epsilon(1e-12));
}

TEST_CASE("tyre: a wheel in the air, or lying flat, feels nothing") {
  const SingleForce force(tyre);
  Spatial6 wrench;
  for (const HandleState& state : {HandleState{{0, 0, 0.31}, Mat3::identity(), {{20, 3, 0}, {0, 5, 0}}},
                                   HandleState{{0, 0, 0.1}, rotation({std::numbers::pi / 2, 0, 0}), {{20, 3, 0}, {0, 5, 0}}}}) {
    force.load(&state, &wrench);
    CHECK(norm(wrench.linear) + norm(wrench.angular) == 0);
  }
}

TEST_CASE("tyre: the axis may point to either side and the road may slope or move: same forces in road axes") {
  Json other = tyre;
  other["axis"] = {0, -1, 0};
  HandleState state = rolling(0.2, 0.1);
  Spatial6 wrench, mirrored, moving;
  SingleForce(tyre).load(&state, &wrench);
  SingleForce(other).load(&state, &mirrored);
  CHECK(norm(wrench.linear - mirrored.linear) + norm(wrench.angular - mirrored.angular) < 1e-9);
  // A road that rises with the wheel is a road at rest.
  state.velocity.linear.z = 2;
  SingleForce(tyre, {{"height", "=2*t"}}).load(&state, &moving);
  CHECK(norm(wrench.linear - moving.linear) + norm(wrench.angular - moving.angular) < 1e-9);
}

TEST_CASE("tyre and contact on a sloped road that rises: who rises with it is at rest, with no slip and no friction") {
  // The plate moves up and down as a whole. Its speed along its own normal alone would slide under what stands on it.
  const Json plate{{"height", "=0.1*x - 0.3*y + 2*t"}}, still{{"height", "=0.1*x - 0.3*y"}};
  const Json sphere{{"type", "contact"}, {"on", {"b0", {0, 0, 0}}}, {"radius", 0.3},
                    {"stiffness", 1e6},  {"damping", 0.3},          {"friction", 0.8}};
  const HandleState stands{{0.1, 0.2, 0.24}, Mat3::identity(), {}};
  HandleState rises = stands;
  rises.velocity.linear.z = 2;
  for (const Json& force : {tyre, sphere}) {
    CAPTURE(force["type"]);
    Spatial6 at_rest, moving;
    SingleForce(force, still).load(&stands, &at_rest);
    SingleForce(force, plate).load(&rises, &moving);
    CHECK(norm(at_rest.linear) > 1000);
    CHECK(norm(moving.linear - at_rest.linear) + norm(moving.angular - at_rest.angular) < 1e-9);
  }
  const auto values = SingleForce(tyre, plate).measured({rises});
  CHECK(std::abs(values[1]) + std::abs(values[2]) + std::abs(values[4]) + std::abs(values[5]) < 1e-12);
  CHECK(std::abs(SingleForce(sphere, plate).measured({rises})[1]) < 1e-9);
}

TEST_CASE("tyre and contact on a curved road: the elastic force is the gradient of the energy, at any camber and heading") {
  // Waves of 50 mm with radii of curvature down to the tyre's own. What slip forces are left, friction 1e-12, does not count.
  const Json waves{{"height", "=0.05*sin(4*x + y) + 0.03*cos(3*y - x)"}};
  Json smooth = tyre;
  smooth["friction"] = 1e-12;
  const Json sphere{{"type", "contact"}, {"on", {"b0", {0, 0, 0}}}, {"radius", 0.3}, {"stiffness", 1e5}, {"exponent", 1.5}};
  RandomModel random(registry(), 5);
  for (const Json& keys : {smooth, sphere}) {
    CAPTURE(keys["type"]);
    const SingleForce force(keys, waves);
    int pressed = 0;
    for (int sample = 0; sample < 300; ++sample) {
      HandleState state = random_state(random, 1);
      state.position.z = random.number(0.2, 0.36);
      state.rotation = rotation({random.number(-0.5, 0.5), random.number(-3, 3), random.number(-3, 3)});
      CAPTURE(sample);
      const double rate = energy_rate(force, {state});
      // Powers of 1e4 W; truncation is (1e-5)^2 / 6 of third derivatives of the energy, 2e5 N/m times some rates of 1 / s and curvatures.
      CHECK(std::abs(force.power({state}) + rate) < 3e-4);
      if (std::abs(rate) > 1) ++pressed;
    }
    CHECK(pressed > 50);
  }
}

TEST_CASE("tyre: an upright wheel on waves across its way is pressed as a sphere is") {
  const Json waves{{"height", "=0.05*sin(4*x)"}};
  const SingleForce wheel(tyre, waves);
  const SingleForce sphere({{"type", "contact"}, {"on", {"b0", {0, 0, 0}}}, {"radius", 0.3}, {"stiffness", 2e5}, {"exponent", 1}}, waves);
  for (int i = 0; i < 40; ++i) {
    const HandleState state{{0.05 * i, 0.4, 0.27}, Mat3::identity(), {}};
    Spatial6 a, b;
    wheel.load(&state, &a), sphere.load(&state, &b);
    CHECK(norm(a.linear - b.linear) + norm(a.angular - b.angular) < 1e-8);
  }
}
