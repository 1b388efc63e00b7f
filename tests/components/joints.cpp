#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "arthron/spatial/rotation_vector.hpp"
#include "support/lone_joint.hpp"
#include "support/pose_only.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

constexpr double step = 1e-5;  // central differences: truncation step^2, rounding eps/step
constexpr double difference_error = 1e-9;

template <class Check>
void for_every_joint(Check check) {
  const Registry registry = pose_only_registry();
  for (const auto& [name, type] : registry.joints())
    for (const bool reversed : {false, true})
      for (unsigned seed = 1; seed <= 6; ++seed) {
        const bool mirrored = seed % 2 == 0;
        CAPTURE(name);
        CAPTURE(reversed);
        CAPTURE(mirrored);
        CAPTURE(seed);
        check(LoneJoint(registry, name, reversed, mirrored, seed));
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
    joint.batch->rate({0, 1}, joint.q.data(), joint.u.data(), Hdot.data());
    const auto before = joint.at(joint.moved(-step)), after = joint.at(joint.moved(step));
    for (std::size_t i = 0; i < joint.nu(); ++i) {
      const Spatial6 difference = (0.5 / step) * (after.H[i] - before.H[i]) - Hdot[i];
      CHECK(norm(difference.linear) + norm(difference.angular) < 2 * difference_error);
    }
  });
}

TEST_CASE(
    "every joint that gives its complement: unit vectors across one another and across H, with the rates of their finite difference") {
  const auto directions = [](const LoneJoint& joint, const Pose<double>& X) {
    std::array<Spatial6, 6> D;
    joint.batch->complement({0, 1}, &X, D.data());
    return D;
  };
  int joints = 0;
  for_every_joint([&](const LoneJoint& joint) {
    if (!joint.batch->gives_complement() || joint.reversed) return;
    ++joints;
    const std::size_t rows = 6 - joint.nu();
    const auto now = joint.at(joint.q);
    const auto D = directions(joint, now.X), before = directions(joint, joint.at(joint.moved(-step)).X),
               after = directions(joint, joint.at(joint.moved(step)).X);
    Spatial6 V;
    for (std::size_t i = 0; i < joint.nu(); ++i) V += joint.u[i] * now.H[i];
    std::array<Spatial6, 6> rate;
    joint.batch->complement_rate({0, 1}, &now.X, &V, rate.data());
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t i = 0; i < joint.nu(); ++i) CHECK(std::abs(dot(D[r], now.H[i])) < 1e-14);
      for (std::size_t s = 0; s < rows; ++s) CHECK(std::abs(dot(D[r], D[s]) - (r == s ? 1 : 0)) < 1e-14);
      CHECK(norm(D[r].linear) * norm(D[r].angular) == 0);
      const Spatial6 difference = (0.5 / step) * (after[r] - before[r]) - rate[r];
      CHECK(norm(difference.linear) + norm(difference.angular) < 2 * difference_error);
    }
  });
  CHECK(joints > 0);
}

