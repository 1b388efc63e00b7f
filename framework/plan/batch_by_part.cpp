#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "arthron/plan/passes.hpp"

/// Which part computes what, and in which batch.
namespace arthron {

using std::size_t;

namespace {

/// The part that all bodies belong to but for grounds, or that of what is shared.
int home(const Plan& plan, const std::vector<int>& bodies) {
  int part = -1;
  for (const int b : bodies) {
    const int here = plan.part_of_body[b];
    if (here < 0 || here == part) continue;
    if (part >= 0) return shared_part(plan);
    part = here;
  }
  return part >= 0 ? part : shared_part(plan);
}

int home_of_joint(const Plan& plan, const PlanJoint& joint) {
  if (joint.closure < 0) return plan.part_of_body[joint.body];
  const PlanClosure& closure = plan.closures[joint.closure];
  return home(plan, {closure.parent, closure.child});
}

/// Orders a list by part, and returns each part's slice of it.
template <class PartOf>
std::vector<Slice> order_by_part(std::vector<int>& list, const PartOf& part_of, const Plan& plan) {
  std::vector<Slice> slices(plan.parts.size());
  std::stable_sort(list.begin(), list.end(), [&](int a, int b) { return part_of(a) < part_of(b); });
  int next = 0;
  for (size_t p = 0; p < slices.size(); ++p) {
    slices[p].first = next;
    while (next < static_cast<int>(list.size()) && part_of(list[next]) == static_cast<int>(p)) ++next;
    slices[p].last = next;
  }
  return slices;
}

/// A body that turns or slides about or along an axis of its joint's frame, as most do, needs no pose from its batch.
void find_move(const Joint& joint, bool reversed, PlanBody& body) {
  const LoneMove move = lone_move(joint, reversed);
  if (!move.turns && !move.slides) return;
  for (const auto& [axis, along] : {std::pair{0, move.axis.x}, std::pair{1, move.axis.y}, std::pair{2, move.axis.z}}) {
    if (std::abs(along) != 1 || norm(move.axis) != 1) continue;
    body.move = move.turns ? Move::turn : Move::slide;
    body.axis = static_cast<unsigned char>(axis);
    body.sense = along;
  }
}

/// Whether groups move it without its batch.
bool moves_alone(const Joint& joint) {
  const LoneMove move = lone_move(joint, false);
  return move.turns || move.slides;
}

}  // namespace

/// Cut joints part by part, the shared ones last.
std::vector<int> cuts_by_part(const Model& model, std::vector<int> cuts, Plan& plan) {
  const auto part_of = [&](int j) {
    const Joint& joint = model.joints[j];
    return home(plan, {plan.body_of[joint.parent.value], plan.body_of[joint.child.value]});
  };
  const std::vector<Slice> slices = order_by_part(cuts, part_of, plan);
  for (size_t p = 0; p < slices.size(); ++p) plan.parts[p].cuts = slices[p];
  const PlanPart& shared = part(plan, shared_part(plan));
  for (int c = shared.cuts.first; c < shared.cuts.last; ++c) {
    const Joint& joint = model.joints[cuts[c]];
    for (const bool child : {true, false}) {
      const int side = plan.part_of_body[plan.body_of[(child ? joint.child : joint.parent).value]];
      if (side >= 0) plan.parts[side].shared_sides.push_back({c, child});
    }
  }
  return cuts;
}

/// Gives every coupling to the part of its joints.
void share_couplings(Plan& plan) {
  for (size_t c = plan.cuts; c < plan.closures.size(); ++c) {
    std::vector<int> bodies;
    for (const Coupling::Term& term : plan.model->couplings[plan.closures[c].coupling].terms)
      bodies.push_back(plan.joints[term.joint.value].body);
    plan.parts[home(plan, bodies)].couplings.push_back(static_cast<int>(c));
  }
}

/// Groups joints by type: one batch, one virtual call a part. Turns and slides have batches of their own.
void batch_joints(const Model& model, Plan& plan) {
  using Kind = std::tuple<std::string_view, bool, bool>;  // type, placed, moved by a SIMD group
  std::map<Kind, size_t> batch_of;
  plan.varying_columns.assign(plan.nu_all, 0);
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const size_t j = plan.bodies[b].joint;
    const JointDefinition& definition = *model.joints[j].definition;
    const PlanJoint& joint = plan.joints[j];
    PlanBody& body = plan.bodies[b];
    find_move(model.joints[j], joint.reversed, body);
    const bool placed = body.move == Move::other, moved = body.grouped && moves_alone(model.joints[j]);
    const auto [place, fresh] = batch_of.try_emplace({definition.type().name(), placed, moved}, plan.joint_batches.size());
    if (fresh) plan.joint_batches.push_back(definition.type().make_batch());
    JointBatch& batch = *plan.joint_batches[place->second];
    PlanPart& part = plan.parts[plan.part_of_body[b]];
    add_item(part.joints, static_cast<int>(place->second), batch.size());
    if (placed) add_item(moved ? part.group_joints : part.placed_joints, static_cast<int>(place->second), batch.size());
    batch.add(definition, {static_cast<int>(j), joint.q, joint.u, joint.reversed, model.joints[j].mirrored});
  }
  for (PlanPart& part : plan.parts)
    for (const BatchSlice& slice : part.placed_joints)
      if (plan.joint_batches[slice.batch]->varies()) part.varying_joints.push_back(slice);
  for (PlanPart& part : plan.parts)
    for (const bool grouped : {false, true}) {
      Slice& turns = grouped ? part.group_turns : part.turns;
      turns.first = static_cast<int>(plan.turns.size());
      for (int b = part.bodies.first; b < part.bodies.last; ++b) {
        PlanBody& body = plan.bodies[b];
        if (body.move != Move::turn || body.grouped != grouped) continue;
        body.turn = static_cast<int>(plan.turns.size());
        plan.turns.push_back(body.q);
      }
      turns.last = static_cast<int>(plan.turns.size());
    }
  for (size_t j = 0; j < model.joints.size(); ++j) {
    const PlanJoint& joint = plan.joints[j];
    if (joint.driven) plan.driven_joints.push_back(static_cast<int>(j));
    if (model.joints[j].loaded() && !joint.driven) {
      plan.loaded_joints.push_back(static_cast<int>(j));
      plan.loads_bodies = plan.loads_bodies || joint.closure >= 0;
    }
    if (joint.closure >= 0 || plan.bodies[joint.body].move != Move::other) continue;
    const bool moved = plan.bodies[joint.body].grouped && moves_alone(model.joints[j]);
    if (plan.joint_batches[batch_of.at({model.joints[j].definition->type().name(), true, moved})]->varies())
      std::fill_n(plan.varying_columns.begin() + joint.u, joint.nu, 1);
  }
  const auto part_of = [&](int j) { return home_of_joint(plan, plan.joints[j]); };
  const std::vector<Slice> driven = order_by_part(plan.driven_joints, part_of, plan);
  const std::vector<Slice> loaded = order_by_part(plan.loaded_joints, part_of, plan);
  for (size_t p = 0; p < plan.parts.size(); ++p) plan.parts[p].driven_joints = driven[p], plan.parts[p].loaded_joints = loaded[p];
}

