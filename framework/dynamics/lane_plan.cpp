#include "arthron/dynamics/lane_plan.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <typeinfo>

#include "arthron/core/diagnostic.hpp"
#include "arthron/dynamics/joint_loads.hpp"
#include "arthron/dynamics/uneven_loops.hpp"

namespace arthron {

namespace {

using std::size_t;

bool charts_are_coordinates(const JointType& type) { return type.nq() == type.nu(); }

/// The same thing of every variant.
template <class Item, class Get>
PerLane<Item> of_each(const LanePlan& plan, const Get& get) {
  return per_lane<Item>([&](size_t lane) { return get(*plan.plans[lane]); });
}

template <class Get>
Lanes number_of_each(const LanePlan& plan, const Get& get) {
  return Lanes::each([&](int lane) { return get(*plan.plans[lane]); });
}

/// Whether a cut joint's directions or loads follow from its coordinates.
bool wants_coordinates(const PlanClosure& closure) {
  return closure.driven || closure.tracked || (closure.coupling < 0 && closure.rows > 0 && !closure.gives_complement);
}

void gather_grounds(LanePlan& plan) {
  for (int lane = 0; lane < lane_count; ++lane) {
    const Plan& own = *plan.plans[lane];
    set_lane(&plan.gravity, lane, &own.model->gravity, 1);
    for (const PlanGround& ground : own.ground) plan.grounds_move = plan.grounds_move || ground.motion;
  }
  for (const PlanClosure& closure : plan.topology().closures) plan.tracks_cuts = plan.tracks_cuts || wants_coordinates(closure);
  for (const auto& batch : plan.topology().closure_batches) plan.cuts_vary = plan.cuts_vary || (batch->varies() && !batch->holds_length());
}

/// Whether the body's joint turns or slides, which takes no batch.
bool moves_alone(const LanePlan& plan, const PlanJoint& joint) {
  const GroupBody& body = plan.group.bodies[joint.body - plan.topology().grounds];
  return body.turns || body.slides;
}

void batch_joints(LanePlan& plan) {
  const Plan& topology = plan.topology();
  std::map<std::string_view, size_t> batch_of;
  for (size_t j = 0; j < topology.joints.size(); ++j) {
    const PlanJoint& joint = topology.joints[j];
    if (joint.closure >= 0 || moves_alone(plan, joint)) continue;
    const JointType& type = topology.model->joints[j].definition->type();
    const auto [place, fresh] = batch_of.try_emplace(type.name(), plan.joint_batches.size());
    if (fresh) {
      plan.joint_batches.push_back(type.make_lane_batch());
      if (joint.nu > 0 && topology.varying_columns[joint.u]) plan.varying_batches.push_back(static_cast<int>(place->second));
    }
    plan.joint_batches[place->second]->add(
        of_each<const JointDefinition*>(plan, [&](const Plan& own) { return own.model->joints[j].definition.get(); }),
        {static_cast<int>(j), joint.q, joint.u, joint.reversed, topology.model->joints[j].mirrored});
  }
}

void batch_forces(LanePlan& plan) {
  const Plan& topology = plan.topology();
  plan.handles.resize(topology.force_handles);
  for (size_t i = 0; i < plan.handles.size(); ++i) {
    const int body = topology.handles[i].body;
    plan.handles[i].on = body < topology.grounds ? -1 : body - topology.grounds;
    plan.handles[i].carrier = body < topology.grounds ? body : 0;
    for (int lane = 0; lane < lane_count; ++lane) {
      const PlanHandle& own = plan.plans[lane]->handles[i];
      set_lane(&plan.handles[i].p_B, lane, &own.p_B, 1), set_lane(&plan.handles[i].R_BW, lane, &own.R_BW, 1);
    }
  }
  std::map<std::string_view, size_t> batch_of;
  for (size_t f = 0; f < topology.model->forces.size(); ++f) {
    const Force& force = topology.model->forces[f];
    const ForceType& type = force.definition->type();
    const auto [place, fresh] = batch_of.try_emplace(type.name(), plan.force_batches.size());
    if (fresh) plan.force_batches.push_back(type.make_lane_batch());
    const bool rotates = plan.force_batches[place->second]->add(
        of_each<const ForceDefinition*>(plan, [&](const Plan& own) { return own.model->forces[f].definition.get(); }),
        topology.forces[f].place(), of_each<const Placement*>(plan, [&](const Plan& own) { return &own.model->forces[f].placement; }),
        plan.functions);
    const Slice handles = topology.forces[f].handles;
    for (int i = handles.first; i < handles.last; ++i) plan.handles[i].rotates = rotates;
  }
}

/// A function per freedom of every variant; -1 when none has it.
template <class Get>
int add_function(LanePlan& plan, size_t i, LaneTimeFunctions::Wanted wanted, const Get& get) {
  const PerLane<const TimeFunction*> functions = of_each<const TimeFunction*>(plan, [&](const Plan& own) -> const TimeFunction* {
    const std::vector<TimeFunction>* list = get(own);
    return list && !list->empty() ? &(*list)[i] : nullptr;
  });
  const bool none = std::all_of(functions.begin(), functions.end(), [](const TimeFunction* function) { return !function; });
  return none ? -1 : plan.functions.add(functions, wanted);
}

LaneFreedom load_along(LanePlan& plan, size_t j, size_t i) {
  constexpr double far = std::numeric_limits<double>::infinity();
  using Wanted = LaneTimeFunctions::Wanted;
  const auto joint = [j](const Plan& own) -> const Joint& { return own.model->joints[j]; };
  const auto any = [&](const auto& has) {
    return std::any_of(plan.plans.begin(), plan.plans.end(), [&](const Plan* own) { return has(joint(*own)); });
  };
  const auto number = [&](const auto& get) { return number_of_each(plan, [&](const Plan& own) { return get(joint(own)); }); };
  const PlanJoint& place = plan.topology().joints[j];
  LaneFreedom load;
  load.q = place.q + static_cast<int>(i), load.u = place.u + static_cast<int>(i);
  load.springs = any([](const Joint& own) { return !own.stiffness.empty(); });
  load.stops = any([](const Joint& own) { return own.limits.has_value(); });
  load.rubs = any([](const Joint& own) { return own.friction.has_value(); });
  load.drives = any([](const Joint& own) { return own.drive.has_value(); });
  load.stiffness = number([&](const Joint& own) { return at_or(own.stiffness, i, 0); });
  load.rest = number([&](const Joint& own) { return at_or(own.rest, i, 0); });
  load.damping = number([&](const Joint& own) { return at_or(own.damping, i, 0); });
  load.lower = number([&](const Joint& own) { return own.limits ? at_or(own.limits->lower, i, -far) : -far; });
  load.upper = number([&](const Joint& own) { return own.limits ? at_or(own.limits->upper, i, far) : far; });
  load.stop_stiffness = number([&](const Joint& own) { return own.limits ? own.limits->stiffness[i] : 0; });
  load.stop_damping = number([&](const Joint& own) { return own.limits ? at_or(own.limits->damping, i, 0) : 0; });
  load.friction = number([&](const Joint& own) { return own.friction ? own.friction->effort[i] : 0; });
  load.static_friction = number([&](const Joint& own) { return own.friction ? own.friction->static_effort[i] : 0; });
  load.friction_speed = number([&](const Joint& own) { return own.friction ? own.friction->speed[i] : 1; });
  load.stribeck_speed = number([&](const Joint& own) { return own.friction ? own.friction->stribeck_speed[i] : 1; });
  load.drive_stiffness = number([&](const Joint& own) { return own.drive ? at_or(own.drive->stiffness, i, 0) : 0; });
  load.drive_damping = number([&](const Joint& own) { return own.drive ? at_or(own.drive->damping, i, 0) : 0; });
  load.max_effort = number([&](const Joint& own) { return own.drive ? at_or(own.drive->max_effort, i, far) : far; });
  // Where all variants give a target_rate, the rate of the target is not wanted.
  const auto wants_rate = [](const Joint& own) { return own.drive && own.drive->target_rate.empty(); };
  load.effort = add_function(plan, i, Wanted::value, [&](const Plan& own) { return &joint(own).effort; });
  load.target = add_function(plan, i, any(wants_rate) ? Wanted::value_and_rate : Wanted::value,
                             [&](const Plan& own) { return joint(own).drive ? &joint(own).drive->target : nullptr; });
  load.target_rate =
      add_function(plan, i, Wanted::value, [&](const Plan& own) { return joint(own).drive ? &joint(own).drive->target_rate : nullptr; });
  return load;
}

void gather_loads(LanePlan& plan) {
  const Plan& topology = plan.topology();
  for (size_t j = 0; j < topology.joints.size(); ++j) {
    const auto loaded = [&](const Plan* own) { return own->model->joints[j].loaded() && !own->joints[j].driven; };
    if (std::none_of(plan.plans.begin(), plan.plans.end(), loaded)) continue;
    const auto mixed = [&](const Plan* own) {  // some drives give the rate of their target, others take it
      const auto& first = topology.model->joints[j].drive;
      const auto& drive = own->model->joints[j].drive;
      return first && drive && first->target_rate.empty() != drive->target_rate.empty();
    };
    if (!charts_are_coordinates(topology.model->joints[j].definition->type()) || std::any_of(plan.plans.begin(), plan.plans.end(), mixed)) {
      plan.loads_by_lane.push_back(static_cast<int>(j));
    } else {
      for (int i = 0; i < topology.joints[j].nu; ++i) plan.freedoms.push_back(load_along(plan, j, static_cast<size_t>(i)));
    }
  }
  for (const int j : topology.driven_joints) {
    const PlanJoint& joint = topology.joints[j];
    if (!charts_are_coordinates(topology.model->joints[j].definition->type())) {
      plan.drives_by_lane.push_back(j);
      continue;
    }
    for (int i = 0; i < joint.nu; ++i)
      plan.drives.push_back({joint.q + i, joint.u + i,
                             add_function(plan, i, LaneTimeFunctions::Wanted::value_and_rate,
                                          [&](const Plan& own) { return &own.model->joints[j].motion; })});
  }
}

}  // namespace

LanePlan::LanePlan(std::span<const Plan* const> variants) {
  if (variants.empty() || variants.size() > static_cast<size_t>(lane_count)) throw InternalError("LanePlan: one to lane_count variants");
  for (size_t lane = 0; lane < plans.size(); ++lane) plans[lane] = variants[std::min(lane, variants.size() - 1)];
  for (const Plan* variant : variants) {
    if (const std::string reason = lanes_apply(*variant); !reason.empty()) throw InternalError("LanePlan: " + reason);
    if (const std::string reason = topology_difference(topology(), *variant); !reason.empty()) throw InternalError("LanePlan: " + reason);
  }
  group = variant_group(plans);
  gather_grounds(*this);
  batch_joints(*this);
  batch_forces(*this);
  gather_loads(*this);
}

std::string lanes_apply(const Plan& plan) {
  // Gamma of a node is kept whole.
  constexpr int most_rows = 128;
  if (has_uneven_loops(plan)) return "masses in a loop are far apart";
  for (int n = 0; n < plan.folding_nodes; ++n)
    if (plan.closure_nodes[n].rows > most_rows) return "more loops come together at one body than lanes are good for";
  return "";
}

static bool same_coupling(const Plan& a, const PlanClosure& of_a, const Plan& b, const PlanClosure& of_b) {
  if (of_a.coupling < 0) return of_b.coupling < 0;
  if (of_b.coupling < 0) return false;
  const auto &here = a.model->couplings[of_a.coupling].terms, &there = b.model->couplings[of_b.coupling].terms;
  return std::equal(here.begin(), here.end(), there.begin(), there.end(), [](const Coupling::Term& x, const Coupling::Term& y) {
    return x.joint.value == y.joint.value && x.freedom == y.freedom;
  });
}

std::string topology_difference(const Plan& a, const Plan& b) {
  const auto count = [](const char* of_what, size_t here, size_t there) {
    return std::to_string(here) + " and " + std::to_string(there) + ' ' + of_what;
  };
  if (a.model->bodies.size() != b.model->bodies.size()) return count("bodies", a.model->bodies.size(), b.model->bodies.size());
  if (a.joints.size() != b.joints.size()) return count("joints", a.joints.size(), b.joints.size());
  if (a.model->forces.size() != b.model->forces.size()) return count("forces", a.model->forces.size(), b.model->forces.size());
  for (size_t j = 0; j < a.joints.size(); ++j) {
    const Joint &here = a.model->joints[j], &there = b.model->joints[j];
    const JointType &type = here.definition->type(), &other = there.definition->type();
    const std::string joint = "joint " + here.path;
    if (type.name() != other.name()) return joint + " of type " + std::string(type.name()) + " and " + std::string(other.name());
    if (typeid(type) != typeid(other)) return joint + " of a type from two libraries";
    if (a.joints[j].driven != b.joints[j].driven) return joint + " driven and free";
    if (here.mirrored != there.mirrored) return joint + " as drawn and as a mirror image";
    if (a.joints[j].closure != b.joints[j].closure) return joint + " in the tree and closing a loop";
    if (a.joints[j].reversed != b.joints[j].reversed || a.joints[j].body != b.joints[j].body || a.joints[j].q != b.joints[j].q ||
        a.joints[j].u != b.joints[j].u)
      return joint + " at another place of the tree";
  }
  for (size_t i = 0; i < a.bodies.size(); ++i) {
    const PlanBody &here = a.bodies[i], &there = b.bodies[i];
    if (here.parent != there.parent || here.joint != there.joint) return "a tree of other branches";
  }
  if (a.closures.size() != b.closures.size()) return count("closures", a.closures.size(), b.closures.size());
  for (size_t c = 0; c < a.closures.size(); ++c) {
    const PlanClosure &here = a.closures[c], &there = b.closures[c];
    if (here.child != there.child || here.parent != there.parent || here.rows != there.rows || !same_coupling(a, here, b, there))
      return "a loop that is closed in another way";
  }
  for (size_t f = 0; f < a.model->forces.size(); ++f) {
    const Force &here = a.model->forces[f], &there = b.model->forces[f];
    const ForceType &type = here.definition->type(), &other = there.definition->type();
    const std::string force = "force " + here.path;
    if (type.name() != other.name()) return force + " of type " + std::string(type.name()) + " and " + std::string(other.name());
    if (typeid(type) != typeid(other)) return force + " of a type from two libraries";
    if (here.handles.size() != there.handles.size()) return force + " with another number of handles";
    if (a.forces[f].handles.first != b.forces[f].handles.first || a.forces[f].states.first != b.forces[f].states.first)
      return force + " on other bodies";
  }
  for (size_t i = 0; i < static_cast<size_t>(a.force_handles); ++i)
    if (a.handles[i].body != b.handles[i].body) return "a force on another body";
  for (size_t g = 0; g < a.ground.size(); ++g)
    if (!a.ground[g].motion != !b.ground[g].motion) return "a ground at rest and moving";
  return "";
}

}  // namespace arthron
