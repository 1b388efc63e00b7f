#include "arthron/component/joint_batch.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/components/joints/constant_velocity.hpp"
#include "arthron/components/joints/fixed.hpp"
#include "arthron/components/joints/free.hpp"
#include "arthron/components/joints/spherical.hpp"
#include "arthron/components/joints/universal.hpp"

namespace arthron {

void register_ball_joints(Registry& registry) {
  registry.add_joint<ConstantVelocityJoint>();
  registry.add_joint<FixedJoint>();
  registry.add_joint<FreeJoint>();
  registry.add_joint<SphericalJoint>();
  registry.add_joint<UniversalJoint>();
}

}  // namespace arthron
