#include <algorithm>
#include <cmath>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/directions.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/spatial/rotation_vector.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Which cut joints a search for coordinates is for.
enum class Which { tracked, without_complement, all };

bool concerns(Which which, const PlanClosure& closure) {
  switch (which) {
    case Which::tracked: return closure.tracked;
    case Which::without_complement: return closure.tracked || !closure.gives_complement;
    case Which::all: break;
  }
  return true;
}

template <class Action>
void for_batches(const Plan& plan, const PlanPart& part, Which which, Action action, bool grouped = false) {
  const auto act = [&](const BatchSlice& slice) {
    const JointBatch& batch = *plan.closure_batches[slice.batch];
    if (static_cast<size_t>(slice.batch) < plan.tracked_batches || which == Which::all ||
        (which == Which::without_complement && !batch.gives_complement()))
      action(batch, slice.items);
  };
  for (const BatchSlice& slice : part.cut_joints) act(slice);
  if (grouped) return;
  for (const BatchSlice& slice : part.group_cuts) act(slice);
}

template <class Action>
void for_cuts(const Plan& plan, const PlanPart& part, Which which, Action action, bool grouped = false) {
  for (int c = part.cuts.first; c < part.cuts.last; ++c)
    if (concerns(which, plan.closures[c]) && !(grouped && plan.closures[c].grouped)) action(c, plan.closures[c]);
}

/// Every part in turn, and what is shared.
template <class Action>
void for_parts(const Plan& plan, Action action) {
  for (const PlanPart& part : plan.parts) action(part);
}

WideMatrix3 joint_axes(const PlanClosure& closure, const Workspace& work) { return work.body[closure.parent].X_WB.R * closure.X_PF.R; }

/// Free directions of a cut joint in F axes, rotations measured in lengths.
Columns6 scaled_columns(const PlanClosure& closure, double length, const Workspace& work) {
  Columns6 H(6, closure.driven ? 0 : closure.columns);
  for (Eigen::Index c = 0; c < H.cols(); ++c) {
    H.col(c) = dense(work.H_F[closure.u + c]);
    H.col(c).tail<3>() *= length;
  }
  return H;
}

/// Free directions' duals, and the constrained directions where nobody else gives them.
void split(const PlanClosure& closure, size_t c, Workspace& work) {
  ClosureWork& closures = *work.closures;
  Columns6 D;
  split_directions(scaled_columns(closure, closures.scale[c], work), closures.freedoms[c].dual_F, D);
  closures.freedoms[c].dual.resize(6, closures.freedoms[c].dual_F.cols());
  if (closure.gives_complement) return;
  for (Eigen::Index r = 0; r < D.cols(); ++r) closures.D_F[6 * c + r] = spatial(D.col(r));
}

/// Poses of the cut joints as their bodies are.
void relative_pose(const PlanClosure& closure, size_t c, Workspace& work) {
  const WidePose &parent = work.body[closure.parent].X_WB, &child = work.body[closure.child].X_WB;
  const WideMatrix3 R_FW = transpose(parent.R * closure.X_PF.R);
  const Wide3 gap = child.p + child.R * closure.X_CM.p - parent.p - parent.R * closure.X_PF.p;
  work.closures->X_FM[c] = WidePose{R_FW * (child.R * closure.X_CM.R), R_FW * gap};
}

void move_arms(const PlanClosure& closure, size_t c, Workspace& work) {
  const BodyWork &parent = work.body[closure.parent], &child = work.body[closure.child];
  ClosureWork::Cut& cut = work.closures->cuts[c];
  cut.arm_child = child.X_WB.R * closure.X_CM.p;
  cut.arm_parent = child.X_WB.p + cut.arm_child - parent.X_WB.p;
}

/// One Newton step of the cut joints' coordinates towards the pose their bodies have; the largest step, of coordinates larger than one in
/// units of these, which are rounded.
double approach(const Plan& plan, const PlanPart& part, Which which, Workspace& work) {
  for_batches(plan, part, which,
              [&](const JointBatch& batch, Slice items) { batch.position(items, work.q.data(), work.X_FM.data(), work.H_F.data()); });
  double largest = 0;
  for_cuts(plan, part, which, [&](size_t c, const PlanClosure& closure) {
    ClosureWork& closures = *work.closures;
    const Pose<double>&X = work.X_FM[closure.joint], &reached = closures.X_FM[c];
    const Spatial6 gap{reached.p - X.p, rotation_vector_of(reached.R * transpose(X.R))};
    closures.gap_F[c] = gap;
    if (closure.varies && !closure.driven) split(closure, c, work);
    Vector6 scaled = dense(gap);
    scaled.tail<3>() *= closures.scale[c];
    const Columns6& dual = closures.freedoms[c].dual_F;
    const bool plain = plan.joints[closure.joint].nq == closure.columns;
    for (Eigen::Index i = 0; i < dual.cols(); ++i) {
      const double step = dual.col(i).dot(scaled);
      closures.step[closure.u + i] = step;
      const double size = plain ? std::max(1.0, std::abs(work.q[closure.q + i])) : 1;
      largest = std::max(largest, std::abs(step) / size);
    }
  });
  return largest;
}

