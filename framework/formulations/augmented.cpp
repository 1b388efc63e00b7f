#include <algorithm>
#include <cmath>
#include <limits>

#include "arthron/dynamics/closure_mobility.hpp"
#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/uneven_loops.hpp"
#include "arthron/formulations/acceleration_based.hpp"

/// All equations of motion in one dense matrix (Karush-Kuhn-Tucker), solved by Gaussian elimination. Unknowns are the accelerations A of
/// all bodies and the wrenches F of their tree parents on them, six numbers each at the body's O, accelerations u' along the free columns H
/// of the tree joints, and multipliers s of the closures:
///       C A - H u'        = gamma      joints:    A_b - S(arm)^T A_parent = gamma_b + H_b u'_b
///   - M A + C^T F + X s   = bias       bodies:    M_b A_b + bias_b = F_b - sum of S(arm) F_child + X_b s
///         H^T F - c s     = tau        columns
///       X^T A + c^T u'    = psi        closures:  cut joints act on bodies (X = S D), couplings along columns (c)
/// C is unit lower triangular, bodies being numbered outward, so that in this order pivots are 1 until A and F are gone. What is left then
/// is the joint-space inertia Mq = H^T C^-T M C^-1 H, positive definite, and behind it the GICM J Mq^-1 J^T, whose dependent rows leave as
/// they do under every formulation. Nothing is pivoted, and rows that a pivot does not reach are left alone.
namespace arthron {

namespace {

using std::size_t;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows of the matrix: 200 MB.
constexpr int most_rows = 5000;

int closure_rows(const Plan& plan) {
  int rows = 0;
  for (const PlanClosure& closure : plan.closures) rows += closure.rows;
  return rows;
}

/// Where the unknowns are, and their equations in the same places.
struct Unknowns {
  explicit Unknowns(const Plan& plan)
      : grounds(plan.grounds), bodies(static_cast<int>(plan.bodies.size()) - plan.grounds), columns(plan.nu), rows(closure_rows(plan)) {}

  [[nodiscard]] int A(int body) const { return 6 * (body - grounds); }
  [[nodiscard]] int F(int body) const { return 6 * (bodies + body - grounds); }
  [[nodiscard]] int u(int column) const { return 12 * bodies + column; }
  [[nodiscard]] int first_u() const { return u(0); }
  [[nodiscard]] int first_s() const { return u(columns); }
  [[nodiscard]] int count() const { return first_s() + rows; }

  int grounds, bodies, columns, rows;
};

struct AugmentedWork : FormulationWork {
  explicit AugmentedWork(const Plan& plan) : at(plan), x(at.count()), multipliers(at.rows) {
    matrix.setConstant(at.count(), at.count() + 1, std::numeric_limits<double>::quiet_NaN());
    std::vector<int> sizes;
    for (const PlanClosure& closure : plan.closures) {
      first_row.push_back(at.first_s() + (first_row.empty() ? 0 : first_row.back() - at.first_s() + sizes.back()));
      sizes.push_back(closure.rows);
    }
    adds_nothing.assign(sizes.size(), 0);
    if (!sizes.empty()) gicm = make_whole_system(sizes);
    if (has_uneven_loops(plan)) gicm->take_all_as_independent();
    if (is_uneven_tree(plan)) uneven_tree = std::make_unique<UnevenLoops>(plan);
    joint_of_column.assign(plan.nu, -1);
    for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
      const PlanBody& body = plan.bodies[b];
      for (int c = body.u; c < body.u + body.columns && !body.driven; ++c) joint_of_column[c] = body.joint, light.push_back(body.light);
    }
  }

  [[nodiscard]] auto right_side() { return matrix.col(at.count()); }

