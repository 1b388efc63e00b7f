#pragma once
#include <Eigen/Dense>
#include <algorithm>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/stages.hpp"
#include "support/loaded.hpp"

namespace arthron::test {

/// Openings of all closure rows per unit of each free velocity; overwrites the velocities of the workspace.
inline Eigen::MatrixXd constraint_jacobian(Loaded& model) {
  const Plan& plan = *model.plan;
  Workspace& work = *model.work;
  int rows = 0;
  for (const PlanClosure& closure : plan.closures) rows += closure.rows;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows, plan.nu);
  for (int g = 0; g < plan.grounds; ++g) work.body[g].V = Wide6::zero();
  for (int i = 0; i < plan.nu; ++i) {
    std::fill(work.u.begin(), work.u.end(), 0);
    work.u[i] = 1;
    forward_velocities(plan, work);
    int row = 0;
    for (std::size_t c = 0; c < plan.closures.size(); ++c) {
      const PlanClosure& closure = plan.closures[c];
      const ClosureWork::Cut& cut = work.closures->cuts[c];
      if (closure.coupling >= 0) {
        for (const Coupling::Term& term : plan.model->couplings[closure.coupling].terms)
          if (plan.joints[term.joint.value].u + term.freedom == i) J(row, i) += term.coefficient;
      } else {
        const Spatial6 V =
            velocity_at(work.body[closure.child].V, cut.arm_child) - velocity_at(work.body[closure.parent].V, cut.arm_parent);
        for (int r = 0; r < closure.rows; ++r) J(row + r, i) = dense(cut.D[r]).dot(dense(V));
      }
      row += closure.rows;
    }
  }
  return J;
}

}  // namespace arthron::test