void step_coordinates(const Plan& plan, const PlanPart& part, Which which, Workspace& work) {
  for_batches(plan, part, which, [&](const JointBatch& batch, Slice items) {
    batch.coordinate_rate(items, work.q.data(), work.closures->step.data(), work.qdot.data());
  });
  for_cuts(plan, part, which, [&](size_t, const PlanClosure& closure) {
    if (closure.driven) return;
    const int nq = plan.joints[closure.joint].nq;
    for (int i = closure.q; i < closure.q + nq; ++i) work.q[i] += work.qdot[i];
  });
  for_batches(plan, part, which, [&](const JointBatch& batch, Slice items) { batch.normalise(items, work.q.data(), plan.nq_all); });
}

/// Coordinates of cut joints, the nearest to those found before.
void locate(const Plan& plan, const PlanPart& part, Which which, Workspace& work) {
  constexpr int most_steps = 10;
  for (int i = 0; i < most_steps; ++i) {
    if (approach(plan, part, which, work) < 1e-13) break;
    step_coordinates(plan, part, which, work);
  }
}

/// A direction of wrenches in F axes with its rotation in lengths, in world axes.
Wide6 to_world(const WideMatrix3& R_WF, double length, const Spatial6& direction) {
  return {R_WF * direction.linear, length * (R_WF * direction.angular)};
}

/// Columns in world axes, and their duals.
void turn_columns(const PlanClosure& closure, size_t c, Workspace& work) {
  ClosureWork::Freedoms& freedoms = work.closures->freedoms[c];
  const WideMatrix3 R_WF = joint_axes(closure, work);
  for (Eigen::Index i = 0; i < freedoms.dual_F.cols(); ++i)
    freedoms.dual.col(i) = dense(to_world(R_WF, work.closures->scale[c], spatial(freedoms.dual_F.col(i))));
  for (int i = closure.u; i < closure.u + closure.columns; ++i) work.column[i].H = rotated(R_WF, Wide6(work.H_F[i]));
}

/// Velocities along the freedoms, and rates of the columns.
void move_freedoms(const Plan& plan, const PlanPart& part, Which which, Workspace& work) {
  for_cuts(plan, part, which, [&](size_t c, const PlanClosure& closure) {
    if (closure.driven) return;
    const Vector6 V = dense(velocity_at_cut(closure, work.closures->cuts[c], work));
    const Columns6& dual = work.closures->freedoms[c].dual;
    for (Eigen::Index i = 0; i < dual.cols(); ++i) work.u[closure.u + i] = dual.col(i).dot(V);
  });
  for_batches(plan, part, which,
              [&](const JointBatch& batch, Slice items) { batch.rate(items, work.q.data(), work.u.data(), work.Hdot_F.data()); });
}

}  // namespace

Wide6 velocity_at_cut(const PlanClosure& closure, const ClosureWork::Cut& cut, const Workspace& work) {
  return velocity_at(work.body[closure.child].V, cut.arm_child) - velocity_at(work.body[closure.parent].V, cut.arm_parent);
}

Wide6 opening_velocity(const Plan& plan, size_t c, const Workspace& work) {
  const PlanClosure& closure = plan.closures[c];
  if (closure.coupling >= 0) {
    double rate = 0;
    for (const Coupling::Term& term : plan.model->couplings[closure.coupling].terms)
      rate += term.coefficient * work.u[plan.joints[term.joint.value].u + term.freedom];
    return {Wide3(Vec3{rate, 0, 0}), Wide3::zero()};
  }
  Wide6 V = velocity_at_cut(closure, work.closures->cuts[c], work);
  if (closure.driven)
    for (int i = closure.u; i < closure.u + closure.columns; ++i) V -= work.u[i] * work.column[i].H;
  return V;
}

void prepare_cuts(const Plan& plan, Workspace& work) {
  if (!work.closures) return;
  ClosureWork& closures = *work.closures;
  for_parts(plan, [&](const PlanPart& part) {
    for_batches(plan, part, Which::all,
                [&](const JointBatch& batch, Slice items) { batch.complement(items, closures.X_FM.data(), closures.D_F.data()); });
    for_cuts(plan, part, Which::all, [&](size_t c, const PlanClosure& closure) {
      if (!closure.varies || closure.driven) split(closure, c, work);
    });
  });
}

