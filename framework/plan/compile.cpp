#include <algorithm>
#include <map>
#include <ranges>

#include "arthron/plan/passes.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Numbers grounds first, then bodies in tree order, and gives each body its inboard joint.
void number_bodies(const Model& model, const SpanningTree& tree, Plan& plan) {
  plan.body_of.assign(model.bodies.size(), -1);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    if (!model.bodies[b].ground) continue;
    plan.body_of[b] = static_cast<int>(plan.ground.size());
    plan.ground.push_back({model.bodies[b].frame.p, model.bodies[b].motion ? &*model.bodies[b].motion : nullptr});
  }
  plan.grounds = static_cast<int>(plan.ground.size());
  plan.bodies.resize(plan.ground.size());
  plan.joints.resize(model.joints.size());
  for (const auto& link : tree.links) {
    const Joint& joint = model.joints[static_cast<size_t>(link.edge)];
    const BodyIndex parent = link.reversed ? joint.child : joint.parent, child = link.reversed ? joint.parent : joint.child;
    const int number = static_cast<int>(plan.bodies.size());
    plan.body_of[static_cast<size_t>(child.value)] = number;
    PlanBody body;
    body.parent = plan.body_of[static_cast<size_t>(parent.value)];
    body.joint = link.edge;
    body.driven = !joint.motion.empty();
    plan.bodies.push_back(body);
    plan.joints[static_cast<size_t>(link.edge)] = {.body = number, .reversed = link.reversed, .driven = body.driven};
  }
  // The highest-numbered sibling folds first, because elimination runs from the last body to the first.
  std::vector<bool> written(plan.bodies.size(), false);
  for (int b = static_cast<int>(plan.bodies.size()) - 1; b >= plan.grounds; --b) {
    PlanBody& body = plan.bodies[static_cast<size_t>(b)];
    body.folds_first = !written[static_cast<size_t>(body.parent)];
    written[static_cast<size_t>(body.parent)] = true;
    if (body.parent >= plan.grounds) plan.bodies[static_cast<size_t>(body.parent)].leaf = false;
  }
}

/// Gives every joint its coordinates and velocity columns: free joints in body order, then the driven ones.
void number_coordinates(const Model& model, Plan& plan) {
  int q = 0, u = 0;
  for (const bool driven : {false, true}) {
    for (size_t b = static_cast<size_t>(plan.grounds); b < plan.bodies.size(); ++b) {
      PlanBody& body = plan.bodies[b];
      if (body.driven != driven) continue;
      PlanJoint& joint = plan.joints[static_cast<size_t>(body.joint)];
      const JointType& type = model.joints[static_cast<size_t>(body.joint)].definition->type();
      joint.q = q, joint.nq = type.nq(), joint.u = u, joint.nu = type.nu();
      body.u = u, body.columns = type.nu();
      for (int c = 0; c < type.nu(); ++c) body.slides = body.slides || type.shape(c) != ColumnShape::rotation;
      // Seen from the other side, a rotation also moves the handle of a joint that slides.
      for (int c = 0; c < type.nu(); ++c) {
        const bool mixed = joint.reversed && body.slides && type.shape(c) == ColumnShape::rotation;
        plan.shapes.push_back(mixed ? ColumnShape::general : type.shape(c));
      }
      if (!driven && type.nq() != type.nu()) plan.plain_coordinates = false;
      q += type.nq(), u += type.nu();
    }
    if (!driven) plan.nq = q, plan.nu = u;
  }
  plan.nq_all = q, plan.nu_all = u;
}

/// Design position of every body frame B, by body number: origin at the inboard joint, axes of the joint's frame.
std::vector<Pose<double>> design_frames(const Model& model, const Plan& plan) {
  std::vector<Pose<double>> frames(plan.bodies.size());
  for (size_t g = 0; g < plan.ground.size(); ++g) frames[g].p = plan.ground[g].origin;
  for (size_t b = static_cast<size_t>(plan.grounds); b < plan.bodies.size(); ++b)
    frames[b] = model.joints[static_cast<size_t>(plan.bodies[b].joint)].frame;
  return frames;
}

/// Constant geometry and inertia of every body in its own frame B.
void place_bodies(const Model& model, const std::vector<Pose<double>>& X_WB, Plan& plan) {
  for (size_t b = static_cast<size_t>(plan.grounds); b < plan.bodies.size(); ++b) {
    PlanBody& body = plan.bodies[b];
    const Pose<double> X_PF = inverse(X_WB[static_cast<size_t>(body.parent)]) * X_WB[b];
    body.p_PF = X_PF.p;
    body.R_PF = X_PF.R;
    body.aligned = X_WB[static_cast<size_t>(body.parent)].R == X_WB[b].R;
  }
  plan.frame_in_body.resize(model.bodies.size());
  for (size_t m = 0; m < model.bodies.size(); ++m) {
    const Body& given = model.bodies[m];
    const size_t b = static_cast<size_t>(plan.body_of[m]);
    plan.frame_in_body[m] = inverse(X_WB[b]) * given.frame;
    if (given.ground) continue;
    const Vec3 c = inverse(X_WB[b]) * given.com;
    const double m_ = given.mass, cc = dot(c, c);
    plan.bodies[b].mass = m_;
    plan.bodies[b].first_moment = m_ * c;
    plan.bodies[b].second_moment =
        rotated(transpose(X_WB[b].R), given.inertia) +
        Sym3{m_ * (cc - c.x * c.x), m_ * (cc - c.y * c.y), m_ * (cc - c.z * c.z), -m_ * c.x * c.y, -m_ * c.x * c.z, -m_ * c.y * c.z};
  }
}

