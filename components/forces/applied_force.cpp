#include "arthron/components/forces/applied_force.hpp"

#include <algorithm>

namespace arthron {

namespace {

Vec3 value(const std::vector<TimeFunction>& components, const Instant& now) {
  if (components.empty()) return {};
  return {components[0].value(now), components[1].value(now), components[2].value(now)};
}

}  // namespace

AppliedForce AppliedForce::parse(const JsonReader& in) {
  in.handle({"on", "", "where it acts: [body, point]"});
  AppliedForce applied{in.time_functions({"force", "N", "three components"}, 3),
                       in.time_functions({"torque", "N m", "three components"}, 3),
                       in.choice({"axes", "", "axes of the components: the file's own, which stand still, or turning with the body"},
                                 {"world", "body"}) == "body"};
  if (applied.force.empty() && applied.torque.empty()) in.complain("force", "neither force nor torque", "at least one of them");
  return applied;
}

void AppliedForce::load(const Instant& now, const HandleState* h, Spatial6* wrench) const {
  wrench[0] = {value(force, now), value(torque, now)};
  if (follows_body) wrench[0] = rotated(h[0].rotation, wrench[0]);
}

AppliedForce::OnLanes::OnLanes(const PerLane<const AppliedForce*>& forces, LaneTimeFunctions& functions)
    : follows_body_(forces[0]->follows_body),
      applies_(
          std::all_of(forces.begin(), forces.end(), [&](const AppliedForce* f) { return f->follows_body == forces[0]->follows_body; })) {
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const auto component = [i](const std::vector<TimeFunction>& list) { return list.empty() ? nullptr : &list[i % 3]; };
    functions_[i] = static_cast<std::size_t>(functions.add(
        per_lane<const TimeFunction*>([&](std::size_t lane) { return component(i < 3 ? forces[lane]->force : forces[lane]->torque); })));
  }
}

void AppliedForce::OnLanes::load(const LaneInstant& now, const HandleStateOf<Lanes>* h, Spatial<Lanes>* wrench) const {
  const auto value = [&](std::size_t i) { return now.values[functions_[i]]; };
  wrench[0] = {{value(0), value(1), value(2)}, {value(3), value(4), value(5)}};
  if (follows_body_) wrench[0] = rotated(h[0].rotation, wrench[0]);
}

}  // namespace arthron
