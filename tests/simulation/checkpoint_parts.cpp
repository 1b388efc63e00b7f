#include <doctest/doctest.h>

#include <cmath>

#include "arthron/simulation/run.hpp"
#include "support/folder.hpp"
#include "support/loaded.hpp"

/// Checkpoints of subsystems, and checkpoints that do not fit. Source of truth: the joints of the subsystem that was saved, which have the
/// same coordinates wherever its file is used, as a mirror image too.
using namespace arthron;

namespace {

constexpr const char* rig = ARTHRON_SOURCE_DIR "/subsystems/rigs/corner_rig.json";
constexpr const char* vehicle = ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json";
constexpr const char* axle = ARTHRON_SOURCE_DIR "/subsystems/double_wishbone/double_wishbone_axle.json";

std::shared_ptr<const Model> load(const std::string& file, const std::vector<ParameterOverride>& overrides = {}) {
  return std::make_shared<const Model>(load_model(file, test::builtins(), overrides));
}

Checkpoint saved(Simulation& simulation, const std::string& subsystem) {
  Checkpoint checkpoint;
  REQUIRE(simulation.save(subsystem, checkpoint).ok());
  return checkpoint;
}

/// Largest difference of coordinates and velocities.
double difference(const Checkpoint& a, const Checkpoint& b) {
  REQUIRE(a.joints.size() == b.joints.size());
  double largest = 0;
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    CHECK(a.joints[j].path == b.joints[j].path);
    for (std::size_t i = 0; i < a.joints[j].position.size(); ++i)
      largest = std::fmax(largest, std::fmax(std::abs(a.joints[j].position[i] - b.joints[j].position[i]),
                                             std::abs(a.joints[j].velocity[i] - b.joints[j].velocity[i])));
  }
  return largest;
}

double largest_position(const Checkpoint& checkpoint) {
  double largest = 0;
  for (const JointRecord& joint : checkpoint.joints)
    for (const double x : joint.position) largest = std::fmax(largest, std::abs(x));
  return largest;
}

/// Corner on its rig after a while, with the rack at `stroke` sin(pi t).
Checkpoint corner_on_rig(double stroke) {
  Simulation simulation(load(rig, {{"rack_stroke", stroke}}));
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(0.1373).ok());
  return saved(simulation, "corner");
}

