#include "support/pose_only.hpp"

#include <algorithm>

#include "arthron/component/joint_batch.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/components/joints/constant_velocity.hpp"
#include "arthron/components/joints/cylindrical.hpp"
#include "arthron/components/joints/distance.hpp"
#include "arthron/components/joints/fixed.hpp"
#include "arthron/components/joints/free.hpp"
#include "arthron/components/joints/planar.hpp"
#include "arthron/components/joints/point_in_plane.hpp"
#include "arthron/components/joints/point_on_line.hpp"
#include "arthron/components/joints/prismatic.hpp"
#include "arthron/components/joints/revolute.hpp"
#include "arthron/components/joints/screw.hpp"
#include "arthron/components/joints/spherical.hpp"
#include "arthron/components/joints/universal.hpp"

namespace arthron::test {

namespace {

template <std::size_t size>
struct Name {
  char text[size];
  constexpr Name(const char (&literal)[size]) { std::copy_n(literal, size, text); }  // NOLINT
};

template <class J, Name name>
struct PoseOnly {
  static constexpr std::string_view type = name.text;
  static constexpr int nq = J::nq, nu = J::nu;
  J joint;

  static PoseOnly parse(const JsonReader& in) { return {J::parse(in)}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return joint.pose(q);
  }
  template <class T>
  void coordinate_rate(const T* q, const T* u, T* qdot) const requires requires {
    joint.coordinate_rate(q, u, qdot);
  }
  { joint.coordinate_rate(q, u, qdot); }
  void normalise(double* q) const requires requires { joint.normalise(q); }
  { joint.normalise(q); }
  void from_chart(const double* chart, double* q) const requires(nq != nu) { joint.from_chart(chart, q); }
  void to_chart(const double* q, double* chart) const requires(nq != nu) { joint.to_chart(q, chart); }
  void chart_motion(const TimeFunction::Sample* chart, double* u, double* udot) const requires(nq != nu) {
    joint.chart_motion(chart, u, udot);
  }
  void chart_rate(const double* q, const double* u, double* rate) const requires(nq != nu) { joint.chart_rate(q, u, rate); }
};

/// A crank: turns about z by an angle that it keeps as (cos, sin), and slides along with it. Everything but the pose is derived, that of
/// the user's angle too.
struct CrankJoint {
  static constexpr std::string_view type = "test/crank";
  static constexpr int nq = 2, nu = 1;
  double lead = 0.3;

  static CrankJoint parse(const JsonReader& in) { return {in.number_or({"lead", "m/rad", "slide along with the turn"}, 0.3)}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    const T zero(0.0), one(1.0);
    return {{{q[0], q[1], zero}, {-q[1], q[0], zero}, {zero, zero, one}}, {lead * q[0], zero, lead * q[0] * q[1]}};
  }
  template <class T>
  void coordinate_rate(const T* q, const T* u, T* qdot) const {
    qdot[0] = -q[1] * u[0], qdot[1] = q[0] * u[0];
  }
  void normalise(double* q) const {
    const double length = std::hypot(q[0], q[1]);
    q[0] /= length, q[1] /= length;
  }
  template <class T>
  void from_chart(const T* chart, T* q) const {
    using std::cos, std::sin;
    q[0] = cos(chart[0]), q[1] = sin(chart[0]);
  }
  template <class T>
  void to_chart(const T* q, T* chart) const {
    using std::atan2;
    chart[0] = atan2(q[1], q[0]);
  }
};

}  // namespace

Registry pose_only_registry() {
  Registry registry = builtin_registry();
  registry.add_joint<PoseOnly<ConstantVelocityJoint, "pose/constant_velocity">>();
  registry.add_joint<PoseOnly<CylindricalJoint, "pose/cylindrical">>();
  registry.add_joint<PoseOnly<DistanceJoint, "pose/distance">>();
  registry.add_joint<PoseOnly<FixedJoint, "pose/fixed">>();
  registry.add_joint<PoseOnly<FreeJoint, "pose/free">>();
  registry.add_joint<PoseOnly<PlanarJoint, "pose/planar">>();
  registry.add_joint<PoseOnly<PointInPlaneJoint, "pose/point_in_plane">>();
  registry.add_joint<PoseOnly<PointOnLineJoint, "pose/point_on_line">>();
  registry.add_joint<PoseOnly<PrismaticJoint, "pose/prismatic">>();
  registry.add_joint<PoseOnly<RevoluteJoint, "pose/revolute">>();
  registry.add_joint<PoseOnly<ScrewJoint, "pose/screw">>();
  registry.add_joint<PoseOnly<SphericalJoint, "pose/spherical">>();
  registry.add_joint<PoseOnly<UniversalJoint, "pose/universal">>();
  registry.add_joint<CrankJoint>();
  return registry;
}

}  // namespace arthron::test
