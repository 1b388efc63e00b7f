#pragma once
#include <concepts>

#include "arthron/component/lane_joint.hpp"
#include "arthron/component/placed_joint.hpp"
#include "arthron/spatial/lane_math.hpp"

namespace arthron {

template <class J>
constexpr bool branchless_of() {
  if constexpr (requires { J::branchless; }) return J::branchless;
  return false;
}

/// Joints of one type on lanes. One that is the same in all variants, as most are, runs on lanes where its type can; else lane by lane.
template <class J>
class LaneJointBatchOf final : public LaneJointBatch {
 public:
  void add(const PerLane<const JointDefinition*>& definitions, const JointSlot& slot) override {
    const auto placed = [&](std::size_t lane) {
      return PlacedJoint<J>{static_cast<const JointDefinitionOf<J>&>(*definitions[lane]).joint(), slot};
    };
    items_.push_back({per_lane<PlacedJoint<J>>(placed), slot, false});
    if constexpr (branchless_of<J>()) {
      static_assert(std::equality_comparable<J>, "a branchless joint has an operator==, so that equal ones share their lanes");
      Item& item = items_.back();
      item.together = std::all_of(item.joints.begin(), item.joints.end(),
                                  [&](const PlacedJoint<J>& other) { return item.joints[0].joint == other.joint; });
    }
  }

  void constants(Pose<Lanes>* X, Spatial<Lanes>* H) const override {
    for (const Item& item : items_) {
      X[item.slot.joint] = {};
      if constexpr (constant_subspace_of<J>()) {
        each_lane(item, [&](const PlacedJoint<J>& joint, int lane) {
          Columns columns;
          joint.constant_subspace(columns.data());
          set_lane(H + item.slot.u, lane, columns.data(), J::nu);
        });
      }
    }
  }

  ARTHRON_FLATTEN void position(const Lanes* q, Pose<Lanes>* X, Spatial<Lanes>* H) const override {
    for (const Item& item : items_) {
      const Lanes* qj = q + item.slot.q;
      Pose<Lanes>& pose = X[item.slot.joint];
      Spatial<Lanes>* columns = H + item.slot.u;
      if (on_lanes(item, [&](const auto& joint) { joint.position(qj, pose, columns); })) continue;
      each_lane(item, [&](const PlacedJoint<J>& joint, int lane) {
        Coordinates q_lane;
        Pose<double> X_lane;
        Columns H_lane;
        get_lane(qj, lane, q_lane.data(), J::nq);
        joint.position(q_lane.data(), X_lane, H_lane.data());
        set_lane(&pose, lane, &X_lane, 1);
        if (!constant_subspace_of<J>() || item.slot.reversed) set_lane(columns, lane, H_lane.data(), J::nu);
      });
    }
  }

  ARTHRON_FLATTEN void rate(const Lanes* q, const Lanes* u, Spatial<Lanes>* Hdot) const override {
    for (const Item& item : items_) {
      const Lanes *qj = q + item.slot.q, *uj = u + item.slot.u;
      Spatial<Lanes>* rates = Hdot + item.slot.u;
      if (on_lanes(item, [&](const auto& joint) { joint.rate(qj, uj, rates); })) continue;
      each_lane(item, [&](const PlacedJoint<J>& joint, int lane) {
        Coordinates q_lane, u_lane;
        Columns Hdot_lane;
        get_lane(qj, lane, q_lane.data(), J::nq), get_lane(uj, lane, u_lane.data(), J::nu);
        joint.rate(q_lane.data(), u_lane.data(), Hdot_lane.data());
        set_lane(rates, lane, Hdot_lane.data(), J::nu);
      });
    }
  }

  ARTHRON_FLATTEN void coordinate_rate(const Lanes* q, const Lanes* u, Lanes* qdot) const override {
    for (const Item& item : items_) {
      const Lanes *qj = q + item.slot.q, *uj = u + item.slot.u;
      Lanes* rates = qdot + item.slot.q;
      if (on_lanes(item, [&](const auto& joint) { joint.coordinate_rate(qj, uj, rates); })) continue;
      each_lane(item, [&](const PlacedJoint<J>& joint, int lane) {
        Coordinates q_lane, u_lane, qdot_lane;
        get_lane(qj, lane, q_lane.data(), J::nq), get_lane(uj, lane, u_lane.data(), J::nu);
        joint.coordinate_rate(q_lane.data(), u_lane.data(), qdot_lane.data());
        set_lane(rates, lane, qdot_lane.data(), J::nq);
      });
    }
  }

  void normalise([[maybe_unused]] Lanes* q, [[maybe_unused]] int count) const override {
    if constexpr (requires(const J& joint, double* qj) { joint.normalise(qj); }) {
      for (const Item& item : items_) {
        if (item.slot.q >= count) continue;
        each_lane(item, [&](const PlacedJoint<J>& joint, int lane) {
          Coordinates q_lane;
          get_lane(q + item.slot.q, lane, q_lane.data(), J::nq);
          joint.joint.normalise(q_lane.data());
          set_lane(q + item.slot.q, lane, q_lane.data(), J::nq);
        });
      }
    }
  }

 private:
  using Coordinates = std::array<double, static_cast<std::size_t>(std::max(J::nq, 1))>;
  using Columns = std::array<Spatial6, static_cast<std::size_t>(std::max(J::nu, 1))>;
  struct Item {
    PerLane<PlacedJoint<J>> joints;
    JointSlot slot;
    bool together;  // they are one joint, and its type runs on lanes
  };

  /// False when the joint has to go lane by lane.
  template <class Call>
  static bool on_lanes([[maybe_unused]] const Item& item, [[maybe_unused]] const Call& call) {
    if constexpr (branchless_of<J>())
      if (item.together) call(item.joints[0]);
    return item.together;
  }

  template <class Call>
  static void each_lane(const Item& item, const Call& call) {
    for (int lane = 0; lane < lane_count; ++lane) call(item.joints[lane], lane);
  }

  std::vector<Item> items_;
};

}  // namespace arthron
