#pragma once
#include <algorithm>
#include <array>
#include <optional>

#include "arthron/component/force_definition.hpp"
#include "arthron/component/lane_force.hpp"
#include "arthron/spatial/lane_math.hpp"

namespace arthron {

/// For force types that go lane by lane.
struct NotOnLanes {
  template <class Forces>
  NotOnLanes(const Forces&, LaneTimeFunctions&) {}
  static constexpr bool uses_rotation = true;
  [[nodiscard]] bool applies() const { return false; }
  void load(const LaneInstant&, const HandleStateOf<Lanes>*, Spatial<Lanes>*) const {}
};

template <class F>
struct OnLanesOf {
  using Type = NotOnLanes;
};
template <class F>
requires requires { typename F::OnLanes; }
struct OnLanesOf<F> {
  using Type = typename F::OnLanes;
};

/// Placement on lanes.
struct LanePlacement {
  Matrix3<Lanes> R;
  Vector3<Lanes> p;
  Lanes sign;

  [[nodiscard]] HandleStateOf<Lanes> seen(const HandleStateOf<Lanes>& h) const {
    return {sign * transposed_times(R, h.position - p),
            transpose(R) * (h.rotation * R),
            {sign * transposed_times(R, h.velocity.linear), transposed_times(R, h.velocity.angular)}};
  }
  [[nodiscard]] Spatial<Lanes> wrench(const Spatial<Lanes>& F) const { return {sign * (R * F.linear), R * F.angular}; }
};

template <class F>
class LaneForceBatchOf final : public LaneForceBatch {
 public:
  bool add(const PerLane<const ForceDefinition*>& definitions, int first_handle, const PerLane<const Placement*>& placements,
           LaneTimeFunctions& functions) override {
    const auto force = [&](std::size_t lane) { return &static_cast<const ForceDefinitionOf<F>&>(*definitions[lane]).force(); };
    const PerLane<const F*> forces = per_lane<const F*>(force);
    const bool as_drawn = frame_indifferent_of<F>() || std::all_of(placements.begin(), placements.end(),
                                                                   [](const Placement* placement) { return placement->is_identity(); });
    LanePlacement together;
    for (int lane = 0; lane < lane_count; ++lane) {
      const Placement& own = *placements[static_cast<std::size_t>(lane)];
      set_lane(&together.R, lane, &own.X.R, 1), set_lane(&together.p, lane, &own.X.p, 1), together.sign.set(lane, own.sign);
    }
    items_.push_back({OnLanes(forces, functions), forces, placements, together, first_handle,
                      static_cast<int>(definitions[0]->handles().size()), as_drawn});
    return OnLanes::uses_rotation || !items_.back().law.applies();
  }

  void load(const LaneInstant& now, const HandleStateOf<Lanes>* states, Spatial<Lanes>* wrenches) const override {
    for (const Item& item : items_) {
      if (item.law.applies())
        load_lanes(item, now, states + item.handle, wrenches + item.handle);
      else
        load_each(item, now, states + item.handle, wrenches + item.handle);
    }
  }

 private:
  using OnLanes = typename OnLanesOf<F>::Type;
  struct Item {
    OnLanes law;
    PerLane<const F*> forces;
    PerLane<const Placement*> placements;
    LanePlacement placement;
    int handle, handles;
    bool as_drawn;  // in all variants
  };

  static void load_lanes(const Item& item, const LaneInstant& now, const HandleStateOf<Lanes>* states, Spatial<Lanes>* wrenches) {
    if (item.as_drawn) return item.law.load(now, states, wrenches);
    std::array<HandleStateOf<Lanes>, max_handles> seen;
    for (int i = 0; i < item.handles; ++i) seen[static_cast<std::size_t>(i)] = item.placement.seen(states[i]);
    item.law.load(now, seen.data(), wrenches);
    for (int i = 0; i < item.handles; ++i) wrenches[i] = item.placement.wrench(wrenches[i]);
  }

  static void load_each(const Item& item, const LaneInstant& now, const HandleStateOf<Lanes>* states, Spatial<Lanes>* wrenches) {
    for (int lane = 0; lane < lane_count; ++lane) {
      const Placement& placement = *item.placements[static_cast<std::size_t>(lane)];
      std::array<HandleState, max_handles> own;
      std::array<Spatial6, max_handles> wrench;
      get_lane(states, lane, own.data(), item.handles);
      if (!item.as_drawn)
        for (int i = 0; i < item.handles; ++i) own[static_cast<std::size_t>(i)] = seen_from(placement, own[static_cast<std::size_t>(i)]);
      item.forces[static_cast<std::size_t>(lane)]->load(now.of(lane), own.data(), wrench.data());
      if (!item.as_drawn)
        for (int i = 0; i < item.handles; ++i) wrench[static_cast<std::size_t>(i)] = placement.wrench(wrench[static_cast<std::size_t>(i)]);
      set_lane(wrenches, lane, wrench.data(), item.handles);
    }
  }

  std::vector<Item> items_;
};

}  // namespace arthron
