#include <doctest/doctest.h>

#include <cmath>

#include "arthron/dynamics/subsystem.hpp"
#include "arthron/model/find.hpp"
#include "arthron/model/hierarchy.hpp"
#include "arthron/simulation/channels.hpp"
#include "arthron/simulation/simulation.hpp"
#include "support/loaded.hpp"

/// Masses, energies, momenta and port reactions of subsystems. Sources of truth: sums over parts, Newton's and Euler's laws written out
/// over the bodies of a subsystem from their accelerations, and the law of the two-force member.
using namespace arthron;

namespace {

/// A model that has moved for a while.
struct Moved {
  Simulation simulation;
  Moved(const std::string& file, double until) : simulation(load(file)) {
    REQUIRE(simulation.start().ok());
    REQUIRE(simulation.advance_to(until).ok());
    REQUIRE(simulation.observe(true).ok());
  }
  [[nodiscard]] const Plan& plan() const { return simulation.plan(); }
  [[nodiscard]] const Model& model() const { return simulation.model(); }
  [[nodiscard]] const Workspace& work() const { return simulation.workspace(); }
  [[nodiscard]] int subsystem(const std::string& path) const { return find_subsystem(model(), path); }

 private:
  static std::shared_ptr<const Model> load(const std::string& file) {
    Model model = load_model(std::string(ARTHRON_SOURCE_DIR) + "/" + file, test::builtins());
    model.simulation.integrator.type = "rk4";
    model.simulation.integrator.step = 0.001;
    return std::make_shared<const Model>(std::move(model));
  }
};

double size_of(const Spatial6& F) { return norm(F.linear) + norm(F.angular); }

/// Momentum about the mass centre, and its rate, written out over the bodies from their motions. Bodies have no frames of their own here,
/// so that their origins are their mass centres.
struct WrittenOut {
  Spatial6 momentum, rate;
};

WrittenOut written_out(const Moved& run, int subsystem) {
  const Vec3 centre = mass_centre(run.plan(), run.work(), subsystem).position;
  WrittenOut sum;
  for (const int b : bodies_of(run.model(), subsystem)) {
    const BodyIndex index{b};
    const Body& body = run.model().bodies[static_cast<std::size_t>(b)];
    if (body.ground) continue;
    const Pose<double> X = frame_pose(run.plan(), run.work(), index);
    const Spatial6 A = frame_acceleration(run.plan(), run.work(), index), V = frame_velocity(run.plan(), run.work(), index);
    const Sym3 inertia = rotated(X.R * transpose(body.frame.R), body.inertia);
    const Spatial6 momentum{body.mass * V.linear, inertia * V.angular};
    const Spatial6 rate{body.mass * A.linear, inertia * A.angular + cross(V.angular, momentum.angular)};
    sum.momentum += wrench_from(momentum, X.p - centre);
    sum.rate += wrench_from(rate, X.p - centre);
  }
  return sum;
}

/// Weight, outputs, mounts and what comes from the road, about the mass centre.
Spatial6 load_on(const Moved& run, int subsystem, double& scale) {
  const Plan& plan = run.plan();
  const MassCentre centre = mass_centre(plan, run.work(), subsystem);
  Spatial6 sum{centre.mass * run.model().gravity, {}};
  scale = norm(sum.linear);
  const auto add = [&](double sign, const Spatial6& wrench, const Vec3& at) {
    sum += sign * wrench_from(wrench, at - centre.position);
    scale += size_of(wrench);
  };
  const Slice ports = members_of(run.model(), subsystem).ports;
  for (int p = ports.first; p < ports.last; ++p) {
    const Port::Kind kind = run.model().ports[p].kind;
    if (run.model().ports[p].subsystem != subsystem || plan.ports[p].body < 0) continue;
    add(kind == Port::Kind::mount ? -1 : 1, port_reaction(plan, run.work(), p), port_position(plan, run.work(), p));
  }
  // All wrenches of a force are in balance, but for those that the road gives.
  for (std::size_t f = 0; f < run.model().forces.size(); ++f)
    for (std::size_t h = 0; h < run.model().forces[f].handles.size(); ++h) {
      const std::size_t handle = static_cast<std::size_t>(plan.forces[f].handles.first) + h;
      if (lies_within(run.model(), run.model().forces[f].subsystem, subsystem))
        add(1, run.work().wrenches[handle], run.work().handles[handle].position);
    }
  return sum;
}

void check_newton_euler(const Moved& run) {
  for (int s = 0; s < static_cast<int>(run.model().subsystems.size()); ++s) {
    if (run.plan().subsystems[s].bodies.empty()) continue;
    CAPTURE(run.model().subsystems[s].path);
    double scale = 0;
    const Spatial6 load = load_on(run, s, scale);
    const WrittenOut expected = written_out(run, s);
    CHECK(size_of(load - expected.rate) < 1e-9 * scale);
    CHECK(size_of(momentum(run.plan(), run.work(), s) - expected.momentum) < 1e-12 * (1 + size_of(expected.momentum)));
  }
}

}  // namespace

