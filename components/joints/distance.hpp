#pragma once
#include "arthron/components/joints/plane_axes.hpp"
#include "arthron/components/joints/spherical.hpp"

namespace arthron {

/// Massless link of constant length from a point A of the parent (`from`) to a point B of the child (`at`), a ball joint at either end.
///   X(q) = { R(child), S r0 - r0 },  r0 = drawn link A to B,  S = R(link)
/// q = (quaternion of the link, quaternion of the child), u = (velocity of B over A along S e1, S e2, angular velocity of the child). The
/// frame (e1, e2, r0) is carried along without spin, so no position on the sphere is singular. Users meet the arc over which B swings from
/// its drawn place, along e1 and e2 [m], and the child's rotation vector.
struct DistanceJoint {
  static constexpr std::string_view type = "distance";
  static constexpr int nq = 8, nu = 5;
  static constexpr std::array shapes{ColumnShape::translation, ColumnShape::translation, ColumnShape::rotation, ColumnShape::rotation,
                                     ColumnShape::rotation};
  static constexpr bool branchless = true, holds_length = true;
  double length;          // [m]
  std::array<Vec3, 2> e;  // right-handed with `along`
  Vec3 along;             // unit vector of r0

  static DistanceJoint parse(const JsonReader& in) {
    const Vec3 r0 = -in.offset({"from", "m", "end of the link on the parent; its end on the child is \"at\""});
    const double length = norm(r0);
    if (length < 1e-9) in.complain("from", "the place of \"at\"", "another point: a link has a length");
    const Vec3 along = length < 1e-9 ? Vec3{0, 0, 1} : (1 / length) * r0;
    return {std::max(length, 1e-9), directions_across(along), along};
  }
  [[nodiscard]] Vec3 link_end() const { return -length * along; }
  template <class T>
  Pose<T> pose(const T* q) const {
    const Vector3<T> r0 = T(length) * cast<T>(along);
    return {quaternion_rotation(q[4], q[5], q[6], q[7]), link(q) * r0 - r0};
  }
  template <class T>
  void subspace(const T* q, Spatial<T>* H) const {
    const Matrix3<T> S = link(q);
    H[0] = {S * cast<T>(e[0]), {}};
    H[1] = {S * cast<T>(e[1]), {}};
    SphericalJoint{}.subspace(q + 4, H + 2);
  }
  template <class T>
  void subspace_rate(const T* q, const T* u, Spatial<T>* Hdot) const {
    const Vector3<T> centre = T(-1 / length) * (link(q) * cast<T>(along));
    Hdot[0] = {u[0] * centre, {}};
    Hdot[1] = {u[1] * centre, {}};
    for (int i = 2; i < nu; ++i) Hdot[i] = {};
  }
  template <class T>
  void coordinate_rate(const T* q, const T* u, T* qdot) const {
    const Vector3<T> w = turn_rate(q, u);
    const T w_link[] = {w.x, w.y, w.z};
    SphericalJoint{}.coordinate_rate(q, w_link, qdot);
    SphericalJoint{}.coordinate_rate(q + 4, u + 2, qdot + 4);
  }
  void normalise(double* q) const {
    SphericalJoint{}.normalise(q);
    SphericalJoint{}.normalise(q + 4);
  }
  void from_chart(const double* chart, double* q) const {
    const Vec3 swing = swing_over(chart[0], chart[1]);
    const double theta[] = {swing.x, swing.y, swing.z};
    SphericalJoint{}.from_chart(theta, q);
    SphericalJoint{}.from_chart(chart + 2, q + 4);
  }
  void to_chart(const double* q, double* chart) const {
    set_arc(swing_of(link(q) * along).vector, chart);
    SphericalJoint{}.to_chart(q + 4, chart + 2);
  }
  void chart_motion(const TimeFunction::Sample* chart, double* u, double* udot) const {
    const Vec3 swing = swing_over(chart[0].value, chart[1].value);
    const auto [w, alpha] =
        angular_motion(swing, swing_over(chart[0].rate, chart[1].rate), swing_over(chart[0].acceleration, chart[1].acceleration));
    const Mat3 S = link(quaternion_of(swing).data());
    const Vec3 r = S * (length * along), v = cross(w, r), a = cross(alpha, r) + cross(w, v);
    for (std::size_t i = 0; i < 2; ++i) u[i] = dot(S * e[i], v), udot[i] = dot(S * e[i], a);
    SphericalJoint{}.chart_motion(chart + 2, u + 2, udot + 2);
  }
  void chart_rate(const double* q, const double* u, double* rate) const {
    const Vec3 n = link(q) * along, n_rate = cross(turn_rate(q, u), n);
    const Swing swing = swing_of(n);
    // The angle grows as n moves along the lean; the axis turns about the drawn link as n moves along the axis.
    const double growth = dot(n_rate, swing.cosine * swing.lean - swing.sine * along), sideways = swing.stretch * dot(n_rate, swing.axis);
    set_arc(growth * swing.axis - sideways * swing.lean, rate);
    SphericalJoint{}.chart_rate(q + 4, u + 2, rate + 2);
  }
  void complement(const Pose<double>& X, Spatial6* D) const { D[0] = {normalized(link_at(X)), {}}; }
  void complement_rate(const Pose<double>& X, const Spatial6& V, Spatial6* Ddot) const {
    const Vec3 r = link_at(X), n = normalized(r);
    Ddot[0] = {(1 / norm(r)) * (V.linear - dot(n, V.linear) * n), {}};
  }
  [[nodiscard]] Spatial6 gap(const Pose<double>& X) const {
    const Vec3 r = link_at(X);
    return {(norm(r) - length) * normalized(r), {}};
  }
  friend bool operator==(const DistanceJoint&, const DistanceJoint&) = default;

 private:
  [[nodiscard]] Vec3 link_at(const Pose<double>& X) const { return X.p + length * along; }
  template <class T>
  static Matrix3<T> link(const T* q) {
    return quaternion_rotation(q[0], q[1], q[2], q[3]);
  }
  template <class T>
  Vector3<T> turn_rate(const T* q, const T* u) const {
    return T(1 / length) * (link(q) * (u[0] * cast<T>(e[1]) - u[1] * cast<T>(e[0])));
  }

  /// Rotation vector of the link while B swings over the arc (x, y), and back.
  [[nodiscard]] Vec3 swing_over(double x, double y) const { return (1 / length) * (x * e[1] - y * e[0]); }
  void set_arc(const Vec3& swing, double* arc) const { arc[0] = length * dot(swing, e[1]), arc[1] = -length * dot(swing, e[0]); }

  /// The shortest turn of the drawn link to the direction n = cosine along + sine lean: vector = angle axis, stretch = angle/sine.
  struct Swing {
    Vec3 vector, axis, lean;
    double cosine, sine, stretch;
  };
  [[nodiscard]] Swing swing_of(const Vec3& n) const {
    const Vec3 across = cross(along, n);
    const double sine = norm(across), cosine = dot(along, n);
    const bool straight = sine < 1e-8;
    const double angle = std::atan2(sine, cosine);
    const Vec3 axis = straight ? e[0] : (1 / sine) * across;
    return {angle * axis, axis, cross(axis, along), cosine, sine, straight ? 1 : angle / sine};
  }
};

}  // namespace arthron
