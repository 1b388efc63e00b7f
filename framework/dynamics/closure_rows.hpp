#pragma once
#include "arthron/dynamics/four_at.hpp"

/// Rows of closures in whole registers: four numbers of a row of Gamma, or one component of four rows of X, at a time.
namespace arthron {

/// Four of a row's numbers, whose place is a multiple of four.
inline Lanes4& lanes(double* row, int i = 0) { return reinterpret_cast<Lanes4*>(row)[i]; }
inline const Lanes4& lanes(const double* row, int i = 0) { return reinterpret_cast<const Lanes4*>(row)[i]; }

/// to += factor from, of padded rows that fill so many registers.
inline void add_row(double factor, const double* from, int width, double* to) {
  for (int i = 0; i < width; ++i) lanes(to, i) += factor * lanes(from, i);
}

/// X . V of four rows, whose components are `stride` apart.
inline Lanes4 dot_rows(const double* X, int stride, const Wide6& V) {
  Lanes4 sum = V.linear.v[0] * lanes(X);
  sum += V.linear.v[1] * lanes(X + stride), sum += V.linear.v[2] * lanes(X + 2 * stride);
  sum += V.angular.v[0] * lanes(X + 3 * stride), sum += V.angular.v[1] * lanes(X + 4 * stride);
  return sum + V.angular.v[2] * lanes(X + 5 * stride);
}

using Mask4 = long long __attribute__((vector_size(32)));

inline Lanes4 masked(Lanes4 a, Mask4 mask) { return reinterpret_cast<Lanes4>(reinterpret_cast<Mask4>(a) & mask); }

/// The first `count` lanes.
inline Mask4 first_lanes(int count) {
  static constexpr Mask4 table[] = {{0, 0, 0, 0}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}, {-1, -1, -1, -1}};
  return table[count];
}
/// The lanes whose bits are set.
inline Mask4 chosen_lanes(unsigned bits) {
  static constexpr Mask4 table[] = {{0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},  {0, 0, -1, 0},  {-1, 0, -1, 0},
                                    {0, -1, -1, 0}, {-1, -1, -1, 0}, {0, 0, 0, -1},   {-1, 0, 0, -1},  {0, -1, 0, -1}, {-1, -1, 0, -1},
                                    {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};
  return table[bits];
}
inline Mask4 lane(int i) { return chosen_lanes(1u << i); }
inline Mask4 all_but(int lane) {
  static constexpr Mask4 table[] = {{0, -1, -1, -1}, {-1, 0, -1, -1}, {-1, -1, 0, -1}, {-1, -1, -1, 0}};
  return table[lane];
}

inline Lanes4 unit_lane(int lane) {
  static constexpr Lanes4 table[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  return table[lane];
}

inline void clear(int width, double* to) {
#pragma GCC unroll 4
  for (int i = 0; i < width; ++i) lanes(to, i) = Lanes4{0, 0, 0, 0};
}

/// The sums of three registers' lanes.
inline Wide3 sums(Lanes4 a, Lanes4 b, Lanes4 c) {
  const Lanes4 none{0, 0, 0, 0};
  const Lanes4 ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes4 c_ = __builtin_shufflevector(c, none, 0, 4, 2, 6) + __builtin_shufflevector(c, none, 1, 5, 3, 7);
  return Wide3(__builtin_shufflevector(ab, c_, 0, 1, 4, 5) + __builtin_shufflevector(ab, c_, 2, 3, 6, 7));
}

/// Six components of four rows.
struct FourRows {
  Lanes4 x, y, z, a, b, c;

  /// The rows as wrenches at the point from which l leads to theirs.
  void move(const Wide3& l) { a += l.v[1] * z - l.v[2] * y, b += l.v[2] * x - l.v[0] * z, c += l.v[0] * y - l.v[1] * x; }
};

inline FourRows rows_from(const double* X, int stride) {
  return {
      four_at(X), four_at(X + stride), four_at(X + 2 * stride), four_at(X + 3 * stride), four_at(X + 4 * stride), four_at(X + 5 * stride)};
}
inline Lanes4 dot(const FourRows& rows, const Wide6& V) {
  return V.linear.v[0] * rows.x + V.linear.v[1] * rows.y + V.linear.v[2] * rows.z + V.angular.v[0] * rows.a + V.angular.v[1] * rows.b +
         V.angular.v[2] * rows.c;
}
/// Rows are added where all four of them are, masked: a number that is written alone cannot be read with its neighbours for a while.
inline void add_rows(const FourRows& rows, Mask4 mask, double* X, int stride) {
  lanes(X) += masked(rows.x, mask), lanes(X + stride) += masked(rows.y, mask), lanes(X + 2 * stride) += masked(rows.z, mask);
  lanes(X + 3 * stride) += masked(rows.a, mask), lanes(X + 4 * stride) += masked(rows.b, mask),
      lanes(X + 5 * stride) += masked(rows.c, mask);
}
/// The same row four times.
inline FourRows four_times(const Wide6& row) {
  return {broadcast<0>(row.linear),  broadcast<1>(row.linear),  broadcast<2>(row.linear),
          broadcast<0>(row.angular), broadcast<1>(row.angular), broadcast<2>(row.angular)};
}
/// Four wrenches, with a sign.
inline FourRows rows_of(const Wide6* D, double sign) {
  const auto low = [](const Wide3& a, const Wide3& b) { return __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6); };
  const auto high = [](const Wide3& a, const Wide3& b) { return __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7); };
  const Lanes4 xz = low(D[0].linear, D[1].linear), xz_ = low(D[2].linear, D[3].linear);
  const Lanes4 ac = low(D[0].angular, D[1].angular), ac_ = low(D[2].angular, D[3].angular);
  return {sign * __builtin_shufflevector(xz, xz_, 0, 1, 4, 5),
          sign * __builtin_shufflevector(high(D[0].linear, D[1].linear), high(D[2].linear, D[3].linear), 0, 1, 4, 5),
          sign * __builtin_shufflevector(xz, xz_, 2, 3, 6, 7),
          sign * __builtin_shufflevector(ac, ac_, 0, 1, 4, 5),
          sign * __builtin_shufflevector(high(D[0].angular, D[1].angular), high(D[2].angular, D[3].angular), 0, 1, 4, 5),
          sign * __builtin_shufflevector(ac, ac_, 2, 3, 6, 7)};
}

