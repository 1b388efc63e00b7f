#include "arthron/analysis/statics.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Rows of J below this part of the largest depend on the others, as in phase one.
constexpr double dependent = 1e-5;
/// Stiffness below this part of the largest is none; differences leave 1e-12 of it.
constexpr double no_stiffness = 1e-9;
/// A residual that still counts as balanced where rounding is out of reach.
constexpr double balanced = 1e-9;
/// Deflection of what is stiffest whose effort counts as a load when residuals are measured [m or rad].
constexpr double deflection = 1e-4;
/// The correction behind one of this size is below rounding [m or rad].
constexpr double last_step = 1e-9;

/// First derivative over points -2, -1, 1, 2, error of fourth order.
struct StencilPoint {
  double at, weight;
};
constexpr StencilPoint stencil[] = {{-2, 1.0 / 12}, {-1, -8.0 / 12}, {1, 8.0 / 12}, {2, -1.0 / 12}};

/// Positions at t, everything at rest, and all loads there.
void load_at_rest(const Plan& plan, double t, const double* q, Workspace& work) {
  kinematics(plan, t, q, work);
  std::fill(work.u.begin(), work.u.end(), 0);
  for (int g = 0; g < plan.grounds; ++g) work.body[g].V = Wide6::zero();
  forward_velocities(plan, work);
  column_rates(plan, work);
  if (work.closures) {
    closure_kinematics(plan, work);
    closure_rates(plan, work);
    std::fill(work.closures->momentum.begin(), work.closures->momentum.end(), Wide6::zero());
    std::fill(work.closures->load.begin(), work.closures->load.end(), Wide6::zero());
  }
  apply_loads(plan, work);
}

/// Largest force or torque that acts on a body or along a joint.
double largest_load(const Plan& plan, const Workspace& work) {
  double largest = 0;
  for (int i = 0; plan.loads_bodies && i < plan.force_handles; ++i)
    largest = std::max({largest, norm(work.wrenches[i].linear), norm(work.wrenches[i].angular)});
  for (int c = 0; c < plan.nu; ++c) largest = std::max(largest, std::abs(work.tau[c]));
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) largest = std::max(largest, plan.bodies[b].mass * norm(plan.model->gravity));
  return largest;
}

/// J: rates at which the closures open, per velocity of each free tree joint, at the position in the workspace.
Matrix closure_jacobian(const Plan& plan, Workspace& work) {
  int rows = 0;
  for (const PlanClosure& closure : plan.closures) rows += closure.rows;
  Matrix J = Matrix::Zero(rows, plan.nu);
  for (int column = 0; column < plan.nu; ++column) {
    work.u[column] = 1;
    forward_velocities(plan, work);
    Eigen::Index row = 0;
    for (size_t c = 0; c < plan.closures.size(); ++c) {
      const Wide6 V = opening_velocity(plan, c, work);
      for (int r = 0; r < plan.closures[c].rows; ++r) J(row++, column) = dot(work.closures->cuts[c].D[r], V);
    }
    work.u[column] = 0;
  }
  return J;
}

/// A position: what is left along its admissible directions.
struct Position {
  Matrix directions;                 // N
  Vector efforts;                    // N^T f
  std::vector<Spatial6> cut_wrench;  // constraint forces D lambda on the child, as ClosureWork::D_F measures them
  double load = 0;                   // largest
};

Position look_at(const Plan& plan, double t, const double* q, Workspace& work) {
  Position out;
  Vector f(plan.nu);
  load_at_rest(plan, t, q, work);
  out.load = largest_load(plan, work);
  momentum_rates(plan, f.data(), work);
  out.directions = Matrix::Identity(plan.nu, plan.nu);
  out.cut_wrench.resize(plan.cuts);
  if (const Matrix J = closure_jacobian(plan, work); J.size() > 0) {
    Eigen::ColPivHouseholderQR<Matrix> factors(J.transpose());
    factors.setThreshold(dependent);
    const Matrix Q = factors.householderQ();
    out.directions = Q.rightCols(plan.nu - factors.rank());
    const Vector lambda = -factors.solve(f);
    Eigen::Index row = 0;
    for (int c = 0; c < plan.cuts; ++c) {
      out.cut_wrench[c] = {};
      for (int r = 0; r < plan.closures[c].rows; ++r) out.cut_wrench[c] += lambda[row++] * work.closures->D_F[6 * c + r];
    }
  }
  out.efforts = out.directions.transpose() * f;
  return out;
}

