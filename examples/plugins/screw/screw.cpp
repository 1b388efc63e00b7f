#include <arthron/component/plugin.hpp>
#include <numbers>

using namespace arthron;

/// Screw joint: rotation theta about `axis`, coupled to a slide along it.
///   X(theta) = { Rot(axis, theta), lead theta axis }      lead = pitch / (2 pi)
struct ScrewJoint {
  static constexpr std::string_view type = "acme/screw";
  static constexpr int nq = 1, nu = 1;
  Vec3 axis;    // unit vector
  double lead;  // [m/rad]

  static ScrewJoint parse(const JsonReader& in) {
    return {in.unit_vector({"axis", "", "axis of rotation and advance"}),
            in.length({"pitch", "m", "advance per turn"}) / (2 * std::numbers::pi)};
  }
  template <class T>
  Pose<T> pose(const T* q) const {
    return screw_pose(axis, q[0], T(lead) * q[0]);
  }
};

ARTHRON_PLUGIN(registry) { registry.add_joint<ScrewJoint>(); }
