#include "arthron/dynamics/dense_oracle.hpp"

#include <Eigen/Dense>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

struct JointRows {
  Eigen::MatrixXd D, H;  // constrained and free directions at O
  int first = 0;         // of its multipliers
};

/// Constrained and free directions of every inboard joint; a driven joint has no free ones.
std::vector<JointRows> joint_rows(const Plan& plan, const Workspace& work, int& multipliers) {
  std::vector<JointRows> rows(plan.bodies.size());
  for (int b = plan.grounds; b < std::ssize(plan.bodies); ++b) {
    const PlanBody& body = plan.bodies[b];
    const int columns = body.driven ? 0 : body.columns;
    rows[b].H.resize(6, columns);
    for (int c = 0; c < columns; ++c) rows[b].H.col(c) = dense(work.column[body.u + c].H);
    if (columns == 0)
      rows[b].D = Matrix6::Identity();
    else
      rows[b].D = Eigen::JacobiSVD<Eigen::MatrixXd>(rows[b].H, Eigen::ComputeFullU).matrixU().rightCols(6 - columns);
    rows[b].first = multipliers;
    multipliers += static_cast<int>(rows[b].D.cols());
  }
  return rows;
}

/// From the centre of mass to O.
Vec3 com_to_handle(const Plan& plan, const Workspace& work, int b) { return (-1 / plan.bodies[b].mass) * work.body[b].first_moment; }

/// H (H^T H)^-1.
Eigen::MatrixXd dual(const Eigen::MatrixXd& H) { return H * (H.transpose() * H).inverse(); }

/// D^T (acceleration of O as a point of the body - rate of the parent's velocity at O) = D^T (Hdot u + driven H udot), written with the
/// accelerations of the centres of mass: what does not depend on these. gamma holds Hdot u + driven H udot together with
/// w_parent x (v_O - v_parent's O), the rate that comes from O moving over the parent.
Vector6 known_relative(const Plan& plan, const Workspace& work, int b) {
  const Vec3 r = com_to_handle(plan, work, b), w = work.body[b].V.angular;
  const int parent = plan.bodies[b].parent;
  Vector6 known = dense(work.gamma[b]) - dense(Spatial6{cross(w, cross(w, r)), {}});
  if (parent < plan.grounds) return known + shift(work.body[b].arm).transpose() * dense(work.A[parent]);
  const Vec3 r_parent = com_to_handle(plan, work, parent), w_parent = work.body[parent].V.angular;
  return known + dense(Spatial6{cross(w_parent, cross(w_parent, r_parent)), {}});
}

/// Rows and multipliers of the cut joints, behind those of the tree joints.
void add_closures(const Plan& plan, const Workspace& work, int first, Eigen::MatrixXd& K, Eigen::VectorXd& rhs) {
  for (int c = 0; c < plan.cuts; ++c) {
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    Eigen::MatrixXd D(6, closure.rows);
    for (int r = 0; r < closure.rows; ++r) D.col(r) = dense(cut.D[r]);
    rhs.segment(first, closure.rows) = D.transpose() * dense(cut.known);
    for (const double sign : {1.0, -1.0}) {
      const int b = sign > 0 ? closure.child : closure.parent;
      const Vec3 arm = sign > 0 ? cut.arm_child : cut.arm_parent;
      Vector6 known = dense(work.A[b]);
      if (b >= plan.grounds) {
        const Vec3 r = com_to_handle(plan, work, b), w = work.body[b].V.angular;
        known = dense(Spatial6{cross(w, cross(w, r)), {}});
        const Matrix6 S = shift(r + arm);
        const int row = 6 * (b - plan.grounds);
        K.block(row, first, 6, closure.rows) -= sign * S * D;
        K.block(first, row, closure.rows, 6) += sign * D.transpose() * S.transpose();
      }
      rhs.segment(first, closure.rows) -= sign * D.transpose() * shift(arm).transpose() * known;
    }
    first += closure.rows;
  }
}

