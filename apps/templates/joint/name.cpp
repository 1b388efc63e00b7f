#include <arthron/component/plugin.hpp>

using namespace arthron;

/// A hinge, to begin with: the child turns by q[0] about `axis`, seen from the parent.
struct NameJoint {
  static constexpr std::string_view type = "vendor/name";  // its name in model files
  static constexpr int nq = 1, nu = 1;                     // coordinates and velocities
  static constexpr bool constant_subspace = true;          // subspace() does not depend on q; otherwise give subspace_rate() too
  Vec3 axis;                                               // unit vector

  /// Keys in model files. Each is asked for whether it is there or not, so that they can be listed.
  static NameJoint parse(const JsonReader& in) { return {in.unit_vector({"axis", "", "axis of rotation"})}; }

  /// Where the child's frame is in the parent's frame.
  template <class T>
  Pose<T> pose(const T* q) const {
    return screw_pose(axis, q[0], T(0));
  }

  /// How it moves there per unit of each velocity: of its origin, and of its rotation.
  template <class T>
  void subspace(const T* /*q*/, Spatial<T>* H) const {
    H[0] = {{}, cast<T>(axis)};
  }
};

ARTHRON_PLUGIN(registry) { registry.add_joint<NameJoint>(); }