/// Groups forces by type and lays out the handles of forces and markers.
void batch_forces(const Model& model, const std::vector<Pose<double>>& X_WB, Plan& plan) {
  const auto add_handle = [&](const Handle& handle) {
    const int body = plan.body_of[handle.body.value];
    const Pose<double> X_BW = inverse(X_WB[body]);
    plan.handles.push_back({body, X_BW * handle.point, X_BW.R});
  };
  const auto part_of = [&](int f) {
    std::vector<int> bodies;
    for (const Handle& handle : model.forces[f].handles) bodies.push_back(plan.body_of[handle.body.value]);
    return home(plan, bodies);
  };
  std::vector<int> order(model.forces.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<Slice> forces = order_by_part(order, part_of, plan);
  const std::vector<bool> grouped = find_group_forces(plan);
  std::map<std::pair<std::string_view, bool>, size_t> batch_of;
  plan.forces.resize(model.forces.size());
  const auto add_forces = [&](size_t p, bool of_groups) {
    PlanPart& part = plan.parts[p];
    Slice& all = of_groups ? part.group_handles : part.handles;
    all.first = static_cast<int>(plan.handles.size());
    for (int i = forces[p].first; i < forces[p].last; ++i) {
      const size_t f = order[i];
      if (grouped[f] != of_groups) continue;
      const Force& force = model.forces[f];
      const auto [place, fresh] = batch_of.try_emplace({force.definition->type().name(), of_groups}, plan.force_batches.size());
      if (fresh) plan.force_batches.push_back(force.definition->type().make_batch());
      ForceBatch& batch = *plan.force_batches[place->second];
      add_item(of_groups ? part.group_forces : part.forces, static_cast<int>(place->second), batch.size());
      const int first = static_cast<int>(plan.handles.size()), handles = static_cast<int>(force.handles.size());
      const int states = static_cast<int>(force.definition->type().states().size());
      plan.forces[f] = {static_cast<int>(place->second), batch.size(), {first, first + handles}, {plan.nx, plan.nx + states}};
      batch.add(*force.definition, plan.forces[f].place(), force.placement);
      plan.nx += states;
      plan.draws_forces = plan.draws_forces || !force.placement.is_identity();
      for (const Handle& handle : force.handles) {
        add_handle({handle.body, force.placement.point(handle.point)});
        if (!of_groups) plan.bodies[plan.handles.back().body].loaded_ungrouped = true;
      }
    }
    all.last = static_cast<int>(plan.handles.size());
  };
  for (size_t p = 0; p < plan.parts.size(); ++p)
    for (const bool of_groups : {false, true}) add_forces(p, of_groups);
  plan.force_handles = static_cast<int>(plan.handles.size());
  plan.loads_bodies = plan.loads_bodies || plan.force_handles > 0;
  const Slice shared = part(plan, shared_part(plan)).handles;
  for (int h = shared.first; h < shared.last; ++h) {
    const int side = plan.part_of_body[plan.handles[h].body];
    if (side >= 0) plan.parts[side].shared_handles.push_back(h);
  }
  for (const Marker& marker : model.markers) {
    add_handle(marker.handle);
    const int side = plan.part_of_body[plan.handles.back().body];
    plan.parts[side < 0 ? shared_part(plan) : side].marker_handles.push_back(static_cast<int>(plan.handles.size()) - 1);
  }
}

LoneMove lone_move(const Joint& joint, bool reversed) {
  const JointType& type = joint.definition->type();
  if (type.nu() != 1 || !type.steady() || type.shape(0) == ColumnShape::general) return {};
  const bool turns = type.shape(0) == ColumnShape::rotation;
  if (const Pose<double> drawn = type.drawn_pose(*joint.definition); !(drawn.R == Mat3::identity() && drawn.p == Vec3{})) return {};
  const auto batch = type.make_batch();
  batch->add(*joint.definition, {.mirrored = joint.mirrored});
  Pose<double> pose;
  Spatial6 column;
  batch->constants(&pose, &column);
  const Vec3 axis = turns ? column.angular : column.linear;
  return {turns, !turns, reversed ? -axis : axis};
}

void add_item(std::vector<BatchSlice>& slices, int batch, int item) {
  const auto place = std::find_if(slices.begin(), slices.end(), [&](const BatchSlice& slice) { return slice.batch == batch; });
  if (place == slices.end())
    slices.push_back({batch, {item, item + 1}});
  else
    place->items.last = item + 1;
}

}  // namespace arthron