/// N^T (f + J^T lambda) at q, near the position that N and lambda are of. The wrenches of the cuts turn with the joints and are laid into
/// their constrained directions; how they change besides does not matter, since what lies in J^T has no part along N.
Vector balance_near(const Plan& plan, const Position& position, double t, const double* q, Workspace& work) {
  load_at_rest(plan, t, q, work);
  for (int c = 0; c < plan.cuts; ++c) {
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    Wide6 T = Wide6::zero();
    for (int r = 0; r < closure.rows; ++r) T += dot(work.closures->D_F[6 * c + r], position.cut_wrench[c]) * cut.D[r];
    work.closures->load[closure.child] += wrench_from(T, cut.arm_child);
    work.closures->load[closure.parent] -= wrench_from(T, cut.arm_parent);
  }
  Vector sum(plan.nu);
  momentum_rates(plan, sum.data(), work);
  return position.directions.transpose() * sum;
}

/// Rates of the coordinates when the joints move with u.
Vector coordinate_rate(const Plan& plan, const double* q, const Vector& u, Workspace& work) {
  std::copy_n(q, plan.nq, work.q.data());
  std::copy_n(u.data(), plan.nu, work.u.data());
  for (const auto& batch : plan.joint_batches) batch->coordinate_rate(batch->all(), work.q.data(), work.u.data(), work.qdot.data());
  return Eigen::Map<const Vector>(work.qdot.data(), plan.nq);
}

std::vector<double> displaced(const Plan& plan, const double* q, const Vector& rate, double by) {
  std::vector<double> moved(plan.nq);
  for (int i = 0; i < plan.nq; ++i) moved[i] = q[i] + by * rate[i];
  normalise(plan, moved.data());
  return moved;
}

/// The freedom that is left with the largest effort names its joint.
int worst_joint(const Plan& plan, const Position& position) {
  const Vector left = position.directions * position.efforts;
  Eigen::Index column = 0;
  left.cwiseAbs().maxCoeff(&column);
  for (size_t j = 0; j < plan.joints.size(); ++j)
    if (plan.joints[j].u <= column && column < plan.joints[j].u + plan.joints[j].nu) return static_cast<int>(j);
  return -1;
}

/// Change of the efforts along the directions.
class Tangent {
 public:
  Tangent(const Plan& plan, const Position& position, double t, const double* q, Workspace& work) {
    constexpr double small = 1e-4;  // [m or rad]
    const Eigen::Index freedom = position.directions.cols();
    matrix_ = Matrix::Zero(freedom, freedom);
    for (Eigen::Index i = 0; i < freedom; ++i) {
      const Vector rate = coordinate_rate(plan, q, position.directions.col(i), work);
      for (const auto& [at, weight] : stencil)
        matrix_.col(i) += (weight / small) * balance_near(plan, position, t, displaced(plan, q, rate, at * small).data(), work);
    }
    solver_.setThreshold(no_stiffness);
    if (freedom > 0) solver_.compute(matrix_);
  }

  /// The smallest motion that takes the efforts away, as far as there is stiffness.
  [[nodiscard]] Vector correction(const Vector& efforts) const {
    return efforts.size() > 0 ? Vector(-solver_.solve(efforts)) : Vector(Vector::Zero(0));
  }
  /// Largest effort in units of the largest load.
  [[nodiscard]] double residual(const Position& position) const {
    const double largest = position.efforts.size() > 0 ? position.efforts.cwiseAbs().maxCoeff() : 0;
    return largest > 0 ? largest / std::max(position.load, deflection * matrix_.cwiseAbs().maxCoeff()) : 0;
  }
  [[nodiscard]] Firmness firmness() const {
    if (matrix_.size() == 0) return {};
    const Eigen::SelfAdjointEigenSolver<Matrix> stiffness(-(matrix_ + matrix_.transpose()) / 2, Eigen::EigenvaluesOnly);
    const double none = no_stiffness * stiffness.eigenvalues().cwiseAbs().maxCoeff();
    return {static_cast<int>(matrix_.cols() - solver_.rank()), static_cast<int>((stiffness.eigenvalues().array() < -none).count())};
  }

 private:
  Matrix matrix_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver_;
};

}  // namespace

struct Statics::Search {
  const Plan& plan;
  Position here;
  std::optional<Tangent> tangent;  // of here, once it is asked for

  const Tangent& tangent_at(double t, const double* q, Workspace& work) {
    return tangent ? *tangent : tangent.emplace(plan, here, t, q, work);
  }
  bool step(double t, std::vector<double>& q, const Vector& change, Workspace& work);
};

