#include "arthron/simulation/plan_ode.hpp"

namespace arthron {

PlanOde::PlanOde(const Plan& plan, Workspace& work) : plan_(plan), work_(work), joint_of_entry_(static_cast<std::size_t>(size()), -1) {
  for (std::size_t j = 0; j < plan.joints.size(); ++j) {
    const PlanJoint& joint = plan.joints[j];
    if (joint.driven) continue;
    for (int i = 0; i < joint.nq; ++i) joint_of_entry_[static_cast<std::size_t>(joint.q + i)] = static_cast<int>(j);
    for (int i = 0; i < joint.nu; ++i) joint_of_entry_[static_cast<std::size_t>(plan.nq + joint.u + i)] = static_cast<int>(j);
  }
}

}  // namespace arthron
