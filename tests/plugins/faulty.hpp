#pragma once
#include <arthron/component/plugin.hpp>
#include <stdexcept>

/// A hinge about y that throws where a test wants it to.
template <class Faults>
struct FaultyHinge {
  static constexpr std::string_view type = Faults::type;
  static constexpr int nq = 1, nu = 1;
  double limit;  // [rad]

  static FaultyHinge parse(const arthron::JsonReader& in) {
    Faults::parse();
    return {in.number({"limit", "rad", "angle beyond which it throws"})};
  }
  template <class T>
  arthron::Pose<T> pose(const T* q) const {
    Faults::pose(value(q[0]), limit);
    return arthron::screw_pose(arthron::Vec3{0, 1, 0}, q[0], T(0));
  }
  template <class T>
  void subspace(const T*, arthron::Spatial<T>* H) const {
    H[0] = {{}, {T(0), T(1), T(0)}};
  }
  template <class T>
  void subspace_rate(const T*, const T*, arthron::Spatial<T>* Hdot) const {
    Hdot[0] = {};
  }

 private:
  static double value(double q) { return q; }
  template <class T>
  static double value(const T& q) {
    return q[0];
  }
};
