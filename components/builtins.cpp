#include "arthron/components/builtins.hpp"

#include "arthron/component/force_batch.hpp"
#include "arthron/component/joint_batch.hpp"
#include "arthron/components/bodies/box.hpp"
#include "arthron/components/bodies/cylinder.hpp"
#include "arthron/components/bodies/sphere.hpp"
#include "arthron/components/forces/applied_force.hpp"
#include "arthron/components/forces/bump_stop.hpp"
#include "arthron/components/forces/bushing.hpp"
#include "arthron/components/forces/contact.hpp"
#include "arthron/components/forces/spring_damper.hpp"
#include "arthron/components/forces/torsion_spring.hpp"
#include "arthron/components/forces/tyre.hpp"
#include "arthron/components/joints/constant_velocity.hpp"
#include "arthron/components/joints/curve.hpp"
#include "arthron/components/joints/cylindrical.hpp"
#include "arthron/components/joints/distance.hpp"
#include "arthron/components/joints/expression.hpp"
#include "arthron/components/joints/fixed.hpp"
#include "arthron/components/joints/free.hpp"
#include "arthron/components/joints/planar.hpp"
#include "arthron/components/joints/point_in_plane.hpp"
#include "arthron/components/joints/point_on_line.hpp"
#include "arthron/components/joints/prismatic.hpp"
#include "arthron/components/joints/revolute.hpp"
#include "arthron/components/joints/screw.hpp"
#include "arthron/components/joints/spherical.hpp"
#include "arthron/components/joints/universal.hpp"

namespace arthron {

void register_builtins(Registry& registry) {
  registry.add_body<BoxBody>();
  registry.add_body<CylinderBody>();
  registry.add_body<SphereBody>();

  registry.add_joint<ConstantVelocityJoint>();
  registry.add_joint<CurveJoint>();
  registry.add_joint<CylindricalJoint>();
  registry.add_joint<DistanceJoint>();
  registry.add_joint<ExpressionJoint<1>>();
  registry.add_joint<ExpressionJoint<2>>();
  registry.add_joint<ExpressionJoint<3>>();
  registry.add_joint<ExpressionJoint<4>>();
  registry.add_joint<ExpressionJoint<5>>();
  registry.add_joint<ExpressionJoint<6>>();
  registry.add_joint<FixedJoint>();
  registry.add_joint<FreeJoint>();
  registry.add_joint<PlanarJoint>();
  registry.add_joint<PointInPlaneJoint>();
  registry.add_joint<PointOnLineJoint>();
  registry.add_joint<PrismaticJoint>();
  registry.add_joint<RevoluteJoint>();
  registry.add_joint<ScrewJoint>();
  registry.add_joint<SphericalJoint>();
  registry.add_joint<UniversalJoint>();

  registry.add_force<AppliedForce>();
  registry.add_force<BumpStopForce>();
  registry.add_force<BushingForce>();
  registry.add_force<ContactForce>();
  registry.add_force<SpringDamperForce>();
  registry.add_force<TorsionSpringForce>();
  registry.add_force<TyreForce>();
}

Registry builtin_registry() {
  Registry registry;
  register_builtins(registry);
  return registry;
}

}  // namespace arthron
