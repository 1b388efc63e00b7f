#include "arthron/dynamics/pair.hpp"

#include <Eigen/Cholesky>
#include <limits>

#include "arthron/dynamics/directions.hpp"
#include "arthron/dynamics/multiplier_system.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;
using SmallSquare = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

/// D (D^T X D)^-1 D^T; false when D^T X D is not positive definite.
bool constrained_inverse(const Columns6& D, const Matrix6& X, Matrix6& result) {
  result.setZero();
  if (D.cols() == 0) return true;
  const SmallSquare projected = D.transpose() * X * D;
  const Eigen::LLT<SmallSquare> cholesky(projected);
  if (cholesky.info() != Eigen::Success) return false;
  const SmallSquare inverse = cholesky.solve(SmallSquare::Identity(D.cols(), D.cols()));
  result.noalias() = D * inverse * D.transpose();
  return true;
}

/// H_dual and D of every inboard joint. A driven joint constrains all six directions.
void joint_spaces(const Plan& plan, Workspace& work) {
  PairWorkspace& pair = *work.pair;
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    PairWorkspace::JointSpace& joint = pair.joints[b];
    const int columns = body.driven ? 0 : body.columns;
    Columns6 H(6, columns);
    for (int c = 0; c < columns; ++c) H.col(c) = dense(work.column[body.u + c].H);
    split_directions(H, joint.H_dual, joint.D);
  }
}

/// xi matrices of one body: its own inertia and that of the paths it carries, between its inboard handle and the next on its path.
void factor_body(const Plan& plan, Workspace& work, size_t b) {
  PairWorkspace& pair = *work.pair;
  Matrix6 inertia = dense(rigid_inertia(plan.bodies[b].mass, work.body[b].first_moment, work.body[b].second_moment));
  for (const int s : plan.carried_paths[b]) {
    const Matrix6 S = shift(work.body[plan.paths[s].head].arm);
    inertia += S * pair.K[s] * S.transpose();
  }
  PairWorkspace::Compound& body = pair.compounds[b];
  const Eigen::LLT<Matrix6> cholesky(inertia);
  pair.singular[b] = cholesky.info() != Eigen::Success;
  body.xi11 = cholesky.solve(Matrix6::Identity());
  if (plan.next_on_path[b] < 0) {
    body.xi12.setZero(), body.xi22.setZero();
    return;
  }
  const Matrix6 S = shift(work.body[plan.next_on_path[b]].arm);
  body.xi12.noalias() = body.xi11 * S;
  body.xi22.noalias() = S.transpose() * body.xi12;
}

void factor_node(const Plan& plan, Workspace& work, size_t n) {
  PairWorkspace& pair = *work.pair;
  const PairNode& node = plan.nodes[n];
  const auto &A = pair.compounds[node.near], &B = pair.compounds[node.far];
  PairWorkspace::Compound& C = pair.compounds[plan.bodies.size() + n];
  Matrix6& W = pair.nodes[n].W;
  if (!constrained_inverse(pair.joints[node.body].D, B.xi11 + A.xi22, W)) pair.singular[node.body] = 1;
  W = -W;
  const Matrix6 A12W = A.xi12 * W;
  C.xi11 = A.xi11 + A12W * A.xi12.transpose();
  C.xi12 = -A12W * B.xi12;
  C.xi22 = B.xi22 + B.xi12.transpose() * W * B.xi12;
}

void factor_path(const Plan& plan, Workspace& work, size_t s) {
  PairWorkspace& pair = *work.pair;
  const size_t head = plan.paths[s].head;
  if (!constrained_inverse(pair.joints[head].D, pair.compounds[plan.paths[s].root].xi11, pair.K[s])) pair.singular[head] = 1;
}

