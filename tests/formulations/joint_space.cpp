#include "arthron/formulations/joint_space/joint_space.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "arthron/dynamics/closures.hpp"
#include "arthron/formulations/joint_space/subsystem_system.hpp"
#include "arthron/model/hierarchy.hpp"
#include "support/closed_graph.hpp"
#include "support/constraint_jacobian.hpp"
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

namespace {

/// In a position that is not symmetric.
Loaded bent_example(const std::string& file) {
  Loaded model(load_model(ARTHRON_SOURCE_DIR "/examples/" + file, builtins()));
  std::vector<double>& q = model.state.q;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.05 * std::sin(3.0 * static_cast<double>(i));
  normalise(*model.plan, q.data());
  REQUIRE(project(*model.plan, 0, q.data(), 0, 50, *model.work).status.ok());
  REQUIRE(model.accelerate().ok());
  return model;
}

/// Inertia in joint coordinates, from the velocities of all bodies per unit of each free one. Overwrites the velocities.
Eigen::MatrixXd joint_space_inertia(Loaded& model) {
  const Plan& plan = *model.plan;
  Workspace& work = *model.work;
  const Eigen::Index moving = static_cast<Eigen::Index>(plan.bodies.size()) - plan.grounds;
  Eigen::MatrixXd V(6 * moving, plan.nu), MV = V;
  for (int i = 0; i < plan.nu; ++i) {
    std::fill(work.u.begin(), work.u.end(), 0);
    work.u[i] = 1;
    forward_velocities(plan, work);
    for (Eigen::Index k = 0; k < moving; ++k) {
      const std::size_t b = static_cast<std::size_t>(plan.grounds + k);
      const BodyWork& body = work.body[b];
      V.block<6, 1>(6 * k, i) = dense(body.V);
      MV.block<6, 1>(6 * k, i) = dense(rigid_inertia(plan.bodies[b].mass, body.first_moment, body.second_moment) * body.V);
    }
  }
  return V.transpose() * MV;
}

/// y = U^-1 J^T and D of Mq = U D U^T, columns eliminated from the last, by dense algebra.
struct Factored {
  Eigen::MatrixXd y;
  Eigen::VectorXd D;
  Factored(const Eigen::MatrixXd& M, const Eigen::MatrixXd& J) {
    const Eigen::MatrixXd L = M.reverse().llt().matrixL();
    D = L.diagonal().cwiseAbs2().reverse();
    const Eigen::MatrixXd unit = L * L.diagonal().cwiseInverse().asDiagonal();
    y = unit.triangularView<Eigen::UnitLower>().solve(J.transpose().colwise().reverse()).colwise().reverse();
  }
};

struct BlockTest {
  Loaded model;
  LoopBlocks blocks;
  Eigen::MatrixXd J;
  std::vector<int> home;       // per free velocity
  std::vector<int> first_row;  // per closure

  explicit BlockTest(const std::string& file) : model(bent_example(file)), blocks(loop_blocks(*model.plan)), J(constraint_jacobian(model)) {
    const Plan& plan = *model.plan;
    home.assign(plan.nu, -1), first_row = {0};
    for (std::size_t b = plan.grounds; b < plan.bodies.size(); ++b)
      for (int c = plan.bodies[b].u; c < plan.bodies[b].u + free_columns(plan.bodies[b]); ++c) home[c] = blocks.home[b];
    for (const PlanClosure& closure : plan.closures) first_row.push_back(first_row.back() + closure.rows);
  }
  /// What the columns of subsystem j add to block (r, s) of a^T b, a and b with a row per velocity and a column per closure row.
  [[nodiscard]] Eigen::MatrixXd term(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, int r, int s, int j) const {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(first_row[r + 1] - first_row[r], first_row[s + 1] - first_row[s]);
    for (std::size_t c = 0; c < home.size(); ++c)
      if (home[c] == j) sum += a.row(c).segment(first_row[r], sum.rows()).transpose() * b.row(c).segment(first_row[s], sum.cols());
    return sum;
  }
};

bool holds(const std::vector<int>& list, int value) { return std::binary_search(list.begin(), list.end(), value); }

}  // namespace

TEST_CASE("blocks of J and terms of the GICM by subsystem are zero where check says so, and nowhere else, by dense algebra") {
  constexpr double rounding = 1e-12, present = 1e-9;  // of the largest of their kind; terms are products of two
  for (const char* file : {"vehicle/vehicle.json", "block_module_car/block_module_car.json", "carpet_scraper/carpet_scraper.json",
                           "excavator/excavator.json"}) {
    CAPTURE(file);
    BlockTest test(file);
    const Plan& plan = *test.model.plan;
    const Factored factored(joint_space_inertia(test.model), test.J);
    const Eigen::MatrixXd scaled = factored.D.cwiseInverse().asDiagonal() * factored.y, Jt = test.J.transpose();
    const double largest = test.J.cwiseAbs2().maxCoeff(), largest_term = (factored.y.transpose() * scaled).cwiseAbs().maxCoeff();
    const int closures = static_cast<int>(plan.closures.size()), subsystems = static_cast<int>(test.blocks.names.size());
    int zero = 0;
    for (int j = 0; j < subsystems; ++j)
      for (int r = 0; r < closures; ++r) {
        CAPTURE(closure_path(plan, r));
        CAPTURE(test.blocks.names[j]);
        const double size = test.term(Jt, Jt, r, r, j).cwiseAbs().maxCoeff() / largest;
        CHECK((holds(test.blocks.loop[r], j) ? size > present * present : size < rounding * rounding));
        for (int s = 0; s <= r; ++s) {
          CAPTURE(closure_path(plan, s));
          const double contributed = test.term(factored.y, scaled, r, s, j).cwiseAbs().maxCoeff() / largest_term;
          const bool takes_part = holds(test.blocks.gicm(r, s), j);
          CHECK((takes_part ? contributed > present : contributed < rounding));
          zero += takes_part ? 0 : 1;
        }
      }
    CHECK(zero > 0);
  }
}

TEST_CASE("multipliers are solved for subsystem by subsystem: each without a break, and after those within it") {
  for (const char* file : {"vehicle/step_steer.json", "block_module_car/block_module_car.json", "convoy/convoy.json"}) {
    CAPTURE(file);
    const Loaded model(load_model(ARTHRON_SOURCE_DIR "/examples/" + std::string(file), builtins()));
    const Plan& plan = *model.plan;
    const std::vector<int> order = multiplier_order(plan);
    REQUIRE(order.size() == plan.closures.size());
    std::vector<int> turns;  // of the subsystems
    for (const int c : order)
      for (int s = 0; s < static_cast<int>(plan.subsystems.size()); ++s)
        if (holds(plan.subsystems[s].closes, c) && (turns.empty() || turns.back() != s)) turns.push_back(s);
    for (std::size_t i = 0; i < turns.size(); ++i)
      for (std::size_t j = i + 1; j < turns.size(); ++j) {
        CHECK(turns[i] != turns[j]);
        CHECK(!lies_within(*plan.model, turns[j], turns[i]));
      }
    CHECK(turns.size() > 2);
  }
}
