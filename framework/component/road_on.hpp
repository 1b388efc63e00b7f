#pragma once
#include <algorithm>
#include <optional>

#include "arthron/component/expression_surface.hpp"
#include "arthron/component/lane_surface.hpp"
#include "arthron/component/nearest_point.hpp"
#include "arthron/component/numbers_on.hpp"

namespace arthron {

/// Roads on a number type T: on Lanes one each, else the first of them. Planes are those that Road finds, to rounding.
template <class T>
class RoadOn {
 public:
  explicit RoadOn(const PerLane<const Road*>& roads) {
    flat_ = std::all_of(roads.begin(), roads.end(), [](const Road* road) { return road->is_flat(); });
    const bool none = std::any_of(roads.begin(), roads.end(), [](const Road* road) { return road->is_flat(); });
    if (flat_) {
      const PerLane<Road::Plane> planes = per_lane<Road::Plane>([&](std::size_t lane) { return roads[lane]->below({}, 0); });
      plane_.point = vector_of_lanes<T>([&](int lane) { return planes[lane].point; });
      plane_.normal = vector_of_lanes<T>([&](int lane) { return planes[lane].normal; });
      return;
    }
    if (none) return;
    const PerLane<const Expression*> heights = per_lane<const Expression*>([&](std::size_t lane) { return &*roads[lane]->height(); });
    if constexpr (std::is_same_v<T, Lanes>) {
      if (LaneSurface::applies(heights)) surface_.emplace(heights);
    } else {
      surface_.emplace(*heights[0]);
    }
    const auto placement = [&](int lane) { return roads[lane]->placement().value_or(Placement{}); };
    R_ = {vector_of_lanes<T>([&](int lane) { return placement(lane).X.R.c0; }),
          vector_of_lanes<T>([&](int lane) { return placement(lane).X.R.c1; }),
          vector_of_lanes<T>([&](int lane) { return placement(lane).X.R.c2; })};
    p_ = vector_of_lanes<T>([&](int lane) { return placement(lane).X.p; });
    sign_ = number_of_lanes<T>([&](int lane) { return placement(lane).sign; });
  }

  /// False where the surfaces are so different that they have to be asked one by one.
  [[nodiscard]] bool applies() const { return flat_ || surface_; }

  /// Road::nearest_across.
  [[nodiscard]] RoadPlane<T> nearest_across(const Vector3<T>& axis, const Vector3<T>& p, double t) const {
    if (flat_) return plane_;
    const Vector3<T> turned = sign_ * (R_ * axis);
    return nearest_to(p, &turned, t);
  }
  /// Road::nearest.
  [[nodiscard]] RoadPlane<T> nearest(const Vector3<T>& p, double t) const { return flat_ ? plane_ : nearest_to(p, nullptr, t); }

 private:
  using Surface = std::conditional_t<std::is_same_v<T, Lanes>, LaneSurface, ExpressionSurface<T>>;

  ARTHRON_FLATTEN [[gnu::noinline]] RoadPlane<T> nearest_to(const Vector3<T>& p, const Vector3<T>* axis, double t) const {
    NearestPoint<T, Surface> search(*surface_, p_ + sign_ * (R_ * p), axis, T(t));
    search.find();
    const RoadPlane<T> plane = search.plane();
    const auto back = [&](const Vector3<T>& v) { return sign_ * transposed_times(R_, v); };
    return {back(plane.point - p_), back(plane.normal), back(plane.velocity)};
  }

  bool flat_ = false;
  RoadPlane<T> plane_{};  // of flat ones
  std::optional<Surface> surface_;
  Matrix3<T> R_;  // of the placements
  Vector3<T> p_;
  T sign_{};
};

}  // namespace arthron
