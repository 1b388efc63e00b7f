#include "arthron/component/joint_batch.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/components/joints/curve.hpp"
#include "arthron/components/joints/distance.hpp"
#include "arthron/components/joints/point_in_plane.hpp"
#include "arthron/components/joints/point_on_line.hpp"

namespace arthron {

void register_point_joints(Registry& registry) {
  registry.add_joint<CurveJoint>();
  registry.add_joint<DistanceJoint>();
  registry.add_joint<PointInPlaneJoint>();
  registry.add_joint<PointOnLineJoint>();
}

}  // namespace arthron
