#pragma once
#include <algorithm>
#include <optional>

#include "arthron/component/force_definition.hpp"
#include "arthron/component/lane_force.hpp"
#include "arthron/component/numbers_on.hpp"

namespace arthron {

/// For force types that go lane by lane.
struct NotOnLanes {
  template <class Forces>
  NotOnLanes(const Forces&, LaneTimeFunctions&) {}
  static constexpr bool uses_rotation = true;
  [[nodiscard]] bool applies() const { return false; }
  template <class... Numbers>
  void load(const LaneInstant&, const Numbers*...) const {}
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

/// What an author's struct says of one force.
template <class F>
void load_and_rates(const F& force, const Instant& now, const HandleState* handles, const double* x, Spatial6* wrenches, double* xdot) {
  if constexpr (states_of<F>() > 0) {
    force.load(now, handles, x, wrenches);
    force.state_rates(now, handles, x, xdot);
  } else {
    force.load(now, handles, wrenches);
  }
}

/// Placements on a number type: on lanes one each, else the first.
template <class T>
struct PlacementOn {
  Matrix3<T> R;
  Vector3<T> p;
  T sign;

  explicit PlacementOn(const PerLane<const Placement*>& placements)
      : R{vector_of_lanes<T>([&](int lane) { return placements[lane]->X.R.c0; }),
          vector_of_lanes<T>([&](int lane) { return placements[lane]->X.R.c1; }),
          vector_of_lanes<T>([&](int lane) { return placements[lane]->X.R.c2; })},
        p(vector_of_lanes<T>([&](int lane) { return placements[lane]->X.p; })),
        sign(number_of_lanes<T>([&](int lane) { return placements[lane]->sign; })) {}

  [[nodiscard]] HandleStateOf<T> seen(const HandleStateOf<T>& h) const {
    return {sign * transposed_times(R, h.position - p),
            transpose(R) * (h.rotation * R),
            {sign * transposed_times(R, h.velocity.linear), transposed_times(R, h.velocity.angular)}};
  }
  [[nodiscard]] Spatial<T> wrench(const Spatial<T>& F) const { return {sign * (R * F.linear), R * F.angular}; }
};

template <class F>
class LaneForceBatchOf final : public LaneForceBatch {
 public:
  bool add(const PerLane<const ForceDefinition*>& definitions, const ForcePlace& place, const PerLane<const Placement*>& placements,
           LaneTimeFunctions& functions) override {
    const auto force = [&](std::size_t lane) { return &static_cast<const ForceDefinitionOf<F>&>(*definitions[lane]).force(); };
    const PerLane<const F*> forces = per_lane<const F*>(force);
    const bool as_drawn = frame_indifferent_of<F>() || std::all_of(placements.begin(), placements.end(),
                                                                   [](const Placement* placement) { return placement->is_identity(); });
    const int handles = static_cast<int>(definitions[0]->handles().size());
    items_.push_back({OnLanes(forces, functions), forces, placements, PlacementOn<Lanes>(placements), place, handles, as_drawn});
    return OnLanes::uses_rotation || !items_.back().law.applies();
  }

  [[nodiscard]] bool on_lanes() const override {
    return std::all_of(items_.begin(), items_.end(), [](const Item& item) { return item.law.applies(); });
  }

  void load(const LaneInstant& now, const LaneForceWork& work) const override {
    for (const Item& item : items_) {
      if (item.law.applies())
        load_lanes(item, now, work);
      else
        load_each(item, now, work);
    }
  }

 private:
  using OnLanes = typename OnLanesOf<F>::Type;
  struct Item {
    OnLanes law;
    PerLane<const F*> forces;
    PerLane<const Placement*> placements;
    PlacementOn<Lanes> placement;
    ForcePlace place;
    int handles;
    bool as_drawn;  // in all variants
  };

  static void load_lanes(const Item& item, const LaneInstant& now, const LaneForceWork& work) {
    const HandleStateOf<Lanes>* const handles = work.handles + item.place.handle;
    Spatial<Lanes>* const wrenches = work.wrenches + item.place.handle;
    const auto load = [&](const HandleStateOf<Lanes>* seen) {
      if constexpr (states_of<F>() == 0)
        item.law.load(now, seen, wrenches);
      else
        item.law.load(now, seen, work.x + item.place.state, wrenches, work.xdot + item.place.state);
    };
    if (item.as_drawn) return load(handles);
    HandleStateOf<Lanes>* const drawn = work.room.drawn.data();
    for (int i = 0; i < item.handles; ++i) drawn[i] = item.placement.seen(handles[i]);
    load(drawn);
    for (int i = 0; i < item.handles; ++i) wrenches[i] = item.placement.wrench(wrenches[i]);
  }

  static void load_each(const Item& item, const LaneInstant& now, const LaneForceWork& work) {
    HandleState* const handles = work.room.handles.data();
    Spatial6* const wrenches = work.room.wrenches.data();
    double *const x = work.room.x.data(), *const xdot = work.room.xdot.data();
    for (int lane = 0; lane < lane_count; ++lane) {
      const Placement& placement = *item.placements[lane];
      get_lane(work.handles + item.place.handle, lane, handles, item.handles);
      get_lane(work.x + item.place.state, lane, x, states_of<F>());
      if (!item.as_drawn)
        for (int i = 0; i < item.handles; ++i) handles[i] = seen_from(placement, handles[i]);
      load_and_rates(*item.forces[lane], now.of(lane), handles, x, wrenches, xdot);
      if (!item.as_drawn)
        for (int i = 0; i < item.handles; ++i) wrenches[i] = placement.wrench(wrenches[i]);
      set_lane(work.wrenches + item.place.handle, lane, wrenches, item.handles);
      set_lane(work.xdot + item.place.state, lane, xdot, states_of<F>());
    }
  }

  std::vector<Item> items_;
};

}  // namespace arthron