/// A step along N, shortened until the correction that would follow is smaller, which needs no common scale of efforts. False where no
/// step is short enough.
bool Statics::Search::step(double t, std::vector<double>& q, const Vector& change, Workspace& work) {
  constexpr double longest = 0.1, closed = 1e-13;  // [m or rad], [m]
  constexpr int newton_steps = 30;
  const int halvings = change.norm() < last_step ? 0 : 12;
  const Vector rate = coordinate_rate(plan, q.data(), here.directions * change, work);
  const std::vector<double> guess = work.q;
  double part = std::min(1.0, longest / change.cwiseAbs().maxCoeff());
  for (int i = 0; i <= halvings; ++i, part /= 2) {
    std::vector<double> trial = displaced(plan, q.data(), rate, part);
    const Projection projection = project(plan, t, trial.data(), 0, newton_steps, work);
    if (projection.status.ok() || projection.error <= closed) {
      Position there = look_at(plan, t, trial.data(), work);
      const Vector next = tangent->correction(here.directions.transpose() * (there.directions * there.efforts));
      if (next.norm() <= (1 - part / 4) * change.norm()) {
        q = std::move(trial), here = std::move(there);
        tangent.reset();
        return true;
      }
    }
    work.q = guess;
  }
  return false;
}

Statics::Statics(const Plan& plan) : search_(std::make_unique<Search>(plan)) {}
Statics::~Statics() = default;
Statics::Statics(Statics&&) noexcept = default;
Statics& Statics::operator=(Statics&&) noexcept = default;

Equilibrium Statics::settle(double t, double* q, Workspace& work) {
  constexpr int most_steps = 60;
  const Plan& plan = search_->plan;
  std::vector<double> at(q, q + plan.nq);
  Equilibrium out;
  if (const Projection projection = project(plan, t, at.data(), 0, most_steps, work); !(projection.error <= 1e-13)) {
    out.status = projection.status;
    if (!out.status.ok()) return out;
  }
  search_->here = look_at(plan, t, at.data(), work);
  search_->tangent.reset();
  if (out.status = forces_are_finite(plan, work); !out.status.ok()) return out;
  for (int i = 0; i < most_steps; ++i) {
    const Vector change = search_->tangent_at(t, at.data(), work).correction(search_->here.efforts);
    const double length = change.size() > 0 ? change.norm() : 0;
    if (!std::isfinite(length)) return out.status = {Status::Code::not_finite, forces_are_finite(plan, work).element}, out;
    if (length == 0 || !search_->step(t, at, change, work) || length < last_step) break;
  }
  out.residual = search_->tangent_at(t, at.data(), work).residual(search_->here);
  if (!(out.residual <= balanced)) {
    out.status = {Status::Code::not_balanced, worst_joint(plan, search_->here)};
    return out;
  }
  load_at_rest(plan, t, at.data(), work);
  if (out.status = forces_are_finite(plan, work); !out.status.ok()) return out;
  std::copy(at.begin(), at.end(), q);
  return out;
}

Firmness Statics::firmness(double t, const double* q, Workspace& work) { return search_->tangent_at(t, q, work).firmness(); }

Status Statics::rate(double t, const double* q, double interval, Workspace& work) {
  const Plan& plan = search_->plan;
  const Position& here = search_->here;
  const std::vector<double> at_rest(plan.nu, 0);
  const Tangent& tangent = search_->tangent_at(t, q, work);
  if (const Status status = solve_velocities(plan, t, q, at_rest.data(), work); !status.ok()) return status;
  Vector u = Eigen::Map<const Vector>(work.u.data(), plan.nu);
  // The change of the balance along u itself settles what the tangent's own differences leave.
  constexpr int passes = 4;
  for (int pass = 0; pass < passes; ++pass) {
    const Vector rate = coordinate_rate(plan, q, u, work);
    Vector change = Vector::Zero(here.directions.cols());
    for (const auto& [at, weight] : stencil)
      change += (weight / interval) * balance_near(plan, here, t + at * interval, displaced(plan, q, rate, at * interval).data(), work);
    u += here.directions * tangent.correction(change);
  }
  kinematics(plan, t, q, work);
  std::copy_n(u.data(), plan.nu, work.u.data());
  forward_velocities(plan, work);
  column_rates(plan, work);
  if (work.closures) closure_kinematics(plan, work), closure_rates(plan, work);
  apply_loads(plan, work);
  return {};
}

Status Statics::predict(double t, double span, double* q, Workspace& work) {
  constexpr double part = 0.05;  // of the span, over which loads are compared
  const Plan& plan = search_->plan;
  if (const Status status = rate(t, q, part * span, work); !status.ok()) return status;
  const Vector u = Eigen::Map<const Vector>(work.u.data(), plan.nu);
  const std::vector<double> moved = displaced(plan, q, coordinate_rate(plan, q, u, work), span);
  std::copy(moved.begin(), moved.end(), q);
  return {};
}

}  // namespace arthron