TEST_CASE("the parts of a car on a bump add up to the whole: mass, momentum, energy") {
  const Moved run("examples/vehicle/bump.json", 0.5);
  const int car = run.subsystem("car");
  const std::vector<int> parts = children_of(run.model(), car);
  CHECK(parts.size() == 7);
  const MassCentre whole = mass_centre(run.plan(), run.work(), car);
  CHECK(whole.mass == doctest::Approx(1200).epsilon(1e-12));
  double mass = 1045.5;  // the body itself
  std::size_t body = 0;
  while (run.model().bodies[body].path != "car.body") ++body;
  const BodyIndex index{static_cast<int>(body)};
  Vec3 moment = mass * frame_pose(run.plan(), run.work(), index).p,
       momentum_sum = mass * frame_velocity(run.plan(), run.work(), index).linear;
  double potential = 9.81 * moment.z, total = energy(run.plan(), run.work(), car).potential;
  for (const int s : parts) {
    if (run.plan().subsystems[s].bodies.empty()) continue;
    const MassCentre part = mass_centre(run.plan(), run.work(), s);
    mass += part.mass, moment += part.mass * part.position, momentum_sum += momentum(run.plan(), run.work(), s).linear;
    potential += energy(run.plan(), run.work(), s).potential;
  }
  CHECK(mass == doctest::Approx(whole.mass).epsilon(1e-12));
  CHECK(norm((1 / mass) * moment - whole.position) < 1e-12);
  CHECK(norm(momentum_sum - momentum(run.plan(), run.work(), car).linear) < 1e-9);
  CHECK(norm(whole.mass * whole.velocity - momentum_sum) < 1e-9);
  CHECK(potential == doctest::Approx(total).epsilon(1e-12));
  CHECK(energy(run.plan(), run.work()).total() == doctest::Approx(energy(run.plan(), run.work(), car).total()).epsilon(1e-12));
}

TEST_CASE("every subsystem of a car on a bump obeys Newton and Euler with the reactions at its ports") {
  check_newton_euler(Moved("examples/vehicle/bump.json", 0.5));
}

TEST_CASE("every leg of a trotting quadruped obeys Newton and Euler with the reaction at its hip") {
  check_newton_euler(Moved("examples/quadruped_walk/quadruped_walk.json", 2.3));
}

TEST_CASE("a leg with a loop obeys Newton and Euler with the reaction at its mount") {
  check_newton_euler(Moved("subsystems/leg_fourbar/leg_fourbar.json", 0.6));
}

TEST_CASE("two mounts on one body keep their reactions apart: through the rack mount goes the force along the tie rod alone") {
  const Moved run("examples/vehicle/bump.json", 0.9);  // the rear wheel is on the bump
  for (const std::string corner : {"car.rear.left", "car.rear.right"}) {
    CAPTURE(corner);
    const int rack = find_port(run.model(), corner + ".rack"), chassis = find_port(run.model(), corner + ".chassis");
    REQUIRE(run.model().ports[rack].body == run.model().ports[chassis].body);
    const BodyIndex body = run.model().ports[rack].body;
    const Pose<double> moved = frame_pose(run.plan(), run.work(), body) * inverse(run.model().bodies[body.value].frame);
    const Placement& drawn = run.model().subsystems[run.subsystem(corner)].placement;
    const Vec3 inner = moved * drawn.point({-0.13, 0.395, 0.2445});
    int rod = 0;
    while (run.model().joints[rod].path != corner + ".rod") ++rod;
    const Vec3 along = joint_point(run.plan(), run.work(), {rod}) - inner;
    const Spatial6 reaction = port_reaction(run.plan(), run.work(), rack);
    CHECK(norm(reaction.linear) > 10);
    CHECK(norm(cross(reaction.linear, (1 / norm(along)) * along)) < 1e-9 * norm(reaction.linear));
    const Vec3 moment = cross(inner - port_position(run.plan(), run.work(), rack), reaction.linear);
    CHECK(norm(reaction.angular - moment) < 1e-9 * norm(reaction.linear));
    CHECK(norm(port_reaction(run.plan(), run.work(), chassis).linear) > 100);
  }
}

