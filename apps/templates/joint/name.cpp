#include <arthron/component/plugin.hpp>

using namespace arthron;

/// A hinge, to begin with: the child turns by q[0] about `axis`, relative to the parent.
struct NameJoint {
  static constexpr std::string_view type = "vendor/name";  // its name in model files
  static constexpr int nq = 1, nu = 1;                     // coordinates and velocities
  Vec3 axis;                                               // unit vector

  /// Keys in model files. Ask for each key, present or not: `arthron types` lists them.
  static NameJoint parse(const JsonReader& in) { return {in.unit_vector({"axis", "", "axis of rotation"})}; }

  /// Pose of the child's frame in the parent's frame. T is a number that carries its derivatives: velocities and accelerations follow from
  /// the pose. <arthron/component/joint.hpp> lists what else a joint may give, for speed or for other coordinates.
  template <class T>
  Pose<T> pose(const T* q) const {
    return screw_pose(axis, q[0], T(0));
  }
};

ARTHRON_PLUGIN(registry) { registry.add_joint<NameJoint>(); }