/// xi10 and xi20 of one body from `bias`, `impulse` and the paths it carries.
void assemble_body(const Plan& plan, Workspace& work, size_t b) {
  PairWorkspace& pair = *work.pair;
  Vector6 momentum = pair.joints[b].impulse - pair.bias[b];
  for (const int s : plan.carried_paths[b]) momentum -= shift(work.body[plan.paths[s].head].arm) * pair.path_bias[s];
  PairWorkspace::Compound& body = pair.compounds[b];
  body.xi20.setZero();
  if (plan.next_on_path[b] < 0) {
    body.xi10 = body.xi11 * momentum;
    return;
  }
  const size_t next = plan.next_on_path[b];
  const Matrix6 S = shift(work.body[next].arm);
  body.xi10 = body.xi11 * (momentum - S * pair.joints[next].impulse);
  body.xi20 = S.transpose() * body.xi10;
}

void assemble_node(const Plan& plan, Workspace& work, size_t n) {
  PairWorkspace& pair = *work.pair;
  const PairNode& node = plan.nodes[n];
  const auto &A = pair.compounds[node.near], &B = pair.compounds[node.far];
  PairWorkspace::Compound& C = pair.compounds[plan.bodies.size() + n];
  PairWorkspace::Node& joint = pair.nodes[n];
  joint.beta = joint.W * (B.xi10 - A.xi20 - pair.joints[node.body].a);
  C.xi10 = A.xi10 - A.xi12 * joint.beta;
  C.xi20 = B.xi20 + B.xi12.transpose() * joint.beta;
}

void assemble_path(const Plan& plan, Workspace& work, size_t s) {
  PairWorkspace& pair = *work.pair;
  const auto& joint = pair.joints[plan.paths[s].head];
  pair.path_bias[s] = pair.K[s] * (joint.a - pair.compounds[plan.paths[s].root].xi10) + joint.impulse;
}

/// Constraint load at the root's inboard handle, from the velocity of the body that carries the path.
void disassemble_path(const Plan& plan, Workspace& work, size_t s) {
  PairWorkspace& pair = *work.pair;
  const size_t head = plan.paths[s].head, carrier = plan.bodies[head].parent;
  PairWorkspace::Compound& root = pair.compounds[plan.paths[s].root];
  root.T1 = pair.K[s] * (shift(work.body[head].arm).transpose() * pair.V[carrier] + pair.joints[head].a - root.xi10);
  root.T2.setZero();
}

void disassemble_node(const Plan& plan, Workspace& work, size_t n) {
  PairWorkspace& pair = *work.pair;
  const PairNode& node = plan.nodes[n];
  auto &A = pair.compounds[node.near], &B = pair.compounds[node.far];
  const PairWorkspace::Compound& C = pair.compounds[plan.bodies.size() + n];
  A.T1 = C.T1;
  B.T2 = C.T2;
  B.T1 = pair.nodes[n].W * (B.xi12 * B.T2 - A.xi12.transpose() * A.T1) + pair.nodes[n].beta;
  A.T2 = -B.T1;
}

void disassemble_body(const Plan&, Workspace& work, size_t b) {
  const PairWorkspace::Compound& body = work.pair->compounds[b];
  work.pair->V[b] = body.xi11 * body.T1 + body.xi12 * body.T2 + body.xi10;
}

using Step = void (*)(const Plan& plan, Workspace& work, size_t index);

/// Runs one kind of work of one level, its pieces in any order.
void run_level(const std::vector<int>& items, Step step, const Plan& plan, Workspace& work) {
  Serial serial;
  Parallel& parallel = work.parallel ? *work.parallel : serial;
  parallel.for_each(static_cast<int>(items.size()), [&](int i) { step(plan, work, items[i]); });
}

void upward(const Plan& plan, Workspace& work, Step body, Step node, Step path) {
  for (const PairLevel& level : plan.pair_levels) {
    run_level(level.bodies, body, plan, work);
    run_level(level.nodes, node, plan, work);
    run_level(level.paths, path, plan, work);
  }
}

/// Constraint loads T at every handle and V of every body. `V` of the grounds is given.
void disassemble(const Plan& plan, Workspace& work) {
  for (size_t l = plan.pair_levels.size(); l-- > 0;) {
    run_level(plan.pair_levels[l].paths, disassemble_path, plan, work);
    run_level(plan.pair_levels[l].nodes, disassemble_node, plan, work);
    run_level(plan.pair_levels[l].bodies, disassemble_body, plan, work);
  }
}

}  // namespace

