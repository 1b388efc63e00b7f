#pragma once
#include "arthron/spatial/pose.hpp"

/// Six-vectors, order [linear; angular], world axes (formulation section 1).
namespace arthron {

/// A velocity [v; w] or a momentum, impulse or wrench [p; L]: the context says which, the shift functions differ.
template <class T>
struct Spatial {
  Vector3<T> linear, angular;

  Spatial& operator+=(const Spatial& b) {
    linear += b.linear, angular += b.angular;
    return *this;
  }
  Spatial& operator-=(const Spatial& b) {
    linear -= b.linear, angular -= b.angular;
    return *this;
  }
};
using Spatial6 = Spatial<double>;

template <class T>
Spatial<T> operator+(const Spatial<T>& a, const Spatial<T>& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
template <class T>
Spatial<T> operator-(const Spatial<T>& a, const Spatial<T>& b) {
  return {a.linear - b.linear, a.angular - b.angular};
}
template <class T>
Spatial<T> operator-(const Spatial<T>& a) {
  return {-a.linear, -a.angular};
}
template <class T>
Spatial<T> operator*(const std::type_identity_t<T>& s, const Spatial<T>& a) {
  return {s * a.linear, s * a.angular};
}
template <class T>
T dot(const Spatial<T>& a, const Spatial<T>& b) {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}
template <class T>
Spatial<T> rotated(const Matrix3<T>& R, const Spatial<T>& a) {
  return {R * a.linear, R * a.angular};
}

/// S(l)^T V: velocity of the same rigid body at the point displaced by l.
template <class T>
Spatial<T> velocity_at(const Spatial<T>& V, const Vector3<T>& l) {
  return {V.linear + cross(V.angular, l), V.angular};
}
/// S(l) P: a wrench given at the point displaced by l, moved back to the origin of l.
template <class T>
Spatial<T> wrench_from(const Spatial<T>& P, const Vector3<T>& l) {
  return {P.linear, P.angular + cross(l, P.linear)};
}

}  // namespace arthron
