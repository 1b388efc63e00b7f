#pragma once
#include <Simbody.h>

#include <cmath>
#include <stdexcept>

#include "mechanism.hpp"

namespace arthron::peers {

inline SimTK::Vec3 vec(const Vector& v) { return {v[0], v[1], v[2]}; }
inline Vector vec(const SimTK::Vec3& v) { return {v[0], v[1], v[2]}; }

/// A mechanism in Simbody's terms.
class SimbodySystem {
 public:
  explicit SimbodySystem(const Mechanism& mechanism) : mechanism_(mechanism), matter_(system_), forces_(system_) {
    SimTK::Force::Gravity(forces_, matter_, vec(mechanism.gravity));
    for (const Link& link : mechanism.links) add_link(link);
    for (const LoopJoint& loop : mechanism.loops) close(loop);
    for (const Gear& gear : mechanism.gears) add_gear(gear);
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
  }
  SimbodySystem(const SimbodySystem&) = delete;
  SimbodySystem& operator=(const SimbodySystem&) = delete;

  /// Takes this motion into state().
  void go_to(const Motion& motion) {
    for (std::size_t i = 0; i < motion.size(); ++i) {
      const SimTK::Transform X_PB(SimTK::Rotation(SimTK::Mat33(motion[i].R_PB.data())), vec(motion[i].p_PB));
      bodies_[i].setQToFitTransform(state_, ~bodies_[i].getInboardFrame(state_) * X_PB * bodies_[i].getOutboardFrame(state_));
    }
    system_.realize(state_, SimTK::Stage::Position);
    for (std::size_t i = 0; i < motion.size(); ++i) {
      // The outboard frame has its origin in B's.
      const SimTK::Rotation R_FP = ~bodies_[i].getInboardFrame(state_).R();
      bodies_[i].setUToFitVelocity(state_, SimTK::SpatialVec(R_FP * vec(motion[i].w_PB), R_FP * vec(motion[i].v_PB)));
    }
  }

  [[nodiscard]] const Mechanism& mechanism() const { return mechanism_; }
  [[nodiscard]] const SimTK::MultibodySystem& system() const { return system_; }
  [[nodiscard]] const std::vector<SimTK::MobilizedBody>& bodies() const { return bodies_; }  // per link
  [[nodiscard]] SimTK::State& state() { return state_; }

 private:
  /// A frame at p whose axis `which` is `axis`.
  static SimTK::Transform frame(const Vector& axis, SimTK::CoordinateAxis which, const Vector& p) {
    return {SimTK::Rotation(SimTK::UnitVec3(vec(axis)), which), vec(p)};
  }

  [[nodiscard]] SimTK::MobilizedBody& body(int link) {
    return link == Link::ground ? static_cast<SimTK::MobilizedBody&>(matter_.updGround()) : bodies_[link];
  }

  void add_link(const Link& link) {
    const SimTK::Vec3 com = vec(link.com - link.at);
    const auto& I = link.inertia;
    const SimTK::Inertia inertia = SimTK::Inertia(I[0], I[1], I[2], I[3], I[4], I[5]).shiftFromMassCenter(com, link.mass);
    const SimTK::Body::Rigid rigid(SimTK::MassProperties(link.mass, com, inertia));
    const Vector at = mechanism_.in_link(link.parent, link.at);
    SimTK::MobilizedBody& parent = body(link.parent);
    switch (link.joint) {
      case JointKind::revolute:
        bodies_.push_back(SimTK::MobilizedBody::Pin(parent, frame(link.axis, SimTK::ZAxis, at), rigid, frame(link.axis, SimTK::ZAxis, {})));
        break;
      case JointKind::prismatic:
        bodies_.push_back(
            SimTK::MobilizedBody::Slider(parent, frame(link.axis, SimTK::XAxis, at), rigid, frame(link.axis, SimTK::XAxis, {})));
        break;
      case JointKind::spherical: bodies_.push_back(SimTK::MobilizedBody::Ball(parent, vec(at), rigid, SimTK::Vec3(0))); break;
      case JointKind::free: bodies_.push_back(SimTK::MobilizedBody::Free(parent, vec(at), rigid, SimTK::Vec3(0))); break;
      case JointKind::distance: throw std::runtime_error("no such joint in Simbody");
    }
  }

  void close(const LoopJoint& loop) {
    SimTK::MobilizedBody &a = body(loop.a), &b = body(loop.b);
    const SimTK::Vec3 at_a = vec(mechanism_.in_link(loop.a, loop.at_a)), at_b = vec(mechanism_.in_link(loop.b, loop.at_b));
    if (loop.joint == JointKind::distance) {
      SimTK::Constraint::Rod(a, at_a, b, at_b, std::sqrt(product(loop.at_b - loop.at_a, loop.at_b - loop.at_a)));
      return;
    }
    if (loop.joint != JointKind::spherical && loop.joint != JointKind::revolute) throw std::runtime_error("no such loop in Simbody");
    SimTK::Constraint::Ball(a, at_a, b, at_b);
    if (loop.joint == JointKind::revolute) {
      // The axis on b stays at right angles to two directions on a.
      const SimTK::Rotation R(SimTK::UnitVec3(vec(loop.axis)), SimTK::ZAxis);
      SimTK::Constraint::ConstantAngle(a, R.x(), b, R.z(), SimTK::Pi / 2);
      SimTK::Constraint::ConstantAngle(a, R.y(), b, R.z(), SimTK::Pi / 2);
    }
  }

  void add_gear(const Gear& gear) {
    const std::vector<SimTK::MobilizedBodyIndex> bodies{body(gear.driven).getMobilizedBodyIndex(),
                                                        body(gear.driver).getMobilizedBodyIndex()};
    const std::vector<SimTK::MobilizerQIndex> coordinates(2, SimTK::MobilizerQIndex(0));
    SimTK::Constraint::CoordinateCoupler(matter_, new SimTK::Function::Linear(SimTK::Vector(SimTK::Vec3(1, -gear.ratio, 0))), bodies,
                                         coordinates);
  }

  Mechanism mechanism_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  std::vector<SimTK::MobilizedBody> bodies_;
  SimTK::State state_;
};

}  // namespace arthron::peers
