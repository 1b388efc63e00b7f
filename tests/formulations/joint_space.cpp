#include "arthron/formulations/joint_space/joint_space.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include "arthron/dynamics/closures.hpp"
#include "arthron/formulations/joint_space/subsystem_system.hpp"
#include "support/closed_graph.hpp"
#include "support/disagreement.hpp"

/// Accelerations in joint coordinates, multipliers found all at once or block by block, against the dense oracle.
using namespace arthron;
using namespace arthron::test;

namespace {

constexpr MultiplierSolve both_solves[] = {MultiplierSolve::whole_system, MultiplierSolve::subsystems};
constexpr double dense_tolerance = 1e-9;

std::vector<double> multipliers(const Plan& plan, const Workspace& work) {
  std::vector<double> sigma;
  for (std::size_t c = 0; c < plan.closures.size(); ++c)
    for (int r = 0; r < plan.closures[c].rows; ++r) sigma.push_back(work.closures->cuts[c].sigma[r]);
  return sigma;
}

double largest(const std::vector<double>& values) {
  double size = 1e-9;
  for (const double value : values) raise(size, std::abs(value));
  return size;
}

double multiplier_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) raise(worst, std::abs(a[i] - b[i]));
  return worst / largest(a);
}

void check_against_oracle(Loaded& model) {
  REQUIRE(model.accelerate().ok());
  const DenseSolution dense = dense_accelerations(*model.plan, *model.work);
  for (const MultiplierSolve solve : both_solves) {
    CAPTURE(static_cast<int>(solve));
    JointSpaceWork own(*model.plan, solve);
    REQUIRE(evaluate_joint_space(*model.plan, model.state.t, model.state.q.data(), model.state.p.data(), *model.work, own).ok());
    CHECK(disagreement(*model.plan, dense.A, dense.F, dense.udot, *model.work) < dense_tolerance);
    if (model.work->closures) CHECK(multiplier_difference(dense.sigma, multipliers(*model.plan, *model.work)) < dense_tolerance);
  }
}

}  // namespace

TEST_CASE("a joint that is there twice, and a coupling that is, share their multipliers evenly") {
  Json model = parallel_cranks(2);
  model["joints"]["again"] = model["joints"]["top1"];
  model["couplings"]["gear"]["terms"] = {{"foot0", 2}, {"foot1", -2}};
  model["couplings"]["gear_again"]["terms"] = {{"foot0", 2}, {"foot1", -2}};
  Loaded loaded = Loaded::text(model.dump());
  check_against_oracle(loaded);
  const std::vector<ClosureWork::Cut>& cuts = loaded.work->closures->cuts;
  REQUIRE(cuts.size() == 4);
  CHECK((cuts[0].sigma - cuts[1].sigma).norm() < 1e-12 * cuts[0].sigma.norm());
  CHECK(std::abs(cuts[2].sigma[0] - cuts[3].sigma[0]) < 1e-12 * std::abs(cuts[2].sigma[0]));
  CHECK(std::abs(cuts[2].sigma[0]) > 1e-3);
}

namespace {

/// A semidefinite matrix of some rank, in the pattern of a row of closures of which neighbours are coupled, and two at the ends.
struct Semidefinite {
  std::vector<int> rows;
  std::vector<std::pair<int, int>> coupled;
  Eigen::MatrixXd A;

  Semidefinite(unsigned seed, int closures, bool deficient) {
    RandomModel random(builtins(), seed);
    std::vector<int> first{0};
    for (int c = 0; c < closures; ++c) rows.push_back(random.integer(1, 6)), first.push_back(first.back() + rows.back());
    for (int c = 0; c + 1 < closures; ++c) coupled.emplace_back(c, c + 1);
    if (closures > 2) coupled.emplace_back(0, closures - 1);
    // J of as many branches as closures: branch c carries the closures c and c + 1.
    const int width = deficient ? 4 : 8;
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(first.back(), width * closures);
    for (int c = 0; c < closures; ++c)
      for (const int closure : {c, (c + 1) % closures})
        for (int r = 0; r < rows[closure]; ++r)
          for (int k = 0; k < width; ++k) J(first[closure] + r, width * c + k) = random.number(-1, 1);
    A = J * J.transpose();
  }

  void write(MultiplierSystem& system) const {
    system.clear();
    std::vector<int> first{0};
    for (const int count : rows) first.push_back(first.back() + count);
    const auto write_block = [&](int r, int s) {
      const MultiplierSystem::Place place = system.block(r, s);
      for (int i = 0; i < rows[r]; ++i)
        for (int j = 0; j < rows[s]; ++j) place.values[i * place.row_stride + j * place.column_stride] = A(first[r] + i, first[s] + j);
    };
    for (int c = 0; c < static_cast<int>(rows.size()); ++c) write_block(c, c);
    for (const auto& [r, s] : coupled) write_block(r, s);
  }
};

}  // namespace

TEST_CASE("both solves are the pseudo-inverse of the constraint matrix, also of less than full rank and for rows that contradict") {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    const Semidefinite given(seed, 1 + static_cast<int>(seed % 12), seed % 2 == 0);
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> oracle = [&] {
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
      cod.setThreshold(1e-9);
      return cod.compute(given.A);
    }();
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(given.A.rows(), -1, 2);
    const Eigen::VectorXd expected = oracle.solve(b);
    const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(given.A, Eigen::EigenvaluesOnly).eigenvalues();
    const double condition = eigenvalues[eigenvalues.size() - 1] / eigenvalues[eigenvalues.size() - oracle.rank()];
    const auto check = [&](MultiplierSystem& system, double amplification) {
      given.write(system);
      system.factor();
      Eigen::VectorXd x = b;
      system.solve(x.data());
      int rank = 0;
      for (int c = 0; c < static_cast<int>(given.rows.size()); ++c) rank += system.rank(c);
      CHECK(rank == oracle.rank());
      CHECK((x - expected).norm() < 2.2e-16 * amplification * condition * expected.norm());
    };
    check(*make_whole_system(given.rows), 100);
    // In a prescribed order rows may have to be eliminated that have little left where others would have more: as little as 1e-10 counts.
    check(*make_subsystem_system(given.rows, given.coupled), 1e5);
  }
}
