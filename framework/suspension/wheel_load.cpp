#include "arthron/suspension/wheel_load.hpp"

#include "arthron/component/force_batch.hpp"
#include "arthron/core/diagnostic.hpp"

namespace arthron {
namespace {

struct WheelLoadForce {
  static constexpr std::string_view type = "rig/wheel_load";
  std::shared_ptr<const RigLoad> now;
  Vec3 axis;  // of the wheel's spin, as drawn

  static WheelLoadForce parse(const JsonReader&) { throw InternalError("no file names the loads of the rig"); }
  void load(double t, const HandleState* h, Spatial6* wrench) const {
    const Vec3 arm = to_contact(h[0].rotation * axis, now->wheel_radius);
    wrench[0] = now->value.at_centre + t * now->rate.at_centre + wrench_from(now->value.at_contact + t * now->rate.at_contact, arm);
  }
};

}  // namespace

Vec3 to_contact(const Vec3& axis, double radius) {
  const Vec3 down = axis.z * axis - Vec3{0, 0, 1};
  return (radius / norm(down)) * down;
}

Force wheel_load_force(const std::string& path, BodyIndex body, const Vec3& centre, const Vec3& axis, std::shared_ptr<const RigLoad> load) {
  static const auto type = std::make_shared<const ForceTypeOf<WheelLoadForce>>();
  std::vector<Handle> handles{{body, centre}};
  auto definition = std::make_shared<ForceDefinitionOf<WheelLoadForce>>(WheelLoadForce{std::move(load), axis}, handles, type);
  return {path, 0, std::move(definition), std::move(handles), {}, {}};
}

}  // namespace arthron
