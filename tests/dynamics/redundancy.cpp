#include <doctest/doctest.h>

#include <Eigen/QR>
#include <numeric>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/dynamics/stages.hpp"
#include "support/loaded.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

Loaded example(const std::string& name) {
  return Loaded(load_model(std::string(ARTHRON_SOURCE_DIR "/examples/") + name + '/' + name + ".json", builtins()));
}

/// Relative velocity in the cut joints, six rows a closure with rotations measured in lengths, for one unit of each free velocity.
Eigen::MatrixXd relative_motion(Loaded& loaded) {
  const Plan& plan = *loaded.plan;
  Workspace& work = *loaded.work;
  Eigen::MatrixXd J(6 * static_cast<int>(plan.closures.size()), plan.nu);
  for (int i = 0; i < plan.nu; ++i) {
    std::fill(work.u.begin(), work.u.end(), 0);
    work.u[i] = 1;
    forward_velocities(plan, work);
    for (std::size_t c = 0; c < plan.closures.size(); ++c) {
      const ClosureWork::Cut& cut = work.closures->cuts[c];
      const Spatial6 V = velocity_at(work.body[plan.closures[c].child].V, cut.arm_child) -
                         velocity_at(work.body[plan.closures[c].parent].V, cut.arm_parent);
      J.block<3, 1>(6 * static_cast<int>(c), i) = dense(V.linear);
      J.block<3, 1>(6 * static_cast<int>(c) + 3, i) = work.closures->scale[c] * dense(V.angular);
    }
  }
  return J;
}

}  // namespace

TEST_CASE("ranks of the closures add up to the rank of the whole constraint Jacobian, found by QR with pivoting") {
  for (const char* name : {"loop4", "loop8", "double_loop", "three_rrr", "rssr", "carpet_scraper", "excavator"}) {
    CAPTURE(name);
    Loaded loaded = example(name);
    REQUIRE(loaded.accelerate().ok());
    const std::vector<int> ranks = closure_ranks(*loaded.plan, *loaded.work);
    int rows = 0;
    for (const PlanClosure& closure : loaded.plan->closures) rows += closure.rows;
    Eigen::MatrixXd constrained(rows, loaded.plan->nu);
    const Eigen::MatrixXd motion = relative_motion(loaded);
    for (int c = 0, row = 0; c < static_cast<int>(ranks.size()); row += loaded.plan->closures[c++].rows) {
      const ClosureWork::Cut& cut = loaded.work->closures->cuts[c];
      const double scale = loaded.work->closures->scale[c];
      for (int r = 0; r < loaded.plan->closures[c].rows; ++r) {
        Vector6 D = dense(cut.D[r]);
        D.tail<3>() /= scale;
        constrained.row(row + r) = D.transpose() * motion.middleRows<6>(6 * c);
      }
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(constrained);
    qr.setThreshold(1e-7);
    CHECK(std::accumulate(ranks.begin(), ranks.end(), 0) == qr.rank());
  }
}

TEST_CASE("the redundant directions of a single loop are those in which no velocity of the tree opens the cut") {
  for (const char* name : {"loop4", "loop8"}) {
    CAPTURE(name);
    Loaded loaded = example(name);
    REQUIRE(loaded.accelerate().ok());
    const std::vector<Spatial6> directions = redundant_directions(*loaded.plan, *loaded.work, 0);
    REQUIRE(directions.size() == 3);
    const Eigen::MatrixXd motion = relative_motion(loaded);
    for (const Spatial6& direction : directions) {
      CHECK(dense(direction).norm() == doctest::Approx(1));
      CHECK((dense(direction).transpose() * motion).norm() < 1e-14 * motion.norm());
    }
  }
}
