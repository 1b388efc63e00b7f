#include <algorithm>
#include <cmath>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/directions.hpp"
#include "arthron/dynamics/dynamics.hpp"
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

/// Free and constrained directions in F axes, rotations measured in lengths; constant ones are found once.
void split_where_unknown(const PlanClosure& closure, double length, const Workspace& work, ClosureWork::Cut& cut) {
  if (!closure.varies && cut.D_F.cols() + cut.H_dual_F.cols() == 6) return;
  Columns6 H(6, closure.driven ? 0 : closure.columns);
  for (Eigen::Index c = 0; c < H.cols(); ++c) {
    H.col(c) = dense(work.H_F[static_cast<size_t>(closure.u + c)]);
    H.col(c).tail<3>() *= length;
  }
  split_directions(H, cut.H_dual_F, cut.D_F);
  cut.H_dual.resize(6, H.cols());
}

/// One Newton step of every cut joint's coordinates towards the pose its bodies have; the largest step.
double approach(const Plan& plan, Workspace& work) {
  for (const auto& batch : plan.closure_batches) batch->position(work.q.data(), work.X_FM.data(), work.H_F.data());
  double largest = 0;
  for (size_t c = 0; c < static_cast<size_t>(plan.cuts); ++c) {
    const PlanClosure& closure = plan.closures[c];
    ClosureWork::Cut& cut = work.closures->cuts[c];
    const double length = work.closures->scale[c];
    const Frames frames = frames_of(closure, work);
    const Pose<double>& X = work.X_FM[static_cast<size_t>(closure.joint)];
    const Spatial6 error{frames.X_FM.p - X.p, rotation_vector_of(frames.X_FM.R * transpose(X.R))};
    cut.error = rotated(frames.X_WF.R, error);
    split_where_unknown(closure, length, work, cut);
    Vector6 scaled = dense(error);
    scaled.tail<3>() *= length;
    for (Eigen::Index i = 0; i < cut.H_dual_F.cols(); ++i) {
      const double step = cut.H_dual_F.col(i).dot(scaled);
      work.closures->step[static_cast<size_t>(closure.u + i)] = step;
      largest = std::max(largest, std::abs(step));
    }
  }
  return largest;
}

void step_coordinates(const Plan& plan, Workspace& work) {
  for (const auto& batch : plan.closure_batches) batch->coordinate_rate(work.q.data(), work.closures->step.data(), work.qdot.data());
  for (size_t c = 0; c < static_cast<size_t>(plan.cuts); ++c) {
    const PlanClosure& closure = plan.closures[c];
    if (closure.driven) continue;
    const int nq = plan.joints[static_cast<size_t>(closure.joint)].nq;
    for (int i = closure.q; i < closure.q + nq; ++i) work.q[static_cast<size_t>(i)] += work.qdot[static_cast<size_t>(i)];
  }
  for (const auto& batch : plan.closure_batches) batch->normalise(work.q.data(), plan.nq_all);
}

}  // namespace

void locate_cuts(const Plan& plan, Workspace& work) {
  if (!work.closures) return;
  work.closures->located = true;
  constexpr int most_steps = 10;
  for (int i = 0; i < most_steps; ++i) {
    if (approach(plan, work) < 1e-13) break;
    step_coordinates(plan, work);
  }
  for (size_t c = static_cast<size_t>(plan.cuts); c < plan.closures.size(); ++c) {
    double sum = 0;
    for (const Coupling::Term& term : plan.model->couplings[static_cast<size_t>(plan.closures[c].coupling)].terms)
      sum += term.coefficient * work.q[static_cast<size_t>(plan.joints[static_cast<size_t>(term.joint.value)].q + term.freedom)];
    work.closures->cuts[c].error.linear.x = sum;
  }
}

void closure_kinematics(const Plan& plan, Workspace& work) {
  if (plan.locates_cuts || !work.closures->located) locate_cuts(plan, work);
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    ClosureWork::Cut& cut = work.closures->cuts[c];
    cut.known = Wide6::zero();
    if (closure.coupling >= 0) continue;
    const BodyWork &parent = work.body[static_cast<size_t>(closure.parent)], &child = work.body[static_cast<size_t>(closure.child)];
    const WideMatrix3 R_WF = parent.X_WB.R * WideMatrix3(closure.X_PF.R);
    cut.arm_child = child.X_WB.R * Wide3(closure.X_CM.p);
    cut.arm_parent = child.X_WB.p + cut.arm_child - parent.X_WB.p;
    // D = diag(1, length) D~ with D~ orthonormal and orthogonal to diag(1, length) H, so that D^T H = 0.
    const double length = work.closures->scale[c];
    const auto to_world = [&](const auto& column) {
      return rotated(R_WF,
                     Wide6(Spatial6{{column[0], column[1], column[2]}, {length * column[3], length * column[4], length * column[5]}}));
    };
    for (Eigen::Index r = 0; r < cut.D_F.cols(); ++r) cut.D[static_cast<size_t>(r)] = to_world(cut.D_F.col(r));
    for (Eigen::Index i = 0; i < cut.H_dual_F.cols(); ++i) cut.H_dual.col(i) = dense(to_world(cut.H_dual_F.col(i)));
    for (int i = closure.u; i < closure.u + closure.columns; ++i) {
      const size_t column = static_cast<size_t>(i);
      work.column[column].H = rotated(R_WF, Wide6(work.H_F[column]));
      if (closure.driven) cut.known += work.u[column] * work.column[column].H;
    }
  }
  work.closures->accelerating = false;
}

void closure_rates(const Plan& plan, Workspace& work) {
  for (size_t c = 0; c < static_cast<size_t>(plan.cuts); ++c) {
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    if (closure.driven) continue;
    const Wide6 V = velocity_at(work.body[static_cast<size_t>(closure.child)].V, cut.arm_child) -
                    velocity_at(work.body[static_cast<size_t>(closure.parent)].V, cut.arm_parent);
    for (Eigen::Index i = 0; i < cut.H_dual.cols(); ++i) work.u[static_cast<size_t>(closure.u + i)] = cut.H_dual.col(i).dot(dense(V));
  }
  if (plan.locates_cuts)
    for (const auto& batch : plan.closure_batches) batch->rate(work.q.data(), work.u.data(), work.Hdot_F.data());
}

}  // namespace arthron
