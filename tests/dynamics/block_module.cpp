#include "arthron/dynamics/block_module.hpp"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/stages.hpp"
#include "support/closed_graph.hpp"
#include "support/disagreement.hpp"
#include "support/repository.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// Asked of the formulation: accelerations, joint accelerations and reactions relative to the largest of each kind.
constexpr double agreement = 1e-9;

/// Accelerations and reactions as evaluate_accelerations left them.
struct Solution {
  std::vector<Spatial6> A, F;
  std::vector<double> udot;
  Eigen::VectorXd sigma;  // all rows, one closure behind the other
};

Eigen::VectorXd multipliers(const Loaded& model) {
  Eigen::VectorXd sigma(0);
  for (std::size_t c = 0; c < model.plan->closures.size(); ++c) {
    const int rows = model.plan->closures[c].rows;
    sigma.conservativeResize(sigma.size() + rows);
    sigma.tail(rows) = model.work->closures->cuts[c].sigma.head(rows);
  }
  return sigma;
}

Solution solution(const Loaded& model) {
  const Workspace& work = *model.work;
  return {{work.A.begin(), work.A.end()}, {work.F.begin(), work.F.end()}, work.udot, multipliers(model)};
}

/// The block modules in place of what evaluate_accelerations does last; what they are to find is made NaN before.
Status accelerate_by_modules(Loaded& model, BlockModuleWork& modules) {
  const Plan& plan = *model.plan;
  Workspace& work = *model.work;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Spatial6 unknown{{nan, nan, nan}, {nan, nan, nan}};
  std::fill(work.A.begin() + plan.grounds, work.A.end(), unknown);
  std::fill(work.F.begin(), work.F.end(), unknown);
  std::fill(work.udot.begin(), work.udot.end(), nan);
  if (work.closures)
    for (ClosureWork::Cut& cut : work.closures->cuts) cut.sigma.setConstant(nan);
  const Status status = block_module_accelerations(plan, work, modules);
  if (!status.ok()) return status;
  if (work.closures) closure_reactions(plan, work);
  reactions(plan, work);
  return status;
}

/// Largest difference of accelerations from those in the workspace, of bodies and of joints, relative to the largest, or to gravity where
/// all is held.
template <class A>
double acceleration_error(const Plan& plan, const A& bodies, const std::vector<double>& joints, const Workspace& other) {
  double worst = 0, largest = 1e-9 + norm(plan.model->gravity);
  for (std::size_t b = static_cast<std::size_t>(plan.grounds); b < plan.bodies.size(); ++b) {
    const Spatial6 x = bodies[b], y = other.A[b];
    raise(worst, size(x - y)), raise(largest, size(x));
  }
  for (std::size_t c = 0; c < joints.size(); ++c) raise(worst, std::abs(joints[c] - other.udot[c])), raise(largest, std::abs(joints[c]));
  return worst / largest;
}

double reaction_error(const Plan& plan, const std::vector<Spatial6>& F, const Workspace& other) {
  double worst = 0, largest = 1e-9;
  for (std::size_t b = static_cast<std::size_t>(plan.grounds); b < plan.bodies.size(); ++b) {
    const Spatial6 y = other.F[b];
    raise(worst, size(F[b] - y)), raise(largest, size(F[b]));
  }
  return worst / largest;
}

/// Openings of all closure rows per unit of each free velocity; overwrites the velocities of the workspace.
Eigen::MatrixXd constraint_jacobian(Loaded& model) {
  const Plan& plan = *model.plan;
  Workspace& work = *model.work;
  int rows = 0;
  for (const PlanClosure& closure : plan.closures) rows += closure.rows;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows, plan.nu);
  for (int g = 0; g < plan.grounds; ++g) work.body[static_cast<std::size_t>(g)].V = Wide6::zero();
  for (int i = 0; i < plan.nu; ++i) {
    std::fill(work.u.begin(), work.u.end(), 0);
    work.u[static_cast<std::size_t>(i)] = 1;
    forward_velocities(plan, work);
    int row = 0;
    for (std::size_t c = 0; c < plan.closures.size(); ++c) {
      const PlanClosure& closure = plan.closures[c];
      const ClosureWork::Cut& cut = work.closures->cuts[c];
      if (closure.coupling >= 0) {
        for (const Coupling::Term& term : plan.model->couplings[static_cast<std::size_t>(closure.coupling)].terms)
          if (plan.joints[static_cast<std::size_t>(term.joint.value)].u + term.freedom == i) J(row, i) += term.coefficient;
      } else {
        const Spatial6 V = velocity_at(work.body[static_cast<std::size_t>(closure.child)].V, cut.arm_child) -
                           velocity_at(work.body[static_cast<std::size_t>(closure.parent)].V, cut.arm_parent);
        for (int r = 0; r < closure.rows; ++r) J(row + r, i) = dense(cut.D[static_cast<std::size_t>(r)]).dot(dense(V));
      }
      row += closure.rows;
    }
  }
  return J;
}

