#include <arthron/component/plugin.hpp>

using namespace arthron;

/// A hinge, to begin with: the child turns by q[0] about `axis`, seen from the parent.
struct NameJoint {
  static constexpr std::string_view type = "vendor/name";  // its name in model files
  static constexpr int nq = 1, nu = 1;                     // coordinates and velocities
  Vec3 axis;                                               // unit vector

  /// Keys in model files. Each is asked for whether it is there or not, so that they can be listed.
  static NameJoint parse(const JsonReader& in) { return {in.unit_vector({"axis", "", "axis of rotation"})}; }

  /// Where the child's frame is in the parent's frame. T is a number that knows its derivatives: velocities and accelerations follow from
  /// the pose. <arthron/component/joint.hpp> tells what else a joint may give, for speed or for coordinates of another kind.
  template <class T>
  Pose<T> pose(const T* q) const {
    return screw_pose(axis, q[0], T(0));
  }
};

ARTHRON_PLUGIN(registry) { registry.add_joint<NameJoint>(); }
