#pragma once
#include "arthron/spatial/spatial.hpp"

/// The algebra of vector3.hpp and spatial.hpp on four-lane vectors, for the kernel's loops: a 3-vector fills one register, its fourth lane
/// is zero. About a third of the instructions of plain structs, with any compiler. Converts from and to the plain structs.
namespace arthron {

using Lanes4 = double __attribute__((vector_size(32)));

struct Wide3 {
  Lanes4 v;

  Wide3() = default;
  explicit Wide3(Lanes4 lanes) : v(lanes) {}
  Wide3(const Vec3& a) : v{a.x, a.y, a.z, 0} {}         // NOLINT: a Vec3 in another layout
  operator Vec3() const { return {v[0], v[1], v[2]}; }  // NOLINT
  static Wide3 zero() { return Wide3(Lanes4{0, 0, 0, 0}); }

  Wide3& operator+=(Wide3 b) {
    v += b.v;
    return *this;
  }
  Wide3& operator-=(Wide3 b) {
    v -= b.v;
    return *this;
  }
};

inline Wide3 operator+(Wide3 a, Wide3 b) { return Wide3(a.v + b.v); }
inline Wide3 operator-(Wide3 a, Wide3 b) { return Wide3(a.v - b.v); }
inline Wide3 operator-(Wide3 a) { return Wide3(-a.v); }
inline Wide3 operator*(double s, Wide3 a) { return Wide3(s * a.v); }
inline double sum(Lanes4 a) {
  const Lanes4 pairs = a + __builtin_shufflevector(a, a, 2, 3, 0, 1);
  return pairs[0] + pairs[1];
}
inline double dot(Wide3 a, Wide3 b) { return sum(a.v * b.v); }
template <int i>
Lanes4 broadcast(Wide3 a) {
  return __builtin_shufflevector(a.v, a.v, i, i, i, i);
}

inline Lanes4 rotated_lanes(Lanes4 a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }
inline Wide3 cross(Wide3 a, Wide3 b) { return Wide3(rotated_lanes(a.v * rotated_lanes(b.v) - rotated_lanes(a.v) * b.v)); }

struct WideMatrix3 {
  Wide3 c0, c1, c2;

  WideMatrix3() = default;
  WideMatrix3(Wide3 a, Wide3 b, Wide3 c) : c0(a), c1(b), c2(c) {}
  WideMatrix3(const Mat3& m) : c0(m.c0), c1(m.c1), c2(m.c2) {}                                                        // NOLINT
  WideMatrix3(const Sym3& m) : c0(Vec3{m.xx, m.xy, m.xz}), c1(Vec3{m.xy, m.yy, m.yz}), c2(Vec3{m.xz, m.yz, m.zz}) {}  // NOLINT
  operator Mat3() const { return {c0, c1, c2}; }                                                                      // NOLINT
  WideMatrix3& operator+=(const WideMatrix3& b) {
    c0 += b.c0, c1 += b.c1, c2 += b.c2;
    return *this;
  }
};

inline Wide3 operator*(const WideMatrix3& m, Wide3 a) {
  return Wide3(m.c0.v * broadcast<0>(a) + m.c1.v * broadcast<1>(a) + m.c2.v * broadcast<2>(a));
}
/// With the second factor as scalars in memory.
inline Wide3 operator*(const WideMatrix3& m, const Vec3& a) { return Wide3(m.c0.v * a.x + m.c1.v * a.y + m.c2.v * a.z); }
inline WideMatrix3 operator*(const WideMatrix3& a, const Mat3& b) { return {a * b.c0, a * b.c1, a * b.c2}; }
inline WideMatrix3 operator*(const WideMatrix3& a, const Sym3& b) {
  return {a * Vec3{b.xx, b.xy, b.xz}, a * Vec3{b.xy, b.yy, b.yz}, a * Vec3{b.xz, b.yz, b.zz}};
}
inline WideMatrix3 operator*(const WideMatrix3& a, const WideMatrix3& b) { return {a * b.c0, a * b.c1, a * b.c2}; }
inline WideMatrix3 operator+(WideMatrix3 a, const WideMatrix3& b) { return a += b; }
inline WideMatrix3 transpose(const WideMatrix3& m) {
  const Lanes4 low = __builtin_shufflevector(m.c0.v, m.c1.v, 0, 4, 2, 6), high = __builtin_shufflevector(m.c0.v, m.c1.v, 1, 5, 3, 7);
  const Lanes4 last = m.c2.v, odd = __builtin_shufflevector(last, last, 1, 3, 3, 3);
  return {Wide3(__builtin_shufflevector(low, last, 0, 1, 4, 7)), Wide3(__builtin_shufflevector(high, odd, 0, 1, 4, 5)),
          Wide3(__builtin_shufflevector(low, last, 2, 3, 6, 7))};
}
inline Wide3 transposed_times(const WideMatrix3& m, Wide3 a) { return transpose(m) * a; }
/// R S R^T of a symmetric S.
inline WideMatrix3 rotated(const WideMatrix3& R, const Sym3& S) {
  const WideMatrix3 RS = R * S;
  const auto column = [&](Lanes4 r0, Lanes4 r1, Lanes4 r2) { return Wide3(RS.c0.v * r0 + RS.c1.v * r1 + RS.c2.v * r2); };
  return {column(broadcast<0>(R.c0), broadcast<0>(R.c1), broadcast<0>(R.c2)),
          column(broadcast<1>(R.c0), broadcast<1>(R.c1), broadcast<1>(R.c2)),
          column(broadcast<2>(R.c0), broadcast<2>(R.c1), broadcast<2>(R.c2))};
}

struct WidePose {
  WideMatrix3 R;
  Wide3 p;