std::string mistake_of(Simulation& simulation, const Checkpoint& checkpoint) {
  try {
    (void)simulation.resume(checkpoint);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the state of a corner on its rig goes into both front corners of a car, one of them a mirror image, and the car drives on") {
  const Checkpoint corner = corner_on_rig(0);
  CHECK(largest_position(corner) > 0.01);
  Simulation car(load(vehicle));
  REQUIRE(car.start().ok());
  REQUIRE(car.advance_to(0.0517).ok());
  const Resumption restored = car.restore({{"front.left", corner}, {"front.right", corner}});
  REQUIRE(restored.status.ok());
  CHECK(restored.exact);
  CHECK(car.state().t == 0.0517);
  CHECK(difference(saved(car, "front.left"), corner) < 1e-11);
  CHECK(difference(saved(car, "front.right"), corner) < 1e-11);
  REQUIRE(car.observe().ok());
  CHECK(closure_error(car.plan(), car.workspace()) < 1e-12);
  CHECK(closure_rate_error(car.plan(), car.workspace()) < 1e-9);
  CHECK(car.advance_to(0.1).ok());
}

TEST_CASE("a steered corner takes the car's rack along; what contradicts itself is restored as nearly as loops allow") {
  const Checkpoint corner = corner_on_rig(0.03);
  Simulation car(load(vehicle));
  REQUIRE(car.start().ok());
  CHECK(car.restore({{"front.left", corner}}).exact);
  CHECK(difference(saved(car, "front.left"), corner) < 1e-11);
  CHECK(std::abs(saved(car, "steering").joints.front().position.front()) > 1e-3);
  // The same on both sides would need the rack on both sides.
  const Resumption restored = car.restore({{"front.left", corner}, {"front.right", corner}});
  REQUIRE(restored.status.ok());
  CHECK_FALSE(restored.exact);
  REQUIRE(car.observe().ok());
  CHECK(closure_error(car.plan(), car.workspace()) < 1e-12);
  CHECK(difference(saved(car, "front.left"), corner) > 1e-6);
  CHECK(car.advance_to(0.01).ok());
}

TEST_CASE("a whole taken apart and put together again is the same whole") {
  Simulation source(load(axle)), target(load(axle));
  REQUIRE(source.start().ok());
  REQUIRE(source.advance_to(0.0371).ok());
  Checkpoint whole;
  REQUIRE(source.save(whole).ok());
  REQUIRE(target.start().ok());
  const Resumption restored = target.restore({{"left", whole.part("left")}, {"right", whole.part("right")}, {"bar", whole.part("bar")}});
  REQUIRE(restored.status.ok());
  CHECK(restored.exact);
  // Not the momenta: in loops they are unique only up to impulses that the loops bear.
  for (std::size_t i = 0; i < source.state().q.size(); ++i) CHECK(std::abs(source.state().q[i] - target.state().q[i]) < 1e-12);
  CHECK(difference(saved(source, ""), saved(target, "")) < 1e-11);
}

TEST_CASE("joints that are cut in one plan and belong to the tree in the other are taken over") {
  Model cut_elsewhere = *load(axle);
  for (Joint& joint : cut_elsewhere.joints) joint.cut.reset();
  for (Joint& joint : cut_elsewhere.joints)
    if (joint.path.ends_with("lower") || joint.path.ends_with("upper_ball")) joint.cut = joint.path.ends_with("lower");
  Simulation source(load(axle)), other(std::make_shared<const Model>(cut_elsewhere));
  const auto cut_joint = [](const Simulation& simulation, const std::string& path) {
    for (std::size_t j = 0; j < simulation.model().joints.size(); ++j)
      if (simulation.model().joints[j].path == path) return simulation.plan().joints[j].closure >= 0;
    FAIL("no such joint");
    return false;
  };
  REQUIRE(cut_joint(source, "left.upper_ball") != cut_joint(other, "left.upper_ball"));
  REQUIRE(cut_joint(source, "left.lower") != cut_joint(other, "left.lower"));
  REQUIRE(source.start().ok());
  REQUIRE(source.advance_to(0.0371).ok());
  const Checkpoint left = saved(source, "left");
  REQUIRE(other.start().ok());
  REQUIRE(other.restore({{"left", left}}).exact);
  CHECK(difference(saved(other, "left"), left) < 1e-10);

  Checkpoint whole;
  REQUIRE(source.save(whole).ok());
  const Resumption resumption = other.resume(whole);
  REQUIRE(resumption.status.ok());
  CHECK_FALSE(resumption.exact);
  CHECK(difference(saved(other, ""), saved(source, "")) < 1e-10);
}

TEST_CASE("a checkpoint of another model is refused with the first joint that differs") {
  Simulation car(load(vehicle)), corner(load(rig));
  REQUIRE(corner.start().ok());
  Checkpoint checkpoint;
  REQUIRE(corner.save(checkpoint).ok());
  checkpoint.file = "rig.json";
  CHECK(mistake_of(car, checkpoint).find("rig.json: /joints\n  found no joint \"drive\"; expected all joints of \"vehicle\"") == 0);
  REQUIRE(car.start().ok());
  CHECK_THROWS_AS((void)car.restore({{"front.leftt", checkpoint}}), ModelError);
  CHECK_THROWS_AS((void)car.save("nowhere", checkpoint), ModelError);
  CHECK_THROWS_AS((void)checkpoint.part("nowhere"), ModelError);

  REQUIRE(corner.save(checkpoint).ok());
  checkpoint.file = "rig.json";
  Checkpoint other_type = checkpoint;
  other_type.joints[1].type = "spherical";
  CHECK(mistake_of(corner, other_type).find("/joints/corner.upper/type\n  found \"spherical\"; expected \"revolute\"") !=
        std::string::npos);
  Checkpoint longer = checkpoint;
  longer.joints[0].position.push_back(1);
  CHECK(mistake_of(corner, longer).find("/joints/corner.lower/position\n  found 2 numbers; expected 1") != std::string::npos);
  Checkpoint more = checkpoint;
  more.joints.push_back({"corner.extra", "revolute", {0}, {0}});
  CHECK(mistake_of(corner, more).find("/joints/corner.extra\n  found joint \"corner.extra\"") != std::string::npos);
  Checkpoint step = checkpoint;
  step.step->y.pop_back();
  CHECK(mistake_of(corner, step).find("/integrator/step/state") != std::string::npos);
  CHECK(mistake_of(corner, checkpoint).empty());
}

TEST_CASE("the code of docs/checkpoints.md does what it says") {
  const test::Folder folder;
  const std::string state_file = folder.file("state.json");
  const auto model = load(rig);
  {
    arthron::Simulation simulation(model);
    arthron::Checkpoint checkpoint;
    if (!simulation.start().ok() || !simulation.advance_to(0.05).ok() || !simulation.save(checkpoint).ok()) FAIL("no checkpoint");
    arthron::write_checkpoint(checkpoint, state_file);
  }
  arthron::Simulation simulation(model);
  const arthron::Resumption resumption = simulation.resume(arthron::read_checkpoint(state_file));
  if (!resumption.status.ok()) FAIL("cannot go on");
  CHECK(resumption.exact);
  CHECK(simulation.state().t == 0.05);
  CHECK(folder.names() == std::vector<std::string>{"state.json"});

  const arthron::Checkpoint corner = arthron::read_checkpoint(state_file).part("corner");
  arthron::Simulation car(load(vehicle));
  if (!car.start().ok()) FAIL("no start");
  CHECK(car.restore({{"front.left", corner}, {"front.right", corner}}).status.ok());
}