/// sum coefficient udot = 0 of every coupling, behind the cut joints; udot is read off the accelerations of the two bodies at O.
void add_couplings(const Plan& plan, const Workspace& work, const std::vector<JointRows>& joints, int first, Eigen::MatrixXd& K,
                   Eigen::VectorXd& rhs) {
  const auto row = [&](int b) { return 6 * (b - plan.grounds); };
  for (const Coupling& coupling : plan.model->couplings) {
    for (const Coupling::Term& term : coupling.terms) {
      const PlanJoint& joint = plan.joints[term.joint.value];
      const int b = joint.body, parent = plan.bodies[b].parent;
      if (joint.driven) {
        rhs[first] -= term.coefficient * work.drive_acceleration[joint.u + term.freedom];
        continue;
      }
      const Vector6 reader = term.coefficient * dual(joints[b].H).col(term.freedom);
      const Vec3 r = com_to_handle(plan, work, b);
      K.block<6, 1>(row(b), first) -= shift(r) * reader;
      K.block<1, 6>(first, row(b)) += (shift(r) * reader).transpose();
      if (parent >= plan.grounds) {
        const Vector6 at_parent = shift(com_to_handle(plan, work, parent) + work.body[b].arm) * reader;
        K.block<6, 1>(row(parent), first) += at_parent;
        K.block<1, 6>(first, row(parent)) -= at_parent.transpose();
      }
      rhs[first] += reader.dot(known_relative(plan, work, b));
    }
    ++first;
  }
}

/// Gives the closures the smallest multipliers that go with the accelerations in x, and the tree joints what is left. In the null space Z
/// of the tree joints' rows only the closures can balance M a - f; then the tree joints' multipliers are unique.
void share_multipliers(const Eigen::MatrixXd& K, const Eigen::VectorXd& rhs, int n, int tree, Eigen::VectorXd& x) {
  const int closures = static_cast<int>(x.size()) - n - tree;
  if (closures == 0) return;
  x.tail(closures).setZero();
  constexpr double dependent = 1e-9;
  const Eigen::MatrixXd G_tree = -K.block(0, n, n, tree), G_closures = -K.block(0, n + tree, n, closures);  // transposed
  const Eigen::VectorXd missing = K.topLeftCorner(n, n) * x.head(n) - rhs.head(n);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(G_tree);
  const Eigen::MatrixXd Q = qr.householderQ();
  const Eigen::MatrixXd Z = Q.rightCols(n - tree);
  if (tree < n) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> across(n - tree, closures);
    across.setThreshold(dependent);
    x.tail(closures) = across.compute(Z.transpose() * G_closures).solve(Z.transpose() * missing);
  }
  x.segment(n, tree) = qr.solve(missing - G_closures * x.tail(closures));
}

/// The equations of every body at its centre of mass, and the rows of its tree joint, which pushes the body at O and its parent the other
/// way at the same point.
void add_bodies(const Plan& plan, const Workspace& work, const std::vector<JointRows>& joints, int n, Eigen::MatrixXd& K,
                Eigen::VectorXd& rhs) {
  const int grounds = plan.grounds, bodies = static_cast<int>(plan.bodies.size());
  const auto row = [&](int b) { return 6 * (b - grounds); };
  for (int b = grounds; b < bodies; ++b) {
    const PlanBody& body = plan.bodies[b];
    const Vec3 r = com_to_handle(plan, work, b), w = work.body[b].V.angular;
    const Eigen::Matrix3d inertia = dense(work.body[b].second_moment) + body.mass * skew(r) * skew(r);
    K.block<3, 3>(row(b), row(b)) = body.mass * Eigen::Matrix3d::Identity();
    K.block<3, 3>(row(b) + 3, row(b) + 3) = inertia;
    const Eigen::Vector3d spin = inertia * dense(w);
    rhs.segment<6>(row(b)) += dense(Spatial6{body.mass * plan.model->gravity, -cross(w, Vec3{spin[0], spin[1], spin[2]})});
    if (plan.force_handles > 0) rhs.segment<6>(row(b)) += shift(r) * dense(work.load[b]);

    const JointRows& joint = joints[b];
    const int l = n + joint.first, m = static_cast<int>(joint.D.cols());
    Eigen::VectorXd effort = Eigen::VectorXd::Zero(6);
    for (int c = 0; c < joint.H.cols(); ++c) effort += work.tau[body.u + c] * dual(joint.H).col(c);
    const Matrix6 S_child = shift(r);
    rhs.segment<6>(row(b)) += S_child * effort;
    K.block(row(b), l, 6, m) -= S_child * joint.D;
    K.block(l, row(b), m, 6) += joint.D.transpose() * S_child.transpose();
    if (body.parent >= grounds) {
      const Matrix6 S_parent = shift(com_to_handle(plan, work, body.parent) + work.body[b].arm);
      rhs.segment<6>(row(body.parent)) -= S_parent * effort;
      K.block(row(body.parent), l, 6, m) += S_parent * joint.D;
      K.block(l, row(body.parent), m, 6) -= joint.D.transpose() * S_parent.transpose();
    }
    rhs.segment(l, m) = joint.D.transpose() * known_relative(plan, work, b);
  }
}