  WidePose() = default;
  WidePose(const WideMatrix3& rotation, Wide3 position) : R(rotation), p(position) {}
  WidePose(const Pose<double>& X) : R(X.R), p(X.p) {}  // NOLINT
  operator Pose<double>() const { return {R, p}; }     // NOLINT
};

struct Wide6 {
  Wide3 linear, angular;

  Wide6() = default;
  Wide6(Wide3 l, Wide3 a) : linear(l), angular(a) {}
  Wide6(const Spatial6& a) : linear(a.linear), angular(a.angular) {}  // NOLINT
  operator Spatial6() const { return {linear, angular}; }             // NOLINT
  static Wide6 zero() { return {Wide3::zero(), Wide3::zero()}; }
  Wide6& operator+=(const Wide6& b) {
    linear += b.linear, angular += b.angular;
    return *this;
  }
  Wide6& operator-=(const Wide6& b) {
    linear -= b.linear, angular -= b.angular;
    return *this;
  }
};

inline Wide6 operator+(Wide6 a, const Wide6& b) { return a += b; }
inline Wide6 operator-(Wide6 a, const Wide6& b) { return a -= b; }
inline Wide6 operator*(double s, const Wide6& a) { return {s * a.linear, s * a.angular}; }
inline double dot(const Wide6& a, const Wide6& b) { return sum(a.linear.v * b.linear.v + a.angular.v * b.angular.v); }
inline Wide6 rotated(const WideMatrix3& R, const Wide6& a) { return {R * a.linear, R * a.angular}; }
inline Wide6 velocity_at(const Wide6& V, Wide3 l) { return {V.linear + cross(V.angular, l), V.angular}; }
inline Wide6 wrench_from(const Wide6& P, Wide3 l) { return {P.linear, P.angular + cross(l, P.linear)}; }

/// Symmetric 6 x 6 inertia of a body or compound at one point, P = [A B; B^T C] V; the symmetric blocks are stored whole.
struct WideInertia {
  WideMatrix3 A, B, C;
  WideInertia& operator+=(const WideInertia& b) {
    A += b.A, B += b.B, C += b.C;
    return *this;
  }
};

inline Wide6 operator*(const WideInertia& M, const Wide6& V) {
  return {M.A * V.linear + M.B * V.angular, transposed_times(M.B, V.linear) + M.C * V.angular};
}

/// Inertia of a rigid body, of mass m, first moment mc and second moment I about the same point.
inline WideInertia rigid_inertia(double m, Wide3 mc, const WideMatrix3& I) {
  const Lanes4 a = mc.v;
  return {{Wide3(Lanes4{m, 0, 0, 0}), Wide3(Lanes4{0, m, 0, 0}), Wide3(Lanes4{0, 0, m, 0})},
          {Wide3(__builtin_shufflevector(a, a, 0, 2, 1, 3) * Lanes4{0, -1, 1, 0}),
           Wide3(__builtin_shufflevector(a, a, 2, 1, 0, 3) * Lanes4{1, 0, -1, 0}),
           Wide3(__builtin_shufflevector(a, a, 1, 0, 2, 3) * Lanes4{-1, 1, 0, 0})},
          I};
}

}  // namespace arthron
