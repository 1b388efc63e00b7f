#pragma once
#include "arthron/dynamics/four_at.hpp"
#include "arthron/spatial/per_lane.hpp"

/// Numbers of four bodies between the lanes of a SIMD group and the records of single bodies.
namespace arthron::simd_group {

using std::size_t;

ARTHRON_INLINE size_t at(int number) { return static_cast<size_t>(number); }

ARTHRON_INLINE Lanes lanes_of(Lanes4 four) {
  Lanes lanes;
  static_assert(sizeof(lanes) == sizeof(four));
  std::memcpy(static_cast<void*>(&lanes), &four, sizeof(four));
  return lanes;
}
ARTHRON_INLINE Lanes4 four_of(const Lanes& lanes) {
  Lanes4 four;
  std::memcpy(&four, static_cast<const void*>(&lanes), sizeof(four));
  return four;
}

/// Rows become columns.
struct Square {
  Lanes4 a, b, c, d;

  [[nodiscard]] ARTHRON_INLINE Square turned() const {
    const Lanes4 ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_ = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Lanes4 cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_ = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab_, cd_, 0, 1, 4, 5),
            __builtin_shufflevector(ab, cd, 2, 3, 6, 7), __builtin_shufflevector(ab_, cd_, 2, 3, 6, 7)};
  }
};

/// of(lane), a number.
template <class Of>
ARTHRON_INLINE Lanes gather(const Of& of) {
  return lanes_of(Lanes4{of(0), of(1), of(2), of(3)});
}
template <class To>
ARTHRON_INLINE void scatter(const Lanes& lanes, const To& to) {
  const Lanes4 four = four_of(lanes);
  to(0) = four[0], to(1) = four[1], to(2) = four[2], to(3) = four[3];
}

/// of(lane), a Wide3.
template <class Of>
ARTHRON_INLINE Vector3<Lanes> gather3(const Of& of) {
  const Square turned = Square{of(0).v, of(1).v, of(2).v, of(3).v}.turned();
  return {lanes_of(turned.a), lanes_of(turned.b), lanes_of(turned.c)};
}
template <class To>
ARTHRON_INLINE void scatter3(const Vector3<Lanes>& lanes, const To& to) {
  const Square turned = Square{four_of(lanes.x), four_of(lanes.y), four_of(lanes.z), Lanes4{0, 0, 0, 0}}.turned();
  to(0).v = turned.a, to(1).v = turned.b, to(2).v = turned.c, to(3).v = turned.d;
}

/// of(lane), a Wide6.
template <class Of>
ARTHRON_INLINE Spatial<Lanes> gather6(const Of& of) {
  return {gather3([&](int lane) -> const Wide3& { return of(lane).linear; }),
          gather3([&](int lane) -> const Wide3& { return of(lane).angular; })};
}
template <class To>
ARTHRON_INLINE void scatter6(const Spatial<Lanes>& lanes, const To& to) {
  scatter3(lanes.linear, [&](int lane) -> Wide3& { return to(lane).linear; });
  scatter3(lanes.angular, [&](int lane) -> Wide3& { return to(lane).angular; });
}

/// of(lane), a Spatial6; its numbers lie one behind the other.
template <class Of>
ARTHRON_INLINE Spatial<Lanes> gather_plain6(const Of& of) {
  const auto at = [&](int lane) { return reinterpret_cast<const double*>(&of(lane)); };
  const Square low = Square{four_at(at(0)), four_at(at(1)), four_at(at(2)), four_at(at(3))}.turned();
  const Square high = Square{four_at(at(0) + 2), four_at(at(1) + 2), four_at(at(2) + 2), four_at(at(3) + 2)}.turned();
  return {{lanes_of(low.a), lanes_of(low.b), lanes_of(low.c)}, {lanes_of(low.d), lanes_of(high.c), lanes_of(high.d)}};
}
template <class To>
ARTHRON_INLINE void scatter_plain6(const Spatial<Lanes>& lanes, const To& to) {
  const auto at = [&](int lane) { return reinterpret_cast<double*>(&to(lane)); };
  const Lanes4 z = four_of(lanes.linear.z), a = four_of(lanes.angular.x);
  const Square low = Square{four_of(lanes.linear.x), four_of(lanes.linear.y), z, a}.turned();
  const Square high = Square{z, a, four_of(lanes.angular.y), four_of(lanes.angular.z)}.turned();
  put_four(low.a, at(0)), put_four(low.b, at(1)), put_four(low.c, at(2)), put_four(low.d, at(3));
  put_four(high.a, at(0) + 2), put_four(high.b, at(1) + 2), put_four(high.c, at(2) + 2), put_four(high.d, at(3) + 2);
}