void find_openings(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  ClosureWork& closures = *work.closures;
  for_cuts(plan, part, Which::all,
           [&](size_t c, const PlanClosure& closure) { relative_pose(closure, c, work), move_arms(closure, c, work); });
  locate(plan, part, Which::without_complement, work);
  for_batches(plan, part, Which::all,
              [&](const JointBatch& batch, Slice items) { batch.gap(items, closures.X_FM.data(), closures.gap_F.data()); });
  for_cuts(plan, part, Which::all, [&](size_t c, const PlanClosure& closure) {
    closures.error[c] = static_cast<Spatial6>(rotated(joint_axes(closure, work), Wide6(closures.gap_F[c])));
  });
  for (const int coupling : part.couplings) {
    const size_t c = coupling;
    double sum = 0;
    for (const Coupling::Term& term : plan.model->couplings[plan.closures[c].coupling].terms)
      sum += term.coefficient * work.q[plan.joints[term.joint.value].q + term.freedom];
    closures.error[c].linear.x = sum;
  }
}

void find_openings(const Plan& plan, Workspace& work) {
  if (!work.closures) return;
  for (int p = 0; p <= shared_part(plan); ++p) find_openings(plan, p, work);
}

void closure_kinematics(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  ClosureWork& closures = *work.closures;
  const bool grouped = is_grouped(work, number);
  if (grouped) group_cut_directions(plan, part, work);
  const auto find_pose = [&](size_t c, const PlanClosure& closure) {
    if (closure.varies || closure.tracked) relative_pose(closure, c, work);
  };
  for_cuts(plan, part, Which::all, find_pose, grouped);
  if (plan.tracked_batches > 0) locate(plan, part, Which::tracked, work);
  const auto find_complement = [&](const JointBatch& batch, Slice items) {
    if (batch.varies()) batch.complement(items, closures.X_FM.data(), closures.D_F.data());
  };
  for_batches(plan, part, Which::all, find_complement, grouped);
  const auto find_directions = [&](size_t c, const PlanClosure& closure) {
    ClosureWork::Cut& cut = closures.cuts[c];
    cut.known = Wide6::zero();
    move_arms(closure, c, work);
    const WideMatrix3 R_WF = joint_axes(closure, work);
    // D = diag(1, length) D~ with D~ orthonormal and orthogonal to diag(1, length) H, so that D^T H = 0.
    for (int r = 0; r < closure.rows; ++r) cut.D[r] = to_world(R_WF, closures.scale[c], closures.D_F[6 * c + r]);
    if (!closure.tracked) return;
    turn_columns(closure, c, work);
    if (closure.driven)
      for (int i = closure.u; i < closure.u + closure.columns; ++i) cut.known += work.u[i] * work.column[i].H;
  };
  for_cuts(plan, part, Which::all, find_directions, grouped);
  for (const int c : part.couplings) closures.cuts[c].known = Wide6::zero();
}

void closure_kinematics(const Plan& plan, Workspace& work) {
  for (int p = 0; p <= shared_part(plan); ++p) closure_kinematics(plan, p, work);
}

void closure_rates(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  ClosureWork& closures = *work.closures;
  const bool grouped = is_grouped(work, number);
  if (grouped) group_cut_rates(plan, part, work);
  const auto find_velocity = [&](size_t c, const PlanClosure& closure) {
    if (!closure.varies || !closure.gives_complement) return;
    const WideMatrix3 R_FW = transpose(joint_axes(closure, work));
    // Seen from the parent, whose point under the cut moves along.
    closures.V_FM[c] = static_cast<Spatial6>(rotated(R_FW, velocity_at_cut(closure, closures.cuts[c], work)));
  };
  for_cuts(plan, part, Which::all, find_velocity, grouped);
  const auto find_rates = [&](const JointBatch& batch, Slice items) {
    if (batch.varies()) batch.complement_rate(items, closures.X_FM.data(), closures.V_FM.data(), closures.Ddot_F.data());
  };
  for_batches(plan, part, Which::all, find_rates, grouped);
  if (plan.tracked_batches > 0) move_freedoms(plan, part, Which::tracked, work);
}

void closure_rates(const Plan& plan, Workspace& work) {
  for (int p = 0; p <= shared_part(plan); ++p) closure_rates(plan, p, work);
}

void locate_cuts(const Plan& plan, bool all, Workspace& work) {
  const Which which = all ? Which::all : Which::without_complement;
  for_parts(plan, [&](const PlanPart& part) {
    for_cuts(plan, part, which, [&](size_t c, const PlanClosure& closure) { relative_pose(closure, c, work); });
    locate(plan, part, which, work);
  });
}

void measure_freedoms(const Plan& plan, Workspace& work) {
  for_parts(plan, [&](const PlanPart& part) {
    for_cuts(plan, part, Which::all, [&](size_t c, const PlanClosure& closure) { relative_pose(closure, c, work); });
    locate(plan, part, Which::all, work);
    for_cuts(plan, part, Which::all, [&](size_t c, const PlanClosure& closure) { turn_columns(closure, c, work); });
    move_freedoms(plan, part, Which::all, work);
  });
}

}  // namespace arthron
