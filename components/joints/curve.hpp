#pragma once
#include <memory>
#include <optional>

#include "arthron/component/joint.hpp"
#include "arthron/component/spline.hpp"
#include "arthron/spatial/rotation_vector.hpp"

namespace arthron {

/// Slide along a smooth curve through points of the parent: a cam track, a roller-coaster rail.
///   X(s) = { R(s), p(s) },  s the length along the curve from its first point, where the child is drawn
/// R(s) is 1 (the child keeps its axes), or has x along the curve and z as near to `up` as that allows, turned about the curve by `bank`,
/// or is exp(theta~) of rotation vectors theta given at the points. Open curves go on straight beyond their ends; closed ones repeat.
struct CurveJoint {
  static constexpr std::string_view type = "curve";
  static constexpr int nq = 1, nu = 1;
  static constexpr std::array<std::string_view, 1> units{"m"};
  std::shared_ptr<const Spline> path;
  std::shared_ptr<const Spline> turn;  // (bank, 0, 0) along the curve, or rotation vectors; none where the axes are kept
  std::optional<Vec3> up;              // given: x is along the curve

  static CurveJoint parse(const JsonReader& in);

  template <class T>
  Pose<T> pose(const T* q) const {
    const Spline::Sample<T> at = path->at(q[0]);
    if (up) return {along(at.slope, turn->at(q[0]).value.x), at.value};
    if (turn) return {rotation_of(turn->at(q[0]).value), at.value};
    return {Matrix3<T>::identity(), at.value};
  }

 private:
  template <class T>
  [[nodiscard]] Matrix3<T> along(const Vector3<T>& tangent, const T& bank) const {
    using std::cos, std::sin;
    const Vector3<T> x = normalized(tangent), y = normalized(cross(cast<T>(*up), x)), z = cross(x, y);
    const T c = cos(bank), s = sin(bank);
    return {x, c * y + s * z, c * z - s * y};
  }
};

}  // namespace arthron
