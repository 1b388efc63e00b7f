#include "arthron/component/joint_batch.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/components/joints/expression.hpp"

namespace arthron {

void register_expression_joints(Registry& registry) {
  registry.add_joint<ExpressionJoint<1>>();
  registry.add_joint<ExpressionJoint<2>>();
  registry.add_joint<ExpressionJoint<3>>();
}

}  // namespace arthron
