#pragma once
#ifdef __AVX__
#include <immintrin.h>
#endif

#include "arthron/spatial/spatial.hpp"

/// The algebra of vector3.hpp and spatial.hpp on four-lane vectors, for the kernel's loops: a 3-vector fills one register, its fourth lane
/// is zero. About a third of the instructions of plain structs, with any compiler. Converts from and to the plain structs.
namespace arthron {

using Lanes4 = double __attribute__((vector_size(32)));

struct Wide3 {
  Lanes4 v;

  Wide3() = default;
  // Copied as one register, never as a block of memory: so structs of vectors stay in registers.
  Wide3(const Wide3& b) : v(b.v) {}
  Wide3& operator=(const Wide3& b) {
    v = b.v;
    return *this;
  }
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
/// The sum of all lanes, in every lane.
inline Lanes4 sum_everywhere(Lanes4 a) {
#ifdef __AVX__
  const Lanes4 pairs = a + _mm256_permute2f128_pd(a, a, 1);  // half the latency of the shuffle that compilers choose
#else
  const Lanes4 pairs = a + __builtin_shufflevector(a, a, 2, 3, 0, 1);
#endif
  return pairs + __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2);
}
inline double sum(Lanes4 a) { return sum_everywhere(a)[0]; }
inline double dot(Wide3 a, Wide3 b) { return sum(a.v * b.v); }
template <int i>
Lanes4 broadcast(Wide3 a) {
  return __builtin_shufflevector(a.v, a.v, i, i, i, i);
}

/// Lane i takes what lane i + k holds, around the first three.
template <int k>
Lanes4 shifted(Lanes4 a) {
  return __builtin_shufflevector(a, a, k % 3, (k + 1) % 3, (k + 2) % 3, 3);
}
/// Shifted factors are shared with other products of the same vectors.
inline Wide3 cross(Wide3 a, Wide3 b) { return Wide3(shifted<1>(a.v) * shifted<2>(b.v) - shifted<2>(a.v) * shifted<1>(b.v)); }

struct WideMatrix3 {
  Wide3 c0, c1, c2;

  WideMatrix3() = default;
  WideMatrix3(Wide3 a, Wide3 b, Wide3 c) : c0(a), c1(b), c2(c) {}
  WideMatrix3(const Mat3& m) : c0(m.c0), c1(m.c1), c2(m.c2) {}  // NOLINT
  operator Mat3() const { return {c0, c1, c2}; }                // NOLINT
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

/// Symmetric matrix by its diagonals, which go around: no lane is stored twice, and products with vectors shift instead of broadcast.
struct WideSymmetric3 {
  Lanes4 diagonal;  // S_ii
  Lanes4 above;     // S_i,i+1: xy, yz, zx

  WideSymmetric3() = default;
  WideSymmetric3(const WideSymmetric3& b) : diagonal(b.diagonal), above(b.above) {}
  WideSymmetric3& operator=(const WideSymmetric3& b) {
    diagonal = b.diagonal, above = b.above;
    return *this;
  }
  WideSymmetric3(Lanes4 on_diagonal, Lanes4 next_to_it) : diagonal(on_diagonal), above(next_to_it) {}
  WideSymmetric3(const Sym3& m) : diagonal{m.xx, m.yy, m.zz, 0}, above{m.xy, m.yz, m.xz, 0} {}             // NOLINT
  operator Sym3() const { return {diagonal[0], diagonal[1], diagonal[2], above[0], above[2], above[1]}; }  // NOLINT
  static WideSymmetric3 zero() { return {Lanes4{0, 0, 0, 0}, Lanes4{0, 0, 0, 0}}; }
  WideSymmetric3& operator+=(const WideSymmetric3& b) {
    diagonal += b.diagonal, above += b.above;
    return *this;
  }
};

inline Wide3 operator*(const WideSymmetric3& m, Wide3 a) {
  return Wide3(m.diagonal * a.v + m.above * shifted<1>(a.v) + shifted<2>(m.above * a.v));
}
/// R S R^T.
inline WideSymmetric3 rotated(const WideMatrix3& R, const Sym3& S) {
  const WideMatrix3 RS = R * S;
  return {RS.c0.v * R.c0.v + RS.c1.v * R.c1.v + RS.c2.v * R.c2.v,
          RS.c0.v * shifted<1>(R.c0.v) + RS.c1.v * shifted<1>(R.c1.v) + RS.c2.v * shifted<1>(R.c2.v)};
}

/// Any 3 x 3 matrix by its diagonals: lane i of d_k holds B_i,i+k.
struct WideDiagonals3 {
  Lanes4 d0, d1, d2;

  WideDiagonals3() = default;
  WideDiagonals3(const WideDiagonals3& b) : d0(b.d0), d1(b.d1), d2(b.d2) {}
  WideDiagonals3& operator=(const WideDiagonals3& b) {
    d0 = b.d0, d1 = b.d1, d2 = b.d2;
    return *this;
  }
  WideDiagonals3(Lanes4 a, Lanes4 b, Lanes4 c) : d0(a), d1(b), d2(c) {}
  WideDiagonals3(const Mat3& m) : d0{m.c0.x, m.c1.y, m.c2.z, 0}, d1{m.c1.x, m.c2.y, m.c0.z, 0}, d2{m.c2.x, m.c0.y, m.c1.z, 0} {}  // NOLINT
  operator Mat3() const { return {{d0[0], d2[1], d1[2]}, {d1[0], d0[1], d2[2]}, {d2[0], d1[1], d0[2]}}; }                         // NOLINT
  static WideDiagonals3 zero() { return {Lanes4{0, 0, 0, 0}, Lanes4{0, 0, 0, 0}, Lanes4{0, 0, 0, 0}}; }
  WideDiagonals3& operator+=(const WideDiagonals3& b) {
    d0 += b.d0, d1 += b.d1, d2 += b.d2;
    return *this;
  }
};

inline Wide3 operator*(const WideDiagonals3& m, Wide3 a) { return Wide3(m.d0 * a.v + m.d1 * shifted<1>(a.v) + m.d2 * shifted<2>(a.v)); }
inline Wide3 transposed_times(const WideDiagonals3& m, Wide3 a) {
  return Wide3(m.d0 * a.v + shifted<1>(m.d2 * a.v) + shifted<2>(m.d1 * a.v));
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

/// Symmetric 6 x 6 inertia of a body or compound at one point, P = [A B; B^T C] V.
struct WideInertia {
  WideSymmetric3 A;
  WideDiagonals3 B;
  WideSymmetric3 C;

  static WideInertia zero() { return {WideSymmetric3::zero(), WideDiagonals3::zero(), WideSymmetric3::zero()}; }
  WideInertia& operator+=(const WideInertia& b) {
    A += b.A, B += b.B, C += b.C;
    return *this;
  }
};

inline Wide6 operator*(const WideInertia& M, const Wide6& V) {
  return {M.A * V.linear + M.B * V.angular, transposed_times(M.B, V.linear) + M.C * V.angular};
}

/// Inertia of a rigid body, of mass m, first moment mc and second moment I about the same point.
inline WideInertia rigid_inertia(double m, Wide3 mc, const WideSymmetric3& I) {
  const Lanes4 none{0, 0, 0, 0};
  return {{m * Lanes4{1, 1, 1, 0}, none}, {none, shifted<2>(mc.v), -shifted<1>(mc.v)}, I};
}

}  // namespace arthron
