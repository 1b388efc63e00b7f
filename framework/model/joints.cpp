#include <algorithm>
#include <cmath>
#include <list>

#include "arthron/model/loading.hpp"
#include "arthron/model/parse_component.hpp"

namespace arthron {

namespace {

constexpr Key type_key{"type", "", "type of the joint"};
constexpr auto body_words = "body, ground or mount";

void read_sides(const JsonReader& in, Joint& joint, const Loading& loading) {
  joint.parent = in.body({"parent", "", body_words});
  joint.child = in.body({"child", "", "the other body; positive motion is that of the child relative to the parent"});
  joint.parent_port = in.describing() ? -1 : in.source().port(in.source().find("parent"));
  joint.child_port = in.describing() ? -1 : in.source().port(in.source().find("child"));
  if (!joint.parent.valid() || !joint.child.valid()) return;
  const auto is_ground = [&](BodyIndex body) { return loading.model.bodies[body.value].ground; };
  if (joint.parent == joint.child)
    in.source().report("child", quote(*in.source().find("child")), "a body other than the parent");
  else if (is_ground(joint.parent) && is_ground(joint.child))
    in.source().report("child", quote(*in.source().find("child")), "a body that moves, or a parent that does: both are grounds or mounts");
}

constexpr auto per_freedom = "per freedom, or one for all";

/// Units of the freedoms, "rad" or "m, m, rad"; "m or rad" where they depend on the joint, and for the reference.
class FreedomUnits {
 public:
  FreedomUnits(const JointType& type, bool describing) : type_(type), describing_(describing) {}

  [[nodiscard]] std::string_view coordinate() { return listed("m", "rad", "m or rad"); }
  [[nodiscard]] std::string_view rate() { return listed("m/s", "rad/s", "m/s or rad/s"); }
  [[nodiscard]] std::string_view effort() { return listed("N", "N m", "N or N m"); }
  [[nodiscard]] std::string_view stiffness() { return listed("N/m", "N m/rad", "N/m or N m/rad"); }
  [[nodiscard]] std::string_view damping() { return listed("N s/m", "N m s/rad", "N s/m or N m s/rad"); }
  [[nodiscard]] std::string_view per_rate() { return listed("s/m", "s/rad", "s/m or s/rad"); }

 private:
  std::string_view listed(std::string_view slide, std::string_view turn, std::string_view either) {
    const auto unit = [&](int i) { return type_.unit(i) == "m" ? slide : type_.unit(i) == "rad" ? turn : either; };
    bool alike = true;
    for (int i = 1; i < type_.nu(); ++i) alike = alike && unit(i) == unit(0);
    if (describing_ || alike) return describing_ ? either : unit(0);
    std::string& list = lists_.emplace_back();
    for (int i = 0; i < type_.nu(); ++i) (list += i == 0 ? "" : ", ") += unit(i);
    return list;
  }