/// of(lane), a Pose<double>, likewise.
template <class Of>
ARTHRON_INLINE Pose<Lanes> gather_pose(const Of& of) {
  const auto part = [&](int first) {
    const auto at = [&](int lane) { return four_at(reinterpret_cast<const double*>(&of(lane)) + first); };
    return Square{at(0), at(1), at(2), at(3)}.turned();
  };
  const Square low = part(0), middle = part(4), high = part(8);
  return {{{lanes_of(low.a), lanes_of(low.b), lanes_of(low.c)},
           {lanes_of(low.d), lanes_of(middle.a), lanes_of(middle.b)},
           {lanes_of(middle.c), lanes_of(middle.d), lanes_of(high.a)}},
          {lanes_of(high.b), lanes_of(high.c), lanes_of(high.d)}};
}
template <class To>
ARTHRON_INLINE void scatter_pose(const Pose<Lanes>& X, const To& to) {
  const auto part = [&](int first, const Lanes& a, const Lanes& b, const Lanes& c, const Lanes& d) {
    const Square turned = Square{four_of(a), four_of(b), four_of(c), four_of(d)}.turned();
    const auto at = [&](int lane) { return reinterpret_cast<double*>(&to(lane)) + first; };
    put_four(turned.a, at(0)), put_four(turned.b, at(1)), put_four(turned.c, at(2)), put_four(turned.d, at(3));
  };
  part(0, X.R.c0.x, X.R.c0.y, X.R.c0.z, X.R.c1.x);
  part(4, X.R.c1.y, X.R.c1.z, X.R.c2.x, X.R.c2.y);
  part(8, X.R.c2.z, X.p.x, X.p.y, X.p.z);
}

/// to(lane), a WidePose or a WideSymmetric3.
template <class To>
ARTHRON_INLINE void scatter_wide_pose(const Pose<Lanes>& X, const To& to) {
  scatter3(X.R.c0, [&](int lane) -> Wide3& { return to(lane).R.c0; });
  scatter3(X.R.c1, [&](int lane) -> Wide3& { return to(lane).R.c1; });
  scatter3(X.R.c2, [&](int lane) -> Wide3& { return to(lane).R.c2; });
  scatter3(X.p, [&](int lane) -> Wide3& { return to(lane).p; });
}
template <class To>
ARTHRON_INLINE void scatter_symmetric3(const Symmetric3<Lanes>& S, const To& to) {
  std::array<Wide3, lane_count> diagonal, above;
  scatter3(Vector3<Lanes>{S.xx, S.yy, S.zz}, [&](int lane) -> Wide3& { return diagonal[lane]; });
  scatter3(Vector3<Lanes>{S.xy, S.yz, S.xz}, [&](int lane) -> Wide3& { return above[lane]; });
  for (int lane = 0; lane < lane_count; ++lane) to(lane) = {diagonal[lane].v, above[lane].v};
}

/// The same in all lanes.
ARTHRON_INLINE Vector3<Lanes> everywhere(const Wide3& a) { return {Lanes(a.v[0]), Lanes(a.v[1]), Lanes(a.v[2])}; }
ARTHRON_INLINE Matrix3<Lanes> everywhere(const WideMatrix3& m) { return {everywhere(m.c0), everywhere(m.c1), everywhere(m.c2)}; }
ARTHRON_INLINE Spatial<Lanes> everywhere(const Wide6& a) { return {everywhere(a.linear), everywhere(a.angular)}; }

/// Sums over the lanes.
ARTHRON_INLINE Wide3 sum_of(const Lanes& x, const Lanes& y, const Lanes& z) {
  const Square turned = Square{four_of(x), four_of(y), four_of(z), Lanes4{0, 0, 0, 0}}.turned();
  return Wide3((turned.a + turned.b) + (turned.c + turned.d));
}
ARTHRON_INLINE Wide6 sum_of(const Spatial<Lanes>& a) {
  return {sum_of(a.linear.x, a.linear.y, a.linear.z), sum_of(a.angular.x, a.angular.y, a.angular.z)};
}

/// Zeros in lanes that are not in use.
template <class OfLanes>
void leave_out(int branches, OfLanes& numbers) {
  Lanes* const first = reinterpret_cast<Lanes*>(&numbers);
  for (size_t i = 0; i < sizeof(OfLanes) / sizeof(Lanes); ++i)
    for (int lane = branches; lane < lane_count; ++lane) first[i].set(lane, 0);
}

}  // namespace arthron::simd_group
