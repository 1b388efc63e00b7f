#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "support/random_model.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// One joint of a registered type in a batch of its own, at random parameters, seen forward or reversed.
struct LoneJoint {
  const JointType& type;
  std::shared_ptr<const JointDefinition> definition;
  std::unique_ptr<JointBatch> batch;
  std::array<double, 7> q{};
  std::array<double, 6> u{};

  struct Position {
    Pose<double> X;
    std::array<Spatial6, 6> H;
  };

  LoneJoint(const Registry& registry, const std::string& name, bool reversed, unsigned seed) : type(*registry.joint(name)) {
    RandomModel random(registry, seed);
    Json joint = random.keys_of(type, 0);
    joint["parent"] = "ground", joint["child"] = "body", joint["at"] = {0, 0, 0};
    const Json model{
        {"arthron", 1}, {"name", "lone"}, {"bodies", {{"body", {{"mass", 1}, {"inertia", {1, 1, 1}}}}}}, {"joints", {{"joint", joint}}}};
    definition = parse_model(model.dump(), "lone.json", registry).joints[0].definition;
    batch = type.make_batch();
    batch->add(*definition, {0, 0, 0, reversed});
    std::array<double, 6> chart{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(type.nu()); ++i) chart[i] = random.number(-1, 1), u[i] = random.number(-1, 1);
    type.from_chart(*definition, chart.data(), q.data());
  }

  Position at(const std::array<double, 7>& coordinates) const {
    Position position;
    batch->constants(&position.X, position.H.data());
    batch->position(coordinates.data(), &position.X, position.H.data());
    return position;
  }
  std::array<double, 7> moved(double dt) const {
    std::array<double, 7> qdot{}, next = q;
    batch->coordinate_rate(q.data(), u.data(), qdot.data());
    for (std::size_t i = 0; i < 7; ++i) next[i] += dt * qdot[i];
    batch->normalise(next.data(), 7);
    return next;
  }
  std::size_t nu() const { return static_cast<std::size_t>(type.nu()); }
};

constexpr double step = 1e-5;  // central differences: truncation step^2, rounding eps/step
constexpr double difference_error = 1e-9;

template <class Check>
void for_every_joint(Check check) {
  const Registry registry = builtin_registry();
  for (const auto& [name, type] : registry.joints())
    for (const bool reversed : {false, true})
      for (unsigned seed = 1; seed <= 5; ++seed) {
        CAPTURE(name);
        CAPTURE(reversed);
        CAPTURE(seed);
        check(LoneJoint(registry, name, reversed, seed));
      }
}

}  // namespace

TEST_CASE("every registered joint: H matches the finite difference of its pose, forward and reversed") {
  for_every_joint([](const LoneJoint& joint) {
    const auto now = joint.at(joint.q), before = joint.at(joint.moved(-step)), after = joint.at(joint.moved(step));
    Spatial6 V;
    for (std::size_t i = 0; i < joint.nu(); ++i) V += joint.u[i] * now.H[i];
    const Vec3 v = (0.5 / step) * (after.X.p - before.X.p);
    CHECK(norm(V.linear - v) < difference_error);
    // Rdot = w~ R, so Rdot x = w x (R x).
    for (const Vec3& x : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
      CHECK(norm((0.5 / step) * (after.X.R * x - before.X.R * x) - cross(V.angular, now.X.R * x)) < difference_error);
  });
}

TEST_CASE("every registered joint: Hdot matches the finite difference of H, forward and reversed") {
  for_every_joint([](const LoneJoint& joint) {
    if (!joint.batch->varies()) return;
    std::array<Spatial6, 6> Hdot;
    joint.batch->rate(joint.q.data(), joint.u.data(), Hdot.data());
    const auto before = joint.at(joint.moved(-step)), after = joint.at(joint.moved(step));
    for (std::size_t i = 0; i < joint.nu(); ++i) {
      const Spatial6 difference = (0.5 / step) * (after.H[i] - before.H[i]) - Hdot[i];
      CHECK(norm(difference.linear) + norm(difference.angular) < 2 * difference_error);
    }
  });
}

TEST_CASE("every registered joint: columns keep the shape they declare") {
  for_every_joint([](const LoneJoint& joint) {
    const auto now = joint.at(joint.q);
    bool slides = false;
    for (std::size_t i = 0; i < joint.nu(); ++i) slides = slides || joint.type.shape(static_cast<int>(i)) != ColumnShape::rotation;
    for (std::size_t i = 0; i < joint.nu(); ++i) {
      if (joint.type.shape(static_cast<int>(i)) == ColumnShape::translation) CHECK(norm(now.H[i].angular) == 0);
      if (joint.type.shape(static_cast<int>(i)) == ColumnShape::rotation && !slides) CHECK(norm(now.H[i].linear) == 0);
    }
  });
}

TEST_CASE("every registered joint: user coordinates survive the way to q and back, and their motion gives u") {
  for_every_joint([](const LoneJoint& joint) {
    std::array<double, 6> chart{}, back{}, u{}, udot{};
    std::array<TimeFunction::Sample, 6> motion;
    joint.type.to_chart(*joint.definition, joint.q.data(), chart.data());
    const auto q_at = [&](double dt) {
      std::array<double, 6> moved = chart;
      std::array<double, 7> q{};
      for (std::size_t i = 0; i < joint.nu(); ++i) moved[i] += dt * joint.u[i];
      joint.type.from_chart(*joint.definition, moved.data(), q.data());
      return q;
    };
    const auto q = q_at(0);
    joint.type.to_chart(*joint.definition, q.data(), back.data());
    for (std::size_t i = 0; i < joint.nu(); ++i) {
      CHECK(back[i] == doctest::Approx(chart[i]).epsilon(1e-14));
      motion[i] = {chart[i], joint.u[i], 0};
    }
    // q(t) follows the chart; N(q) u must be its rate.
    joint.type.chart_motion(*joint.definition, motion.data(), u.data(), udot.data());
    std::array<double, 7> qdot{};
    joint.batch->coordinate_rate(q.data(), u.data(), qdot.data());
    const auto before = q_at(-step), after = q_at(step);
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.type.nq()); ++i)
      CHECK(std::abs((after[i] - before[i]) / (2 * step) - qdot[i]) < difference_error);
  });
}