/// What the tree joint of body b exerts on it, and the accelerations of its columns; x: accelerations, multipliers of the tree joints from
/// n on, those of the couplings at the end.
void find_joint(const Plan& plan, const Workspace& work, const JointRows& joint, int n, const Eigen::VectorXd& x, int b,
                DenseSolution& solution) {
  const PlanBody& body = plan.bodies[b];
  Vector6 F = joint.D * x.segment(n + joint.first, joint.D.cols());
  if (joint.H.cols() > 0) {
    const Eigen::MatrixXd reader = dual(joint.H);
    for (int c = 0; c < body.columns; ++c) F += work.tau[body.u + c] * reader.col(c);
    const Vector6 relative = dense(solution.A[b]) - shift(work.body[b].arm).transpose() * dense(solution.A[body.parent]);
    const Eigen::VectorXd udot = reader.transpose() * (relative - dense(work.gamma[b]));
    for (int c = 0; c < body.columns; ++c) solution.udot[body.u + c] = udot[c];
  } else {
    for (int c = 0; c < body.columns; ++c) solution.udot[body.u + c] = work.drive_acceleration[body.u + c];
  }
  const std::vector<Coupling>& couplings = plan.model->couplings;
  const auto multipliers = x.tail(std::ssize(couplings));
  for (int c = 0; c < std::ssize(couplings); ++c)
    for (const Coupling::Term& term : couplings[c].terms)
      if (term.joint.value == body.joint && !body.driven) F += multipliers[c] * term.coefficient * dual(joint.H).col(term.freedom);
  solution.F[b] = spatial(F);
}

/// Accelerations of the freedoms of the cut joints.
void find_cuts(const Plan& plan, const Workspace& work, DenseSolution& solution) {
  for (int c = 0; c < plan.cuts; ++c) {
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    const Spatial6 A =
        velocity_at<double>(solution.A[closure.child], cut.arm_child) - velocity_at<double>(solution.A[closure.parent], cut.arm_parent);
    for (int i = 0; i < closure.columns; ++i) {
      const int column = closure.u + i;
      solution.udot[column] =
          closure.driven ? work.drive_acceleration[column] : work.closures->freedoms[c].dual.col(i).dot(dense(A) - dense(cut.known));
    }
  }
}

}  // namespace

DenseSolution dense_accelerations(const Plan& plan, const Workspace& work) {
  const int grounds = plan.grounds, bodies = static_cast<int>(plan.bodies.size()), n = 6 * (bodies - grounds);
  int multipliers = 0;
  const std::vector<JointRows> joints = joint_rows(plan, work, multipliers);
  const int tree_multipliers = multipliers;
  for (const PlanClosure& closure : plan.closures) multipliers += closure.rows;

  // [M -G^T; G 0] [a; lambda] = [loads; constraint terms], a = accelerations of the centres of mass.
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + multipliers, n + multipliers);
  Eigen::VectorXd rhs = Eigen::VectorXd::Zero(n + multipliers);
  add_bodies(plan, work, joints, n, K, rhs);
  add_closures(plan, work, n + tree_multipliers, K, rhs);
  add_couplings(plan, work, joints, n + multipliers - static_cast<int>(plan.model->couplings.size()), K, rhs);
  // Least squares of least norm: accelerations are unique, multipliers need not be.
  Eigen::VectorXd x = rhs;
  if (x.size() > 0) x = K.completeOrthogonalDecomposition().solve(rhs);
  share_multipliers(K, rhs, n, tree_multipliers, x);

  DenseSolution solution;
  solution.sigma.assign(x.data() + n + tree_multipliers, x.data() + x.size());
  solution.A.resize(bodies), solution.F.resize(bodies), solution.udot.assign(plan.nu_all, 0);
  for (int g = 0; g < grounds; ++g) solution.A[g] = work.A[g];
  for (int b = grounds; b < bodies; ++b) {
    const Vec3 r = com_to_handle(plan, work, b), w = work.body[b].V.angular;
    Vector6 A = shift(r).transpose() * x.segment<6>(6 * (b - grounds));
    A += dense(Spatial6{cross(w, cross(w, r)), {}});
    solution.A[b] = spatial(A);
  }
  for (int b = grounds; b < bodies; ++b) find_joint(plan, work, joints[b], n, x, b, solution);
  find_cuts(plan, work, solution);
  return solution;
}

}  // namespace arthron