  Unknowns at;
  Matrix matrix;  // right-hand side behind it
  std::vector<double> x, multipliers;
  std::vector<int> first_row;               // per closure, in the matrix
  std::vector<unsigned char> adds_nothing;  // per closure: all its rows are redundant
  std::vector<int> joint_of_column;         // per free column
  std::vector<unsigned char> light;         // per free column, of the body it moves
  std::unique_ptr<MultiplierSystem> gicm;   // only where there are closures
  std::unique_ptr<UnevenLoops> uneven_tree;
};

/// Equations of a body and of its inboard joint.
void write_body(const Plan& plan, const Workspace& work, int b, AugmentedWork& own) {
  const Unknowns& at = own.at;
  Matrix& K = own.matrix;
  auto right = own.right_side();
  const PlanBody& body = plan.bodies[b];
  const BodyWork& here = work.body[b];
  const Matrix6 S = shift(here.arm);
  const bool grounded = body.parent < plan.grounds;
  K.block<6, 6>(at.A(b), at.A(b)).setIdentity();
  right.segment<6>(at.A(b)) = dense(work.gamma[b]);
  if (grounded)
    right.segment<6>(at.A(b)) += S.transpose() * dense(work.A[body.parent]);
  else
    K.block<6, 6>(at.A(b), at.A(body.parent)) = -S.transpose();
  K.block<6, 6>(at.F(b), at.F(b)).setIdentity();
  if (!grounded) K.block<6, 6>(at.F(body.parent), at.F(b)) = -S;
  K.block<6, 6>(at.F(b), at.A(b)) = -dense(rigid_inertia(body.mass, here.first_moment, here.second_moment));
  right.segment<6>(at.F(b)) = dense(work.bias[b]);
  for (int c = body.u; c < body.u + body.columns && !body.driven; ++c) {
    const Vector6 h = dense(work.column[c].H);
    K.block<6, 1>(at.A(b), at.u(c)) = -h;
    K.block<1, 6>(at.u(c), at.F(b)) = h.transpose();
    right[at.u(c)] = work.tau[c];
  }
}

void write_cut(const Plan& plan, const Workspace& work, size_t c, AugmentedWork& own) {
  const PlanClosure& closure = plan.closures[c];
  const ClosureWork::Cut& cut = work.closures->cuts[c];
  for (int r = 0; r < closure.rows; ++r) {
    const int row = own.first_row[c] + r;
    double& right = own.right_side()[row];
    right = dot(cut.D[r], cut.known);
    for (const bool child : {true, false}) {
      const int b = child ? closure.child : closure.parent;
      const Wide6 X = (child ? 1.0 : -1.0) * wrench_from(cut.D[r], child ? cut.arm_child : cut.arm_parent);
      if (b < plan.grounds) {
        right -= dot(X, work.A[b]);
        continue;
      }
      own.matrix.block<6, 1>(own.at.F(b), row) += dense(X);
      own.matrix.block<1, 6>(row, own.at.A(b)) += dense(X).transpose();
    }
  }
}

void write_coupling(const Plan& plan, const Workspace& work, size_t c, AugmentedWork& own) {
  const int row = own.first_row[c];
  double& right = own.right_side()[row];
  right = static_cast<Spatial6>(work.closures->cuts[c].known).linear.x;
  for (const Coupling::Term& term : plan.model->couplings[plan.closures[c].coupling].terms) {
    const PlanJoint& joint = plan.joints[term.joint.value];
    const int column = joint.u + term.freedom;
    if (joint.driven) {
      right -= term.coefficient * work.drive_acceleration[column];
      continue;
    }
    own.matrix(own.at.u(column), row) -= term.coefficient;
    own.matrix(row, own.at.u(column)) += term.coefficient;
  }
}

void write_equations(const Plan& plan, const Workspace& work, AugmentedWork& own) {
  own.matrix.setZero();
  for (int b = plan.grounds; b < static_cast<int>(plan.bodies.size()); ++b) write_body(plan, work, b, own);
  for (size_t c = 0; c < plan.closures.size(); ++c)
    plan.closures[c].coupling < 0 ? write_cut(plan, work, c, own) : write_coupling(plan, work, c, own);
}

/// Eliminates everything but the multipliers, from the right-hand side too.
Status reduce_to_multipliers(AugmentedWork& own) {
  constexpr double rounding = 1e-14;
  const Unknowns& at = own.at;
  Matrix& K = own.matrix;
  const Eigen::Index width = K.cols();
  for (int k = 0; k < at.first_s(); ++k) {
    // x holds the diagonal of Mq until the solution is written there.
    if (k == at.first_u())
      for (int i = k; i < at.first_s(); ++i) own.x[i] = K(i, i);
    const double pivot = K(k, k);
    if (k >= at.first_u()) {
      const int c = k - at.first_u();
      if (!(pivot > (own.light[c] ? rounding * own.x[k] : 0))) return {Status::Code::singular_joint, own.joint_of_column[c]};
    }
    const auto row = K.row(k).tail(width - k - 1);
    for (int i = k + 1; i < at.count(); ++i)
      if (const double factor = K(i, k) / pivot; factor != 0) K.row(i).tail(width - k - 1) -= factor * row;
  }
  return {};
}

/// The multipliers, from what elimination left of the closures' rows.
void find_multipliers(const Plan& plan, Workspace& work, AugmentedWork& own) {
  const int closures = static_cast<int>(plan.closures.size());
  own.gicm->clear();
  const auto copy = [&](int r, int s) {
    const MultiplierSystem::Place to = own.gicm->block(r, s);
    for (int i = 0; i < plan.closures[r].rows; ++i)
      for (int j = 0; j < plan.closures[s].rows; ++j)
        to.values[i * to.row_stride + j * to.column_stride] = own.matrix(own.first_row[r] + i, own.first_row[s] + j);
    return to;
  };
  const bool uneven = work.closures->uneven != nullptr;
  for (int c = 0; c < closures && !uneven; ++c) own.adds_nothing[c] = clear_if_redundant(plan, c, copy(c, c), work);
  for (int r = 0; r < closures; ++r)
    for (int s = r + !uneven; s < closures; ++s) {
      if (uneven)
        set_dependent_apart(work, r, s, copy(r, s));
      else if (!own.adds_nothing[r] && !own.adds_nothing[s])
        copy(r, s);
    }
  const auto missing = own.right_side().tail(own.at.rows);
  std::copy_n(missing.begin(), own.at.rows, own.multipliers.begin());
  if (uneven) leave_dependent(plan, work, own.multipliers.data());
  own.gicm->factor();
  own.gicm->solve(own.multipliers.data());
  if (uneven) leave_dependent(plan, work, own.multipliers.data());
  take_multipliers(plan, *own.gicm, own.multipliers, work);
}

void substitute_back(AugmentedWork& own) {
  std::copy(own.multipliers.begin(), own.multipliers.end(), own.x.begin() + own.at.first_s());
  for (int k = own.at.first_s(); k-- > 0;) {
    double left = own.right_side()[k];
    for (int i = k + 1; i < own.at.count(); ++i) left -= own.matrix(k, i) * own.x[i];
    own.x[k] = left / own.matrix(k, k);
  }
}

class Augmented final : public AccelerationBased {
 public:
  Augmented() : AccelerationBased("augmented", "velocities; all equations in one dense matrix, to compare and to teach") {}

