#include "support/pose_only.hpp"

#include <doctest/doctest.h>

#include "arthron/components/builtins.hpp"
#include "support/single_joint.hpp"

using namespace arthron;
using namespace arthron::test;

TEST_CASE("columns and rates that are derived from the pose equal the closed forms of every built-in joint to rounding") {
  const Registry builtins = builtin_registry(), registry = pose_only_registry();
  int twins = 0;
  for (const auto& [name, type] : builtins.joints()) {
    if (!registry.joint("pose/" + name)) continue;
    ++twins;
    for (const bool reversed : {false, true})
      for (unsigned seed = 1; seed <= 6; ++seed) {
        CAPTURE(name);
        CAPTURE(seed);
        const DrawnJoint closed_form(registry, name, reversed, seed % 2 == 0, seed),
            from_pose(registry, "pose/" + name, reversed, seed % 2 == 0, seed);
        const SingleJoint &closed = closed_form.joint, &derived = from_pose.joint;
        const auto a = closed.at(closed.q), b = derived.at(closed.q);
        CHECK(norm(a.X.p - b.X.p) < 3e-15);
        std::array<Spatial6, 6> a_rate{}, b_rate{};
        closed.batch->rate({0, 1}, closed.q.data(), closed.u.data(), a_rate.data());
        derived.batch->rate({0, 1}, closed.q.data(), closed.u.data(), b_rate.data());
        for (std::size_t i = 0; i < closed.nu(); ++i) {
          CHECK(norm(a.H[i].linear - b.H[i].linear) + norm(a.H[i].angular - b.H[i].angular) < 3e-15);
          CHECK(norm(a_rate[i].linear - b_rate[i].linear) + norm(a_rate[i].angular - b_rate[i].angular) < 2e-14);
        }
      }
  }
  CHECK(twins >= 13);
}
