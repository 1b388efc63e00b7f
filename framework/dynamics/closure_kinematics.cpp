#include <algorithm>
#include <cmath>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/directions.hpp"
#include "arthron/spatial/rotation_vector.hpp"

namespace arthron {

namespace {

using std::size_t;

struct Frames {
  Pose<double> X_WF, X_FM;
};

Frames frames_of(const PlanClosure& closure, const Workspace& work) {
  const Pose<double> X_WP = work.body[static_cast<size_t>(closure.parent)].X_WB, X_WC = work.body[static_cast<size_t>(closure.child)].X_WB;
  const Pose<double> X_WF = X_WP * closure.X_PF;
  return {X_WF, inverse(X_WF) * (X_WC * closure.X_CM)};
}

/// Free columns in F axes, and with rotations measured in lengths.
Columns6 scaled_columns(const PlanClosure& closure, double length, const Workspace& work) {
  Columns6 H(6, closure.driven ? 0 : closure.columns);
  for (Eigen::Index c = 0; c < H.cols(); ++c) {
    H.col(c) = dense(work.H_F[static_cast<size_t>(closure.u + c)]);
    H.col(c).tail<3>() *= length;
  }
  return H;
}

/// One Newton step of every cut joint's coordinates towards the pose its bodies have; the largest step.
double approach(const Plan& plan, Workspace& work) {
  for (const auto& batch : plan.closure_batches) batch->position(work.q.data(), work.X_FM.data(), work.H_F.data());
  double largest = 0;
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    ClosureWork::Cut& cut = work.closures->cuts[c];
    const double length = work.closures->scale[c];
    const Frames frames = frames_of(closure, work);
    const Pose<double>& X = work.X_FM[static_cast<size_t>(closure.joint)];
    const Spatial6 error{frames.X_FM.p - X.p, rotation_vector_of(frames.X_FM.R * transpose(X.R))};
    cut.error = rotated(frames.X_WF.R, error);
    Columns6 H_dual, D;
    split_directions(scaled_columns(closure, length, work), H_dual, D);
    Vector6 scaled = dense(error);
    scaled.tail<3>() *= length;
    for (Eigen::Index i = 0; i < H_dual.cols(); ++i) {
      const double step = H_dual.col(i).dot(scaled);
      work.u[static_cast<size_t>(closure.u + i)] = step;
      largest = std::max(largest, std::abs(step));
    }
  }
  return largest;
}

void step_coordinates(const Plan& plan, Workspace& work) {
  for (const auto& batch : plan.closure_batches) batch->coordinate_rate(work.q.data(), work.u.data(), work.qdot.data());
  for (const PlanClosure& closure : plan.closures) {
    if (closure.driven) continue;
    const int nq = plan.joints[static_cast<size_t>(closure.joint)].nq;
    for (int i = closure.q; i < closure.q + nq; ++i) work.q[static_cast<size_t>(i)] += work.qdot[static_cast<size_t>(i)];
  }
  for (const auto& batch : plan.closure_batches) batch->normalise(work.q.data(), plan.nq_all);
}

}  // namespace

void closure_kinematics(const Plan& plan, Workspace& work) {
  // Drives keep their u; approach() uses the places of the others for its steps.
  constexpr int most_steps = 10;
  for (int i = 0; i < most_steps; ++i) {
    if (approach(plan, work) < 1e-13) break;
    step_coordinates(plan, work);
  }
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    ClosureWork::Cut& cut = work.closures->cuts[c];
    const double length = work.closures->scale[c];
    const Frames frames = frames_of(closure, work);
    const WideMatrix3 R_WF = frames.X_WF.R;
    const Wide3 point = frames.X_WF * frames.X_FM.p;
    cut.arm_child = point - work.body[static_cast<size_t>(closure.child)].X_WB.p;
    cut.arm_parent = point - work.body[static_cast<size_t>(closure.parent)].X_WB.p;
    // D = diag(1, length) D~ with D~ orthonormal and orthogonal to diag(1, length) H, so that D^T H = 0.
    Columns6 H_dual, D;
    split_directions(scaled_columns(closure, length, work), H_dual, D);
    const auto to_world = [&](Vector6 column) {
      column.tail<3>() *= length;
      return rotated(R_WF, Wide6(spatial(column)));
    };
    for (Eigen::Index r = 0; r < D.cols(); ++r) cut.D[static_cast<size_t>(r)] = to_world(D.col(r));
    cut.H_dual.resize(6, H_dual.cols());
    for (Eigen::Index i = 0; i < H_dual.cols(); ++i) cut.H_dual.col(i) = dense(to_world(H_dual.col(i)));
    cut.known = Wide6::zero();
    for (int i = closure.u; i < closure.u + closure.columns; ++i) {
      const size_t column = static_cast<size_t>(i);
      work.column[column].H = rotated(R_WF, Wide6(work.H_F[column]));
      if (closure.driven) cut.known += work.u[column] * work.column[column].H;
    }
  }
  work.closures->accelerating = false;
}

void closure_rates(const Plan& plan, Workspace& work) {
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    if (closure.driven) continue;
    const Wide6 V = velocity_at(work.body[static_cast<size_t>(closure.child)].V, cut.arm_child) -
                    velocity_at(work.body[static_cast<size_t>(closure.parent)].V, cut.arm_parent);
    for (Eigen::Index i = 0; i < cut.H_dual.cols(); ++i) work.u[static_cast<size_t>(closure.u + i)] = cut.H_dual.col(i).dot(dense(V));
  }
  for (const auto& batch : plan.closure_batches) batch->rate(work.q.data(), work.u.data(), work.Hdot_F.data());
}

}  // namespace arthron
