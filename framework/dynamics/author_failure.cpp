#include "arthron/dynamics/author_failure.hpp"

#include <algorithm>

#include "arthron/dynamics/workspace.hpp"

namespace arthron {

namespace {

/// The element that threw, or where that is not known any of its type.
struct Culprit {
  const ComponentType* type = nullptr;
  std::string path;  // empty: not known
};

Culprit find_joint(const ComponentError& error, const Model& model) {
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const JointType& type = model.joints[j].definition->type();
    if (type.name() == error.type() && (error.place() < 0 || error.place() == static_cast<int>(j)))
      return {&type, error.place() < 0 ? "" : model.joints[j].path};
  }
  return {};
}

Culprit find_force(const ComponentError& error, const Plan& plan) {
  for (std::size_t f = 0; f < plan.model->forces.size(); ++f) {
    const ForceType& type = plan.model->forces[f].definition->type();
    if (type.name() == error.type() && error.place() == plan.forces[f].handles.first) return {&type, plan.model->forces[f].path};
  }
  return {};
}

}  // namespace

Status author_failure(const ComponentError& error, Workspace& work) {
  std::fill(work.held.begin(), work.held.end(), 0);
  const bool joint = error.kind() == ComponentError::Kind::joint;
  const Culprit culprit = joint ? find_joint(error, *work.plan->model) : find_force(error, *work.plan);
  const std::string kind = joint ? "joint" : "force", type = culprit.type ? name_and_library(*culprit.type) : '"' + error.type() + '"';
  work.failure =
      (culprit.path.empty() ? kind + " type " + type : kind + " \"" + culprit.path + "\" of type " + type) + " threw: " + error.message();
  return {Status::Code::component_failed, joint ? error.place() : -1};
}

}  // namespace arthron
