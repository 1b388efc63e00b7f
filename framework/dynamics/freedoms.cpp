#include <algorithm>
#include <cmath>

#include "arthron/dynamics/directions.hpp"
#include "arthron/dynamics/dynamics.hpp"

namespace arthron {

Status freedoms_are_independent(const Plan& plan, const Workspace& work, double least) {
  for (std::size_t j = 0; j < plan.joints.size(); ++j) {
    const PlanJoint& joint = plan.joints[j];
    const bool unknown = joint.closure >= 0 && !plan.closures[joint.closure].tracked;
    if (joint.nu == 0 || unknown) continue;
    Columns6 H(6, joint.nu);
    for (int c = 0; c < joint.nu; ++c) H.col(c) = dense(work.H_F[joint.u + c]);
    if (!H.allFinite()) {
      const double* const q = work.q.data() + joint.q;
      if (std::all_of(q, q + joint.nq, [](double x) { return std::isfinite(x); })) return {Status::Code::not_finite, static_cast<int>(j)};
      continue;
    }
    if (independence(H) < least) return {Status::Code::freedom_lost, static_cast<int>(j)};
  }
  return {};
}

}  // namespace arthron