/// X s: the sum of rows of so many registers, with factors.
inline Wide6 sum_of_rows(const double* X, int stride, const double* factors, int width) {
  const Lanes4 none{0, 0, 0, 0};
  FourRows sum{none, none, none, none, none, none};
  for (int i = 0; i < width; ++i, X += 4) {
    const Lanes4 s = lanes(factors, i);
    sum.x += s * lanes(X), sum.y += s * lanes(X + stride), sum.z += s * lanes(X + 2 * stride);
    sum.a += s * lanes(X + 3 * stride), sum.b += s * lanes(X + 4 * stride), sum.c += s * lanes(X + 5 * stride);
  }
  return {sums(sum.x, sum.y, sum.z), sums(sum.a, sum.b, sum.c)};
}

/// M + X d^-1 X^T, of rows of so many registers.
inline void add_dyads(const double* X, int stride, const double* d_inverse, int width, WideInertia& M) {
  const Lanes4 none{0, 0, 0, 0};
  const auto add_symmetric = [&](const double* rows, WideSymmetric3& sum) {
    Lanes4 xx = none, yy = none, zz = none, xy = none, yz = none, zx = none;
    for (int i = 0; i < width; ++i, rows += 4) {
      const Lanes4 x = lanes(rows), y = lanes(rows + stride), z = lanes(rows + 2 * stride), d = lanes(d_inverse, i);
      const Lanes4 dx = d * x, dy = d * y, dz = d * z;
      xx += dx * x, yy += dy * y, zz += dz * z, xy += dx * y, yz += dy * z, zx += dz * x;
    }
    sum.diagonal += sums(xx, yy, zz).v, sum.above += sums(xy, yz, zx).v;
  };
  add_symmetric(X, M.A), add_symmetric(X + 3 * stride, M.C);
  Lanes4 xa = none, xb = none, xc = none, ya = none, yb = none, yc = none, za = none, zb = none, zc = none;
  for (int i = 0; i < width; ++i, X += 4) {
    const Lanes4 d = lanes(d_inverse, i), x = d * lanes(X), y = d * lanes(X + stride), z = d * lanes(X + 2 * stride);
    const Lanes4 a = lanes(X + 3 * stride), b = lanes(X + 4 * stride), c = lanes(X + 5 * stride);
    xa += x * a, xb += x * b, xc += x * c, ya += y * a, yb += y * b, yc += y * c, za += z * a, zb += z * b, zc += z * c;
  }
  M.B.d0 += sums(xa, yb, zc).v, M.B.d1 += sums(xb, yc, za).v, M.B.d2 += sums(xc, ya, zb).v;
}

}  // namespace arthron
