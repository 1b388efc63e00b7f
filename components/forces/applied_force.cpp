#include "arthron/components/forces/applied_force.hpp"

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

}  // namespace arthron
