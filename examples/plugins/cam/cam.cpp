#include <arthron/component/plugin.hpp>
#include <cmath>

using namespace arthron;

/// Pin on the profile of a disc cam: the child's pin runs along the pitch curve of the parent and turns freely there.
///   X(phi, theta) = { Rot(z, theta), r(phi) (cos phi, sin phi, 0) },   r(phi) = base + lift (1 - cos(lobes phi)) / 2
/// The joint sits at the centre of the cam; the child is drawn with its pin on the joint's x axis, at the lowest place of a lobe.
struct CamJoint {
  static constexpr std::string_view type = "acme/cam";
  static constexpr int nq = 2, nu = 2;
  double base, lift;  // [m]
  int lobes;

  static CamJoint parse(const JsonReader& in) {
    return {in.number({"base", "m", "least radius of the profile"}, Range::positive()),
            in.number({"lift", "m", "of a lobe over the least radius"}, Range::non_negative()),
            in.integer_or({"lobes", "", "lobes around the cam"}, 1, 1, 100)};
  }
  template <class T>
  Pose<T> pose(const T* q) const {
    using std::cos, std::sin;
    const T radius = base + lift / 2 * (1 - cos(lobes * q[0]));
    return {axis_rotation({0, 0, 1}, q[1]), {radius * cos(q[0]), radius * sin(q[0]), T(0)}};
  }
};

ARTHRON_PLUGIN(registry) { registry.add_joint<CamJoint>(); }
