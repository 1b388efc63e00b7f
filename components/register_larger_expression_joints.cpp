#include "arthron/component/joint_batch.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/components/joints/expression.hpp"

namespace arthron {

void register_larger_expression_joints(Registry& registry) {
  registry.add_joint<ExpressionJoint<4>>();
  registry.add_joint<ExpressionJoint<5>>();
  registry.add_joint<ExpressionJoint<6>>();
}

}  // namespace arthron