/// Orthonormal basis of the multipliers that no freedom of the tree feels.
Eigen::MatrixXd unfelt(const Eigen::MatrixXd& J) {
  if (J.rows() == 0) return J;
  if (J.cols() == 0) return Eigen::MatrixXd::Identity(J.rows(), J.rows());
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(J);
  qr.setThreshold(1e-7);
  const Eigen::MatrixXd Q = qr.householderQ();
  return Q.rightCols(J.rows() - qr.rank());
}

/// Whether every null vector can be made of null vectors of single closures.
struct Redundancy {
  int all = 0, within_closures = 0;
};

Redundancy check_model(Loaded& model) {
  REQUIRE(model.accelerate().ok());
  const Plan& plan = *model.plan;
  const std::size_t moving = plan.bodies.size() - static_cast<std::size_t>(plan.grounds);
  const bool small = moving > 0 && moving <= 80;  // the dense oracle is cubic
  const Solution folded = solution(model);
  BlockModuleWork modules(plan);
  REQUIRE(accelerate_by_modules(model, modules).ok());
  const Solution found = solution(model);
  CHECK(acceleration_error(plan, folded.A, folded.udot, *model.work) < agreement);
  DenseSolution dense;
  if (small) {
    dense = dense_accelerations(plan, *model.work);
    CHECK(acceleration_error(plan, dense.A, dense.udot, *model.work) < agreement);
  }
  if (!model.work->closures) {
    CHECK(reaction_error(plan, small ? dense.F : folded.F, *model.work) < agreement);
    return {};
  }
  const Eigen::MatrixXd J = constraint_jacobian(model);
  const Eigen::MatrixXd null = unfelt(J);
  if (null.cols() == 0) CHECK(reaction_error(plan, small ? dense.F : folded.F, *model.work) < agreement);
  // Relative to what multipliers of this size could do.
  const double size = 1e-9 + found.sigma.norm();
  CHECK((null.transpose() * found.sigma).norm() <= agreement * size);
  CHECK((J.transpose() * (found.sigma - folded.sigma)).norm() <= agreement * J.norm() * (size + folded.sigma.norm()));
  Redundancy redundancy{static_cast<int>(null.cols()), 0};
  int row = 0;
  for (const PlanClosure& closure : plan.closures) {
    redundancy.within_closures += static_cast<int>(unfelt(J.middleRows(row, closure.rows)).cols());
    row += closure.rows;
  }
  return redundancy;
}

/// Some motion: momenta that phase one brings onto the closures.
void set_moving(Loaded& model, unsigned seed) {
  for (std::size_t i = 0; i < model.state.p.size(); ++i) model.state.p[i] += 0.1 * std::sin(3.0 * static_cast<double>(i) + seed);
}

Redundancy check_text(const Json& json, unsigned seed) {
  Loaded model = Loaded::text(json.dump(), "auto");
  set_moving(model, seed);
  return check_model(model);
}

}  // namespace

TEST_CASE("random trees over all joint and force types: block modules and the dense oracle agree on accelerations and reactions") {
  for (unsigned seed = 401; seed <= 440; ++seed) {
    CAPTURE(seed);
    check_text(RandomModel(builtins(), seed).tree(1 + static_cast<int>(seed - 400)), seed);
  }
}

TEST_CASE("random closed graphs: block modules and the dense oracle agree") {
  for (unsigned seed = 441; seed <= 480; ++seed) {
    CAPTURE(seed);
    check_text(closed_graph(seed, 6 + static_cast<int>(seed % 9), 1 + static_cast<int>(seed % 5)), seed);
  }
}

TEST_CASE("random closed graphs with coupled joints: block modules and the dense oracle agree") {
  for (unsigned seed = 481; seed <= 520; ++seed) {
    CAPTURE(seed);
    Json model = closed_graph(seed, 8 + static_cast<int>(seed % 7), 1 + static_cast<int>(seed % 3));
    couple(model, seed);
    check_text(model, seed);
  }
}

TEST_CASE("random graphs with a driven tree joint in a coupling and a driven cut joint: block modules and the dense oracle agree") {
  for (unsigned seed = 521; seed <= 540; ++seed) {
    CAPTURE(seed);
    check_text(driven_graph(seed), seed);
  }
}

TEST_CASE("every model of the repository: block modules agree with the dense oracle, or with folding where that is too large") {
  for (const std::string& file : model_files({"examples", "subsystems"})) {
    CAPTURE(file);
    Loaded model(load_model(file, builtins()));
    // Measurements are connected above the dynamics; here they stand still.
    for (Signal& signal : model.work->signals) signal.value = 0.1;
    set_moving(model, 5);
    check_model(model);
  }
}