TEST_CASE("subsystems, ports and the whole model are channels, but none of them is chosen by default or by a pattern for something else") {
  const Moved run("examples/vehicle/vehicle.json", 0);
  const auto columns = [&](const std::vector<std::string>& paths) {
    std::vector<ChannelRequest> requests;
    for (const std::string& path : paths) requests.push_back({path, "", ""});
    return ChannelSet(run.plan(), requests).columns();
  };
  const auto reaction = columns({"front.left.chassis.reaction"});
  REQUIRE(reaction.size() == 6);
  CHECK(reaction[5].name == "front.left.chassis.reaction.moment.z");
  CHECK(reaction[5].unit == "N m");
  CHECK(columns({"front.energy"}).size() == 3);
  CHECK(columns({"front_left.momentum.angular.y"}).size() == 1);
  CHECK(columns({"momentum", "mass_centre", "front.mass_centre.position"}).size() == 6 + 6 + 3);
  CHECK(columns({"rear"}).size() == 3 + 6 + 6);
  CHECK(columns({"front*.momentum.linear.z"}).size() == 6);  // the axle, its corners and bar, two wheels
  for (const ChannelColumn& column : columns({"*.position"})) CHECK(column.name.find("mass_centre") == std::string::npos);
  for (const ChannelColumn& column : columns({})) CHECK(column.name.find("momentum") == std::string::npos);
  double value = 0;
  ChannelSet set(run.plan(), {{"mass_centre.position.z", "", ""}});
  set.read(run.plan(), run.work(), {&value, 1});
  CHECK(value == doctest::Approx(mass_centre(run.plan(), run.work()).position.z).epsilon(1e-15));
}

TEST_CASE("a subsystem or port that is not there is refused with the nearest path") {
  const Model model = load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", test::builtins());
  CHECK(find_subsystem(model, "") == 0);
  CHECK(model.subsystems[find_subsystem(model, "rear.left.strut")].path == "rear.left.strut");
  const auto suggestion = [&](const auto& find, const std::string& path) {
    try {
      find(path);
    } catch (const ModelError& error) {
      return error.diagnostics().at(0).suggestion;
    }
    return std::string("found");
  };
  CHECK(suggestion([&](const std::string& path) { (void)find_subsystem(model, path); }, "rear.lift") == "rear.left");
  CHECK(suggestion([&](const std::string& path) { (void)find_port(model, path); }, "rear.left.huv") == "rear.left.hub");
}

TEST_CASE("what hangs on an output at a mount goes through the mount too") {
  // A part of 1 kg on a mount, and 1 kg more on an output of the part that is a place of that mount.
  const Model model = parse_model(R"json({
    "arthron": 1, "name": "top",
    "bodies": { "base": { "mass": 3, "inertia": [1, 1, 1] }, "load": { "mass": 1, "inertia": [1, 1, 1] } },
    "joints": { "foot": { "type": "fixed", "parent": "ground", "child": "base", "at": [0, 0, 0] },
                "hook": { "type": "fixed", "parent": "part.place", "child": "load", "at": [0, 0, 0] } },
    "subsystems": { "part": { "connect": { "carrier": "base" },
      "use": { "ports": { "carrier": { "mount": true }, "place": { "output": "carrier", "at": [0, 0, 0] } },
               "bodies": { "own": { "mass": 1, "inertia": [1, 1, 1] } },
               "joints": { "weld": { "type": "fixed", "parent": "carrier", "child": "own", "at": [0, 0, 0] } } } } } })json",
                                  "top.json", test::builtins());
  Simulation simulation(std::make_shared<const Model>(model));
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.observe(true).ok());
  const auto vertical = [&](const char* path) {
    return port_reaction(simulation.plan(), simulation.workspace(), find_port(simulation.model(), path)).linear.z;
  };
  CHECK(vertical("part.place") == doctest::Approx(-9.81));
  CHECK(vertical("part.carrier") == doctest::Approx(-2 * 9.81));
}