  std::vector<Diagnostic> objections(const Plan& plan) const override {
    const int rows = Unknowns(plan).count();
    if (rows <= most_rows) return {};
    return {{plan.model->files.empty() ? "" : plan.model->files.front(), 0, "/simulate/formulation",
             "\"augmented\" for a matrix of " + std::to_string(rows) + " rows",
             "at most " + std::to_string(most_rows) + ", 12 a body and one for each freedom and closed direction; or another formulation",
             ""}};
  }
  bool is_cubic(const Plan&) const override { return true; }
  std::string describe(const Plan& plan) const override {
    const Unknowns at(plan);
    return "formulation: augmented, one dense matrix of " + std::to_string(at.count()) +
           " rows: accelerations and joint wrenches of bodies, " + std::to_string(at.columns) + " of freedoms, " + std::to_string(at.rows) +
           " of closures";
  }
  std::unique_ptr<FormulationWork> make_work(const Plan& plan) const override { return std::make_unique<AugmentedWork>(plan); }

 protected:
  Status solve(const Plan& plan, Workspace& work) const override {
    UnevenLoops* const tree = static_cast<AugmentedWork&>(*work.formulation).uneven_tree.get();
    UnevenLoops* const loops = work.closures ? work.closures->uneven.get() : nullptr;
    if (loops) find_independent_rows(plan, work);
    return solve_and_refine(plan, loops ? loops : tree, work, [&] { return solve_once(plan, work); });
  }

 private:
  static Status solve_once(const Plan& plan, Workspace& work) {
    AugmentedWork& own = static_cast<AugmentedWork&>(*work.formulation);
    write_equations(plan, work, own);
    if (const Status status = reduce_to_multipliers(own); !status.ok()) return status;
    if (work.closures) find_multipliers(plan, work, own);
    substitute_back(own);
    const bool finite = std::all_of(own.x.begin(), own.x.end(), [](double value) { return std::isfinite(value); });
    for (int b = plan.grounds; b < static_cast<int>(plan.bodies.size()); ++b) {
      const PlanBody& body = plan.bodies[b];
      work.A[b] = spatial(Eigen::Map<const Vector6>(own.x.data() + own.at.A(b)));
      for (int c = body.u; c < body.u + body.columns; ++c) work.udot[c] = body.driven ? work.drive_acceleration[c] : own.x[own.at.u(c)];
    }
    return finite ? Status{} : Status{Status::Code::not_finite};
  }
};

}  // namespace

std::unique_ptr<const Formulation> make_augmented() { return std::make_unique<Augmented>(); }

}  // namespace arthron
