#include <algorithm>

#include "arthron/suspension/rig.hpp"

/// What the rig finds and changes in a model before it moves.
namespace arthron {
namespace {

using std::size_t;

template <class Elements>
int index_of(const Elements& elements, const std::string& path) {
  for (size_t i = 0; i < elements.size(); ++i)
    if (elements[i].path == path) return static_cast<int>(i);
  throw InternalError("the rig has a part called " + path);
}

/// Whether a joint lets its bodies turn about the line of the wheel's axis, and do nothing else.
bool is_bearing(const Joint& joint, const Port& hub) {
  constexpr double aligned = 1e-6;
  const JointType& type = joint.definition->type();
  if (type.nq() != 1 || type.nu() != 1 || type.shape(0) != ColumnShape::rotation) return false;
  const auto batch = type.make_batch();
  batch->add(*joint.definition, {});
  const double q = 0;
  Pose<double> X;
  Spatial6 H;
  batch->constants(&X, &H);
  batch->position(batch->all(), &q, &X, &H);
  const Vec3 axis = joint.frame.R * H.angular;
  return norm(cross(axis, hub.axis)) < aligned && norm(cross(axis, hub.at - joint.child_frame().p)) < aligned;
}

/// A hub that spins is held by its brake: its spin is no motion of the suspension.
void lock_bearing(Model& model, const Port& hub) {
  for (Joint& joint : model.joints) {
    if (joint.parent != hub.body && joint.child != hub.body) continue;
    if (!is_bearing(joint, hub)) continue;
    joint.stiffness.clear(), joint.damping.clear(), joint.rest.clear(), joint.effort.clear();
    joint.limits.reset(), joint.friction.reset(), joint.drive.reset();
    joint.initial_position.clear(), joint.keep = false;
    joint.motion = {TimeFunction(0.0)};
  }
}

/// "left.strut.spring", "strut_left.spring" -> "strut.spring": the same name on both sides of an axle.
std::string without_side(std::string name) {
  for (const std::string side : side_names)
    for (const std::string& mark : {'_' + side, side + '.', side + '_'})
      if (const size_t at = name.find(mark); at != std::string::npos) return name.erase(at, mark.size());
  return name;
}

}  // namespace

void SuspensionRig::find_parts() {
  const auto prescribe = [&](const std::string& ground) {
    const int index = index_of(model_->bodies, ground);
    model_->bodies[index].motion = PrescribedMotion{std::vector<TimeFunction>(3), std::vector<TimeFunction>(3)};
    return index;
  };
  for (size_t side = 0; side < 2; ++side) {
    const std::string name = side_names[side];
    const Port& hub = model_->ports[index_of(model_->ports, "hub_" + name)];
    const double outboard = side == 0 ? 1 : -1;
    wheels_[side] = {
        prescribe("post_" + name), index_of(model_->markers, "wheel_" + name), hub.axis.y * outboard > 0 ? hub.axis : -hub.axis, {}};
    lock_bearing(*model_, hub);
  }
  rack_ = prescribe("rack");
}

void SuspensionRig::add_loads() {
  for (size_t side = 0; side < 2; ++side) {
    loads_[side] = std::make_shared<RigLoad>();
    const Port& hub = model_->ports[index_of(model_->ports, std::string("hub_") + side_names[side])];
    model_->forces.push_back(wheel_load_force(std::string("load_") + side_names[side], hub.body, hub.at, wheels_[side].axis, loads_[side]));
  }
}

void SuspensionRig::find_springs() {
  const Plan& plan = simulation_->plan();
  solve({}, at_rest_);
  const auto add = [&](Spring spring, const std::string& path, double y) {
    for (size_t side = 0; side < 2; ++side) {
      const bool here = corner_ ? path.starts_with(side_names[side]) : (side == 0) == (y > 0);
      spring.name = without_side(path.substr(path.find('.') + 1));
      if (here) wheels_[side].springs.push_back(spring);
    }
  };
  int handle = 0;
  for (size_t f = 0; f < model_->forces.size(); ++f) {
    const Force& force = model_->forces[f];
    if (force.definition->type().name() == "spring_damper")
      add({"", static_cast<int>(f), -1}, force.path, work_->handles[handle].position.y);
    handle += static_cast<int>(force.definition->handles().size());
  }
  for (size_t j = 0; j < model_->joints.size(); ++j) {
    const Joint& joint = model_->joints[j];
    if (joint.stiffness.empty() || joint.stiffness[0] == 0 || joint.definition->type().shape(0) != ColumnShape::translation) continue;
    if (!plan.joints[j].driven) add({"", -1, static_cast<int>(j)}, joint.path, joint.frame.p.y);
  }
}

/// The coordinate of a slide may grow either way: as a spring of a suspension, it is shorter when the wheel is higher than drawn.
void SuspensionRig::find_signs_of_slides() {
  const std::array<WheelSight, 2> sight = observe();
  for (size_t side = 0; side < 2; ++side)
    for (size_t i = 0; i < sight[side].springs.size(); ++i)
      if (Spring& spring = wheels_[side].springs[i]; spring.joint >= 0 && sight[side].springs[i].rate[side] > 0) spring.sign = -1;
}

void SuspensionRig::find_left_out() {
  for (const Force& force : model_->forces) {
    if (!force.touches_road) continue;
    const std::string name = without_side(force.path.substr(force.path.find('.') + 1));
    if (std::find(left_out_.begin(), left_out_.end(), name) == left_out_.end()) left_out_.push_back(name);
  }
}

std::vector<std::string> SuspensionRig::springs(int side) const {
  std::vector<std::string> names;
  for (const Spring& spring : wheels_[side].springs) names.push_back(spring.name);
  return names;
}

}  // namespace arthron
