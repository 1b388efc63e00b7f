#include "arthron/component/joint_batch.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/components/joints/cylindrical.hpp"
#include "arthron/components/joints/planar.hpp"
#include "arthron/components/joints/prismatic.hpp"
#include "arthron/components/joints/revolute.hpp"
#include "arthron/components/joints/screw.hpp"

namespace arthron {

void register_axis_joints(Registry& registry) {
  registry.add_joint<CylindricalJoint>();
  registry.add_joint<PlanarJoint>();
  registry.add_joint<PrismaticJoint>();
  registry.add_joint<RevoluteJoint>();
  registry.add_joint<ScrewJoint>();
}

}  // namespace arthron
