#include "translate.hpp"

#include <algorithm>
#include <stdexcept>

#include "arthron/component/joint_batch.hpp"
#include "arthron/components/joints/distance.hpp"
#include "arthron/components/joints/free.hpp"
#include "arthron/components/joints/prismatic.hpp"
#include "arthron/components/joints/revolute.hpp"
#include "arthron/components/joints/spherical.hpp"

namespace arthron::peers {

namespace {

Vector vector(const Vec3& v) { return {v.x, v.y, v.z}; }

template <class J>
const J* as(const Joint& joint) {
  return joint.definition->type().name() == J::type ? &static_cast<const JointDefinitionOf<J>&>(*joint.definition).joint() : nullptr;
}

JointKind kind_of(const Joint& joint) {
  if (as<RevoluteJoint>(joint)) return JointKind::revolute;
  if (as<PrismaticJoint>(joint)) return JointKind::prismatic;
  if (as<SphericalJoint>(joint)) return JointKind::spherical;
  if (as<FreeJoint>(joint)) return JointKind::free;
  if (as<DistanceJoint>(joint)) return JointKind::distance;
  throw std::runtime_error("no peer joint of type " + std::string(joint.definition->type().name()));
}

/// Slides of mirrored joints go the other way.
double slide_sign(const Joint& joint) { return joint.mirrored ? -1 : 1; }

Vec3 axis_of(const Joint& joint) {
  if (const auto* revolute = as<RevoluteJoint>(joint)) return joint.frame.R * revolute->axis;
  if (const auto* prismatic = as<PrismaticJoint>(joint)) return slide_sign(joint) * (joint.frame.R * prismatic->axis);
  return {};
}

Link link(const Joint& joint, const Body& body, const PlanJoint& place, int parent) {
  // A reversed joint turns the other way, seen from its tree parent.
  const Vec3 axis = place.reversed ? -axis_of(joint) : axis_of(joint);
  const JointKind kind = kind_of(joint);
  if (kind == JointKind::distance) throw std::runtime_error("no peer joint for a distance joint in the tree");
  const Sym3& I = body.inertia;
  return {parent, kind, vector(joint.frame.p), vector(axis), body.mass, vector(body.com), {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}};
}

LoopJoint loop(const Joint& joint, int a, int b) {
  Vec3 at_a = joint.frame.p;
  if (const auto* rod = as<DistanceJoint>(joint)) at_a += slide_sign(joint) * (joint.frame.R * rod->link_end());
  return {kind_of(joint), a, b, vector(at_a), vector(joint.frame.p), vector(axis_of(joint))};
}

/// A body's frame that is parallel to the world at the design position; of a ground the world.
Pose<double> link_pose(const Plan& plan, const Workspace& work, int number) {
  if (number < plan.grounds) return {};
  const auto place = std::find(plan.body_of.begin(), plan.body_of.end(), number) - plan.body_of.begin();
  const std::size_t i = place;
  const Pose<double> X_WB = work.body[number].X_WB;
  return {X_WB.R * plan.frame_in_body[i].R * transpose(plan.model->bodies[i].frame.R), X_WB.p};
}

Spatial6 link_velocity(const Plan& plan, const Workspace& work, int number) {
  return number < plan.grounds ? Spatial6{} : Spatial6(work.body[number].V);
}

}  // namespace

std::shared_ptr<const Model> without_loads(Model model) {
  model.forces.clear();
  for (Joint& joint : model.joints) {
    joint.stiffness.clear(), joint.damping.clear(), joint.rest.clear(), joint.effort.clear();
    joint.limits.reset(), joint.friction.reset(), joint.drive.reset();
  }
  // Ports and markers may name what is gone, and nobody measures here.
  model.ports.clear(), model.markers.clear(), model.signals.clear();
  for (Joint& joint : model.joints) joint.parent_port = joint.child_port = -1;
  model.simulation.channels.clear();
  return std::make_shared<const Model>(std::move(model));
}

Mechanism mechanism(const Plan& plan) {
  const Model& model = *plan.model;
  const auto link_of = [&](BodyIndex body) {
    const int number = plan.body_of[body.value] - plan.grounds;
    return number < 0 ? Link::ground : number;
  };
  Mechanism result{vector(model.gravity), std::vector<Link>(plan.bodies.size() - static_cast<std::size_t>(plan.grounds)), {}, {}};
  std::vector<int> link_of_joint;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    const PlanJoint& place = plan.joints[j];
    if (place.driven) throw std::runtime_error("no peers for driven joints");
    link_of_joint.push_back(place.body - plan.grounds);
    if (place.body < 0) {
      result.loops.push_back(loop(joint, link_of(joint.parent), link_of(joint.child)));
      continue;
    }
    const BodyIndex outer = place.reversed ? joint.parent : joint.child, inner = place.reversed ? joint.child : joint.parent;
    result.links[link_of(outer)] = link(joint, model.bodies[outer.value], place, link_of(inner));
  }
  for (const Coupling& coupling : model.couplings) {
    if (coupling.terms.size() != 2) throw std::runtime_error("no peers for couplings of more than two joints");
    const auto& [first, second] = std::pair(coupling.terms[0], coupling.terms[1]);
    result.gears.push_back({link_of_joint[first.joint.value], link_of_joint[second.joint.value], -second.coefficient / first.coefficient});
  }
  return result;
}

Motion motion(const Plan& plan, const Workspace& work) {
  Motion result;
  for (int b = plan.grounds; b < static_cast<int>(plan.bodies.size()); ++b) {
    const int parent = plan.bodies[b].parent;
    const Pose<double> X_WP = link_pose(plan, work, parent), X_WB = link_pose(plan, work, b), X_PB = inverse(X_WP) * X_WB;
    const Spatial6 V_WP = link_velocity(plan, work, parent), V_WB = link_velocity(plan, work, b);
    const Vec3 v = V_WB.linear - V_WP.linear - cross(V_WP.angular, X_WB.p - X_WP.p), w = V_WB.angular - V_WP.angular;
    const Mat3& R = X_PB.R;
    result.push_back({{R.c0.x, R.c1.x, R.c2.x, R.c0.y, R.c1.y, R.c2.y, R.c0.z, R.c1.z, R.c2.z},
                      vector(X_PB.p),
                      vector(transposed_times(X_WP.R, v)),
                      vector(transposed_times(X_WP.R, w))});
  }
  return result;
}

std::vector<Acceleration> velocities(const Plan& plan, const Workspace& work) {
  std::vector<Acceleration> result;
  for (int b = plan.grounds; b < static_cast<int>(plan.bodies.size()); ++b) {
    const Spatial6 V = link_velocity(plan, work, b);
    result.push_back({vector(V.linear), vector(V.angular)});
  }
  return result;
}

std::vector<Acceleration> accelerations(const Plan& plan, const Workspace& work) {
  std::vector<Acceleration> result;
  for (std::size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const Spatial6 A = work.A[b];
    result.push_back({vector(A.linear), vector(A.angular)});
  }
  return result;
}

}  // namespace arthron::peers