/// Groups joints by type: one batch, one virtual call.
void batch_joints(const Model& model, Plan& plan) {
  std::map<std::string_view, size_t> batch_of;
  plan.varying_columns.assign(static_cast<size_t>(plan.nu_all), 0);
  for (size_t j = 0; j < model.joints.size(); ++j) {
    if (plan.joints[j].driven) plan.driven_joints.push_back(static_cast<int>(j));
    const Joint& given = model.joints[j];
    if (given.loaded() && !plan.joints[j].driven) {
      plan.loaded_joints.push_back(static_cast<int>(j));
      plan.loads_bodies = plan.loads_bodies || plan.joints[j].closure >= 0;
    }
    if (plan.joints[j].closure >= 0) continue;
    const JointDefinition& definition = *given.definition;
    const auto [place, fresh] = batch_of.try_emplace(definition.type().name(), plan.joint_batches.size());
    if (fresh) plan.joint_batches.push_back(definition.type().make_batch());
    const PlanJoint& joint = plan.joints[j];
    plan.joint_batches[place->second]->add(definition, {static_cast<int>(j), joint.q, joint.u, joint.reversed, given.mirrored});
  }
  for (size_t j = 0; j < model.joints.size(); ++j) {
    if (plan.joints[j].closure >= 0) continue;
    const size_t batch = batch_of.at(model.joints[j].definition->type().name());
    if (!plan.joint_batches[batch]->varies()) continue;
    const PlanJoint& joint = plan.joints[j];
    std::fill_n(plan.varying_columns.begin() + joint.u, joint.nu, 1);
  }
  for (size_t batch = 0; batch < plan.joint_batches.size(); ++batch)
    if (plan.joint_batches[batch]->varies()) plan.varying_batches.push_back(static_cast<int>(batch));
}

/// Groups forces by type and lays out the handles of forces and markers.
void batch_forces(const Model& model, const std::vector<Pose<double>>& X_WB, Plan& plan) {
  const auto add_handle = [&](const Handle& handle) {
    const int body = plan.body_of[static_cast<size_t>(handle.body.value)];
    const Pose<double> X_BW = inverse(X_WB[static_cast<size_t>(body)]);
    plan.handles.push_back({body, X_BW * handle.point, X_BW.R});
  };
  std::map<std::string_view, int> batch_of;
  std::vector<int> size;
  for (const Force& force : model.forces) {
    const auto [place, fresh] = batch_of.try_emplace(force.definition->type().name(), static_cast<int>(plan.force_batches.size()));
    if (fresh) plan.force_batches.push_back(force.definition->type().make_batch()), size.push_back(0);
    const size_t batch = static_cast<size_t>(place->second);
    plan.force_batches[batch]->add(*force.definition, static_cast<int>(plan.handles.size()), force.placement);
    plan.force_place.emplace_back(place->second, size[batch]++);
    for (const Handle& handle : force.handles) add_handle({handle.body, force.placement.point(handle.point)});
  }
  plan.force_handles = static_cast<int>(plan.handles.size());
  plan.loads_bodies = plan.loads_bodies || plan.force_handles > 0;
  for (const Marker& marker : model.markers) add_handle(marker.handle);
}

}  // namespace

std::shared_ptr<Plan> compile(std::shared_ptr<const Model> model) {
  auto plan = std::make_shared<Plan>();
  plan->model = model;
  const auto [tree, loop_subsystem] = span_bodies(*model);
  number_bodies(*model, tree, *plan);
  number_coordinates(*model, *plan);
  const std::vector<Pose<double>> X_WB = design_frames(*model, *plan);
  place_bodies(*model, X_WB, *plan);
  close_loops(X_WB, tree.chords, *plan);
  batch_joints(*model, *plan);
  batch_forces(*model, X_WB, *plan);
  keep_hierarchy(X_WB, loop_subsystem, *plan);
  pair_spines(*plan);
  // Folding costs a third of pairing; pairing pays only where its halves run in parallel.
  const bool pair = model->simulation.elimination == "pair" && plan->closures.empty();
  plan->elimination = pair ? Elimination::pair : Elimination::fold;
  return plan;
}

}  // namespace arthron
