#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/directions.hpp"
#include "arthron/formulations/block_module/stages.hpp"

namespace arthron::block_module {

namespace {

using std::size_t;

/// D = S(l)^T diag(1/m, I_C^-1) S(l) with l from the centre of mass to O.
void invert_inertia(const Workspace& work, size_t b, Work& own) {
  const Work::InverseInertia& inverse = own.inverse[b];
  const Mat3 R = work.body[b].X_WB.R;
  const Eigen::Matrix3d moment = dense(rotated(WideMatrix3(R), inverse.moment)), l = skew(R * inverse.com_to_handle);
  Matrix6& D = block(own, static_cast<int>(b), own.modules[b].border.first, own.modules[b].border.first);
  const Eigen::Matrix3d l_moment = l * moment;
  D.topLeftCorner<3, 3>() = -l_moment * l;
  D.topLeftCorner<3, 3>().diagonal().array() += inverse.mass;
  D.topRightCorner<3, 3>() = -l_moment;
  D.bottomLeftCorner<3, 3>() = moment * l;
  D.bottomRightCorner<3, 3>() = moment;
}

/// One side of a constraint: the wrench directions G^T on its body, or, on a ground, what its acceleration adds to c.
struct Sides {
  const Plan& plan;
  const Workspace& work;
  Work& own;
  const Work::Assembly& assembly;
  Work::Factors& factors;

  void begin() {
    factors.known.setZero();
    for (int t = assembly.touches.first; t < assembly.touches.last; ++t) own.G[t].setZero();
  }
  void add(int body, const Vector6& wrench, int row) {
    if (body < plan.grounds) {
      factors.known[row] -= wrench.dot(dense(work.A[body]));
      return;
    }
    int t = assembly.touches.first;
    while (own.touches[t].body != body) ++t;
    own.G[t].col(row) += wrench;
  }
};

Vector6 moved(const Vector6& wrench, const Vec3& arm) { return dense(wrench_from(spatial(wrench), arm)); }

void tree_joint_rows(const Plan& plan, const Workspace& work, const Work::Assembly& assembly, Sides& sides) {
  const size_t b = assembly.body;
  const Columns6& D = sides.own.joints[b].D;
  for (int r = 0; r < assembly.rows; ++r) {
    sides.factors.known[r] += D.col(r).dot(dense(work.gamma[b]));
    sides.add(assembly.body, D.col(r), r);
    sides.add(plan.bodies[b].parent, -moved(D.col(r), work.body[b].arm), r);
  }
}

void cut_rows(const PlanClosure& closure, const ClosureWork::Cut& cut, Sides& sides) {
  for (int r = 0; r < closure.rows; ++r) {
    const Wide6& D = cut.D[r];
    sides.factors.known[r] += dot(D, cut.known);
    sides.add(closure.child, dense(wrench_from(D, cut.arm_child)), r);
    sides.add(closure.parent, -dense(wrench_from(D, cut.arm_parent)), r);
  }
}

/// sum coefficient udot = 0, udot read off the accelerations of the two bodies at O.
void coupling_row(const Plan& plan, const Workspace& work, const Coupling& coupling, Sides& sides) {
  for (const Coupling::Term& term : coupling.terms) {
    const PlanJoint& joint = plan.joints[term.joint.value];
    if (joint.driven) {
      sides.factors.known[0] -= term.coefficient * work.drive_acceleration[joint.u + term.freedom];
      continue;
    }
    const size_t b = joint.body;
    const Vector6 reader = term.coefficient * sides.own.joints[b].H_dual.col(term.freedom);
    sides.factors.known[0] += reader.dot(dense(work.gamma[b]));
    sides.add(joint.body, reader, 0);
    sides.add(plan.bodies[b].parent, -moved(reader, work.body[b].arm), 0);
  }
}

}  // namespace

void find_directions(const Plan& plan, const Workspace& work, size_t b, Work& own) {
  const PlanBody& body = plan.bodies[b];
  const int columns = body.driven ? 0 : body.columns;
  Columns6 H(6, columns);
  for (int c = 0; c < columns; ++c) H.col(c) = dense(work.column[body.u + c].H);
  split_directions(H, own.joints[b].H_dual, own.joints[b].D);
}

void start_body(const Plan& plan, const Workspace& work, size_t b, Work& own) {
  invert_inertia(work, b, own);
  const auto effort = [&](size_t joint) {
    Vector6 sum = Vector6::Zero();
    const Columns6& H_dual = own.joints[joint].H_dual;
    for (Eigen::Index c = 0; c < H_dual.cols(); ++c) sum += work.tau[plan.bodies[joint].u + c] * H_dual.col(c);
    return sum;
  };
  const int slot = own.modules[b].border.first;
  Vector6& Q = own.flow.Q[slot];
  Q = effort(b) - dense(work.bias[b]);
  for (const int child : own.children[b]) Q -= shift(work.body[child].arm) * effort(child);
  own.flow.R[slot].noalias() = block(own, static_cast<int>(b), slot, slot) * Q;
}

void find_rows(const Plan& plan, const Workspace& work, size_t number, Work& own) {
  const Work::Assembly& assembly = own.assemblies[number];
  Sides sides{plan, work, own, assembly, own.factors[number]};
  sides.begin();
  if (assembly.closure < 0) return tree_joint_rows(plan, work, assembly, sides);
  const PlanClosure& closure = plan.closures[assembly.closure];
  if (closure.coupling < 0)
    cut_rows(closure, work.closures->cuts[assembly.closure], sides);
  else
    coupling_row(plan, work, plan.model->couplings[closure.coupling], sides);
}

}  // namespace arthron::block_module