double pair_column_velocity(const Plan& plan, const Workspace& work, size_t b, int column) {
  const PairWorkspace& pair = *work.pair;
  const Vector6 carried = shift(work.body[b].arm).transpose() * pair.V[plan.bodies[b].parent];
  return pair.joints[b].H_dual.col(column).dot(pair.V[b] - carried - pair.joints[b].a);
}

void solve_pairs(const Plan& plan, Workspace& work) {
  upward(plan, work, assemble_body, assemble_node, assemble_path);
  disassemble(plan, work);
}

PairWorkspace::PairWorkspace(const Plan& plan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Matrix6 nan66 = Matrix6::Constant(nan);
  const Vector6 nan6 = Vector6::Constant(nan);
  compounds.assign(plan.bodies.size() + plan.nodes.size(), {nan66, nan66, nan66, nan6, nan6, nan6, nan6});
  joints.assign(plan.bodies.size(), {Columns6(nan66), Columns6(nan66), nan6, nan6});
  nodes.assign(plan.nodes.size(), {nan66, nan6});
  bias.assign(plan.bodies.size(), nan6);
  K.assign(plan.paths.size(), nan66), path_bias.assign(plan.paths.size(), nan6);
  singular.assign(plan.bodies.size(), 0);
  V.assign(plan.bodies.size(), nan6);
  prepare_closures(plan);
}

PairWorkspace::~PairWorkspace() = default;

/// All that depends on positions alone.
static Status factor(const Plan& plan, Workspace& work) {
  joint_spaces(plan, work);
  upward(plan, work, factor_body, factor_node, factor_path);
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b)
    if (work.pair->singular[b]) return {Status::Code::singular_joint, plan.bodies[b].joint};
  return {};
}

Status pair_velocities(const Plan& plan, Workspace& work) {
  PairWorkspace& pair = *work.pair;
  if (const Status status = factor(plan, work); !status.ok()) return status;
  for (size_t b = 0; b < plan.bodies.size(); ++b) {
    pair.bias[b].setZero();
    if (b < static_cast<size_t>(plan.grounds)) {
      pair.V[b] = dense(work.body[b].V);
      continue;
    }
    const PlanBody& body = plan.bodies[b];
    PairWorkspace::JointSpace& joint = pair.joints[b];
    joint.impulse.setZero(), joint.a.setZero();
    for (int c = 0; c < body.columns; ++c) {
      const size_t i = body.u + c;
      if (body.driven)
        joint.a += work.u[i] * dense(work.column[i].H);
      else
        joint.impulse += work.p[i] * joint.H_dual.col(c);
    }
  }
  solve_closed_pairs(plan, work.u, work);
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    if (!body.driven)
      for (int c = 0; c < body.columns; ++c) work.u[body.u + c] = pair_column_velocity(plan, work, b, c);
  }
  forward_velocities(plan, work);
  return {};
}

Status pair_forces(const Plan& plan, Workspace& work) {
  const Status status = factor(plan, work);
  if (status.ok()) pair_accelerations(plan, work);
  return status;
}

void pair_accelerations(const Plan& plan, Workspace& work) {
  PairWorkspace& pair = *work.pair;
  for (size_t b = 0; b < plan.bodies.size(); ++b) {
    if (b < static_cast<size_t>(plan.grounds)) {
      pair.V[b] = dense(work.A[b]);
      continue;
    }
    const PlanBody& body = plan.bodies[b];
    PairWorkspace::JointSpace& joint = pair.joints[b];
    pair.bias[b] = dense(work.bias[b]);
    joint.a = dense(work.gamma[b]);
    joint.impulse.setZero();
    if (!body.driven)
      for (int c = 0; c < body.columns; ++c) joint.impulse += work.tau[body.u + c] * joint.H_dual.col(c);
  }
  solve_closed_pairs(plan, work.drive_acceleration, work);
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    work.A[b] = spatial(pair.V[b]);
    for (int c = 0; c < body.columns; ++c) {
      const size_t i = body.u + c;
      work.udot[i] = body.driven ? work.drive_acceleration[i] : pair_column_velocity(plan, work, b, c);
    }
  }
}

}  // namespace arthron
