#pragma once
#include <array>

#include "arthron/model/load.hpp"
#include "support/random_model.hpp"

namespace arthron::test {

/// One joint of a registered type in a batch of its own, at random parameters, seen forward or reversed, as drawn or mirrored.
struct LoneJoint {
  const JointType& type;
  bool reversed;
  std::shared_ptr<const JointDefinition> definition;
  std::unique_ptr<JointBatch> batch;
  std::array<double, 8> q{};
  std::array<double, 6> u{};

  struct Position {
    Pose<double> X;
    std::array<Spatial6, 6> H;
  };

  LoneJoint(const Registry& registry, const std::string& name, bool reverse, bool mirrored, unsigned seed)
      : type(*registry.joint(name)), reversed(reverse) {
    RandomModel random(registry, seed);
    Json joint = random.keys_of(type, 0);
    joint["parent"] = "ground", joint["child"] = "body", joint["at"] = {0, 0, 0};
    const Json model{
        {"arthron", 1}, {"name", "lone"}, {"bodies", {{"body", {{"mass", 1}, {"inertia", {1, 1, 1}}}}}}, {"joints", {{"joint", joint}}}};
    definition = parse_model(model.dump(), "lone.json", registry).joints[0].definition;
    batch = type.make_batch();
    batch->add(*definition, {0, 0, 0, reversed, mirrored, 0});
    std::array<double, 6> chart{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(type.nu()); ++i) chart[i] = random.number(-1, 1), u[i] = random.number(-1, 1);
    type.from_chart(*definition, chart.data(), q.data());
  }

  Position at(const std::array<double, 8>& coordinates) const {
    Position position;
    batch->constants(&position.X, position.H.data());
    batch->position({0, 1}, coordinates.data(), &position.X, position.H.data());
    return position;
  }
  std::array<double, 8> moved(double dt) const {
    std::array<double, 8> qdot{}, next = q;
    batch->coordinate_rate({0, 1}, q.data(), u.data(), qdot.data());
    for (std::size_t i = 0; i < 8; ++i) next[i] += dt * qdot[i];
    batch->normalise({0, 1}, next.data(), 8);
    return next;
  }
  std::size_t nu() const { return static_cast<std::size_t>(type.nu()); }
};

}  // namespace arthron::test