  const JointType& type_;
  bool describing_;
  std::list<std::string> lists_;
};

void read_spring(const JsonReader& in, int nu, FreedomUnits& units, Joint& joint) {
  const JsonReader spring = in.object({"spring", "", "spring and damper along the freedoms"});
  joint.stiffness = spring.numbers({"stiffness", units.stiffness(), per_freedom}, nu, Range::non_negative());
  joint.damping = spring.numbers({"damping", units.damping(), per_freedom}, nu, Range::non_negative());
  joint.rest = spring.coordinates({"rest", units.coordinate(), "coordinates where the spring is relaxed; zero when absent"}, nu);
}

void read_limits(const JsonReader& in, int nu, FreedomUnits& units, Joint& joint) {
  const JsonReader limits = in.object({"limits", "", "compliant stops"});
  const JointLimits read{
      limits.coordinates({"lower", units.coordinate(), "lowest coordinates; none when absent"}, nu),
      limits.coordinates({"upper", units.coordinate(), "highest coordinates; none when absent"}, nu),
      limits.numbers({"stiffness", units.stiffness(), "of the stops"}, nu, Range::non_negative(), true),
      limits.numbers({"damping", units.per_rate(), "share added to the push per unit of impact speed"}, nu, Range::non_negative())};
  if (!in.has("limits")) return;
  joint.limits = read;
  if (read.lower.empty() && read.upper.empty()) limits.complain("lower", "neither lower nor upper", "at least one of them");
  for (std::size_t i = 0; i < std::min(read.lower.size(), read.upper.size()); ++i)
    if (read.lower[i] > read.upper[i]) limits.complain("upper", "a limit below the lower one", "upper >= lower, for every freedom");
}

void read_friction(const JsonReader& in, int nu, FreedomUnits& units, Joint& joint) {
  const JsonReader friction = in.object({"friction", "", "dry friction along the freedoms"});
  JointFriction read{
      friction.numbers({"effort", units.effort(), "friction while sliding, per freedom, or one for all"}, nu, Range::non_negative(), true),
      friction.numbers({"static_effort", units.effort(), "friction at breaking away; the effort when absent"}, nu, Range::non_negative()),
      friction.numbers({"speed", units.rate(), "below it friction is viscous; 0.01 when absent"}, nu, Range::positive()),
      friction.numbers({"stribeck_speed", units.rate(), "where static friction has faded; 10 times speed when absent"}, nu,
                       Range::positive())};
  if (!in.has("friction")) return;
  if (read.static_effort.empty()) read.static_effort = read.effort;
  if (read.speed.empty()) read.speed.assign(nu, 0.01);
  if (read.stribeck_speed.empty())
    for (const double speed : read.speed) read.stribeck_speed.push_back(10 * speed);
  joint.friction = std::move(read);
}

void read_drive(const JsonReader& in, int nu, FreedomUnits& units, Joint& joint) {
  const JsonReader drive = in.object({"drive", "", "servo that moves the joint towards a target"});
  JointDrive read{drive.time_functions({"target", units.coordinate(), "wanted coordinates; zero when absent"}, nu),
                  drive.time_functions({"target_rate", units.rate(), "wanted rates; those of the target when absent"}, nu),
                  drive.numbers({"stiffness", units.stiffness(), "effort per error of position"}, nu, Range::non_negative()),
                  drive.numbers({"damping", units.damping(), "effort per error of velocity"}, nu, Range::non_negative()),
                  drive.numbers({"max_effort", units.effort(), "bound of the effort; none when absent"}, nu, Range::non_negative())};
  if (!in.has("drive")) return;
  if (read.stiffness.empty() && read.damping.empty()) drive.complain("stiffness", "neither stiffness nor damping", "at least one of them");
  joint.drive = std::move(read);
}

void check_motion(const JsonReader& in, const Joint& joint) {
  for (const char* key : {"spring", "limits", "friction", "drive", "effort", "initial"})
    in.refuse(key, "none: the joint moves as its \"motion\" says");
  refuse_measured(in, "motion", joint.motion);
  for (const TimeFunction& function : joint.motion) {
    const TimeFunction::Sample start = function.sample(0);
    if (std::isfinite(start.rate) && std::isfinite(start.acceleration)) continue;
    in.complain("motion", quote(*in.source().find("motion")), "a motion with finite velocity and acceleration at t = 0");
    return;
  }
}

void read_actions(const JsonReader& in, const JointType& type, Joint& joint) {
  const int nu = type.nu();
  if (nu == 0) {
    for (const char* key : {"spring", "limits", "friction", "drive", "effort", "motion", "initial"})
      in.refuse(key, "none: this joint has no freedom");
    return;
  }
  FreedomUnits units(type, in.describing());
  joint.motion = in.time_functions({"motion", units.coordinate(), "prescribed coordinates: the joint is driven"}, nu);
  if (!in.describing() && in.has("motion")) return check_motion(in, joint);
  read_spring(in, nu, units, joint);
  read_limits(in, nu, units, joint);
  read_friction(in, nu, units, joint);
  read_drive(in, nu, units, joint);
  joint.effort = in.time_functions({"effort", units.effort(), "applied force or torque per freedom, on the child"}, nu);
  const JsonReader initial = in.object({"initial", "", "state at t = 0"});
  joint.initial_position = initial.coordinates({"position", units.coordinate(), "coordinates; zero in the design position"}, nu);
  joint.initial_velocity = initial.coordinates({"velocity", units.rate(), "rates of the freedoms"}, nu);
  joint.keep = initial.flag_or({"keep", "", "closing loops at the start changes neither position nor velocity"}, false);
  if (joint.keep && joint.cut == true)
    initial.complain("keep", "a kept joint with \"cut\": true", "one of the two: what is kept is not cut");
}

void check_drawn_pose(const JsonReader& in, const JointType& type, const JointDefinition& definition) {
  bool finite = true, rotation = true;
  run_author(in, type, "pose() in the design position", [&] {
    const Pose<double> X = type.drawn_pose(definition);
    finite = is_finite(X), rotation = is_rotation(X.R);
  });
  if (finite && !rotation)
    in.complain("type", name_and_library(type) + ", whose pose in the design position stretches or mirrors the child",
                "a pose whose R is a rotation");
  if (!finite)
    in.complain("type", name_and_library(type) + ", whose pose in the design position is not finite",
                "a joint that is finite where its coordinates are zero");
}

Joint draw_joint(const JsonReader& in, const std::string& name, const JointType& type, const Loading& loading) {
  Joint joint;
  joint.path = name;
  joint.source = source_of(in);
  read_sides(in, joint, loading);
  joint.frame = frame_asked_for(in, loading);
  const JsonReader local = in.in_frame(joint.frame);
  joint.frame.p = local.point({"at", "m", "where the joint is"});
  joint.definition = parse_component(type, local.at_place(joint.frame.p));
  if (joint.definition && !in.describing() && !in.failed()) check_drawn_pose(in, type, *joint.definition);
  const bool cut = in.flag_or({"cut", "", "true: loops are opened at this joint; false: never; absent: the planner chooses"}, false);
  if (!in.describing() && in.has("cut")) joint.cut = cut;
  read_actions(in, type, joint);
  return joint;
}

/// Without a definition when the type is not known, or refuses.
Force draw_force(const JsonReader& in, const std::string& name, const ForceType* type) {
  std::shared_ptr<const ForceDefinition> definition = type ? parse_component(*type, in) : nullptr;
  std::vector<Handle> handles = definition ? definition->handles() : std::vector<Handle>();
  return {name, 0, std::move(definition), std::move(handles), {}, source_of(in)};
}

/// Keys that cannot be judged where the type is not known.
void accept_keys(const JsonReader& in) {
  for (const std::string& key : in.names()) in.source().know(key);
}

/// A type nobody knows: its other keys cannot be judged, but its bodies can.
void read_unknown(const Entry& entry, const Loading& loading) {
  Joint ignored;
  read_sides(entry.reader, ignored, loading);
  accept_keys(entry.reader);
}

/// The name of a definition's type; "" when it is none, which is reported unless it may be one of a library that cannot be used.
template <class Types>
std::string type_asked_for(const JsonReader& in, const Key& key, const Types& types, const char* what, const Composition& all) {
  const Json* written = in.source().find(key.name);
  const bool excused = !all.plugins_are_sound && written && written->is_string() && !types.contains(written->get<std::string>()) &&
                       written->get_ref<const std::string&>().find('/') != std::string::npos;
  return excused ? "" : in.one_of(key, names_of(types), what);
}

}  // namespace

Pose<double> Joint::child_frame() const {
  Pose<double> drawn = definition->type().drawn_pose(*definition);
  if (mirrored) drawn.p = -drawn.p;
  return frame * drawn;
}

void draw_joints(const JsonReader& section, Loading& loading) {
  if (section.describing()) {
    for (const auto& [name, type] : loading.registry.joints()) {
      const JsonReader in = section.object({"*"});
      in.one_of(type_key, {name}, "");
      draw_joint(in, "*", *type, loading);
    }
    return;
  }
  for (const Entry& entry : claim_names(section, "joints", loading)) {
    const std::string name = type_asked_for(entry.reader, type_key, loading.registry.joints(), "a joint type", loading.all);
    const JointType* type = loading.registry.joint(name);
    if (!type) {
      read_unknown(entry, loading);
      loading.all.joints_are_sound = false;
      continue;
    }
    auto drawn = draw(entry.reader, loading, [&](const JsonReader& in) { return draw_joint(in, entry.name, *type, loading); });
    if (drawn.element.definition)
      loading.drawn_joints.push_back(std::move(drawn));
    else
      accept_keys(entry.reader);
  }
}

void draw_forces(const JsonReader& section, Loading& loading) {
  constexpr Key force_key{"type", "", "type of the force"};
  if (section.describing()) {
    for (const auto& [name, type] : loading.registry.forces()) {
      const JsonReader in = section.object({"*"});
      in.one_of(force_key, {name}, "");
      parse_component(*type, in);
    }
    return;
  }
  for (const Entry& entry : claim_names(section, "forces", loading)) {
    const std::string name = type_asked_for(entry.reader, force_key, loading.registry.forces(), "a force type", loading.all);
    const ForceType* type = loading.registry.force(name);
    auto drawn = draw(entry.reader, loading, [&](const JsonReader& in) { return draw_force(in, entry.name, type); });
    if (drawn.element.definition)
      loading.drawn_forces.push_back(std::move(drawn));
    else
      accept_keys(entry.reader);
  }
}

void redraw_joints_and_forces(Loading& loading) {
  // One that cannot be drawn again has been reported.
  const auto renew = [](auto& element, auto again) {
    if (again.definition) element = std::move(again);
  };
  for (Drawn<Joint>& drawn : loading.drawn_joints)
    if (is_outdated(drawn, loading))
      renew(drawn.element, draw_joint(anew(drawn.in), drawn.element.path, drawn.element.definition->type(), loading));
  for (Drawn<Force>& drawn : loading.drawn_forces)
    if (is_outdated(drawn, loading))
      renew(drawn.element, draw_force(anew(drawn.in), drawn.element.path, &drawn.element.definition->type()));
}

}  // namespace arthron