TEST_CASE("every joint that gives its complement: no gap at its own poses, and nearby the displacement along the constrained directions") {
  for_every_joint([](const LoneJoint& joint) {
    if (!joint.batch->gives_complement() || joint.reversed) return;
    const Pose<double> X = joint.at(joint.q).X;
    Spatial6 gap;
    joint.batch->gap({0, 1}, &X, &gap);
    CHECK(norm(gap.linear) + norm(gap.angular) < 1e-14);
    std::array<Spatial6, 6> D;
    joint.batch->complement({0, 1}, &X, D.data());
    for (std::size_t r = 0; r < 6 - joint.nu(); ++r) {
      const auto moved = [&](double distance) {
        const auto turn = quaternion_of(distance * D[r].angular);
        const Pose<double> displaced{quaternion_rotation(turn[0], turn[1], turn[2], turn[3]) * X.R, X.p + distance * D[r].linear};
        joint.batch->gap({0, 1}, &displaced, &gap);
        return gap;
      };
      const Spatial6 difference = (0.5 / step) * (moved(step) - moved(-step)) - D[r];
      CHECK(norm(difference.linear) + norm(difference.angular) < difference_error);
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

TEST_CASE("every registered joint: user coordinates survive the way to q and back, and their motion gives u and its rate") {
  for_every_joint([](const LoneJoint& joint) {
    std::array<double, 6> chart{}, back{};
    joint.type.to_chart(*joint.definition, joint.q.data(), chart.data());
    const auto q_at = [&](double t) {
      std::array<double, 6> moved = chart;
      std::array<double, 8> q{};
      for (std::size_t i = 0; i < joint.nu(); ++i) moved[i] += t * joint.u[i] + t * t * joint.u[joint.nu() - 1 - i];
      joint.type.from_chart(*joint.definition, moved.data(), q.data());
      return q;
    };
    const auto velocity = [&](double t) {
      std::array<TimeFunction::Sample, 6> motion;
      std::array<double, 6> u{}, udot{};
      for (std::size_t i = 0; i < joint.nu(); ++i) {
        const double curve = joint.u[joint.nu() - 1 - i];
        motion[i] = {chart[i] + t * joint.u[i] + t * t * curve, joint.u[i] + 2 * t * curve, 2 * curve};
      }
      joint.type.chart_motion(*joint.definition, motion.data(), u.data(), udot.data());
      std::array<Spatial6, 6> Hdot{};
      const auto q = q_at(t);
      if (joint.batch->varies()) joint.batch->rate({0, 1}, q.data(), u.data(), Hdot.data());
      const auto H = joint.at(q).H;
      std::pair<Spatial6, Spatial6> result;
      for (std::size_t i = 0; i < joint.nu(); ++i) {
        result.first += u[i] * H[i];
        result.second += udot[i] * H[i] + u[i] * Hdot[i];
      }
      return result;
    };
    const auto q = q_at(0);
    joint.type.to_chart(*joint.definition, q.data(), back.data());
    for (std::size_t i = 0; i < joint.nu(); ++i) CHECK(back[i] == doctest::Approx(chart[i]).epsilon(1e-14));

    // The pose follows the chart: H u must be its velocity, and H udot + Hdot u the rate of that.
    const auto [V, A] = velocity(0);
    const auto now = joint.at(q), before = joint.at(q_at(-step)), after = joint.at(q_at(step));
    CHECK(norm(V.linear - (0.5 / step) * (after.X.p - before.X.p)) < difference_error);
    for (const Vec3& x : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
      CHECK(norm((0.5 / step) * (after.X.R * x - before.X.R * x) - cross(V.angular, now.X.R * x)) < 2 * difference_error);
    const Spatial6 difference = (0.5 / step) * (velocity(step).first - velocity(-step).first) - A;
    CHECK(norm(difference.linear) + norm(difference.angular) < 10 * difference_error);
  });
}

TEST_CASE("every registered joint: rates of the user coordinates match their finite difference, and efforts do their work") {
  for_every_joint([](const LoneJoint& joint) {
    std::array<double, 6> before{}, after{}, rate{}, effort{};
    joint.type.to_chart(*joint.definition, joint.moved(-step).data(), before.data());
    joint.type.to_chart(*joint.definition, joint.moved(step).data(), after.data());
    joint.type.chart_rate(*joint.definition, joint.q.data(), joint.u.data(), rate.data());
    const std::array<double, 6> force{0.3, -0.7, 1.1, 0.2, -0.5, 0.9};
    joint.type.chart_effort(*joint.definition, joint.q.data(), force.data(), effort.data());
    double work_of_force = 0, work_of_effort = 0;
    for (std::size_t i = 0; i < joint.nu(); ++i) {
      CHECK(std::abs((after[i] - before[i]) / (2 * step) - rate[i]) < 2 * difference_error);
      work_of_force += force[i] * rate[i], work_of_effort += effort[i] * joint.u[i];
    }
    CHECK(work_of_effort == doctest::Approx(work_of_force).epsilon(1e-13));
  });
}
