#pragma once
#include "arthron/component/force.hpp"
#include "arthron/component/lane_time_functions.hpp"

/// Forces of variants of one plan, a SIMD lane each. Any force type works there, lane by lane. One whose author wants it faster names
///   using OnLanes = L;      with   L(const PerLane<const F*>& forces, LaneTimeFunctions& functions);
///                                  bool applies() const;                              false: lane by lane after all
///                                  static constexpr bool uses_rotation;               whether it reads HandleState::rotation
///                                  void load(const LaneInstant&, const HandleStateOf<Lanes>*, Spatial<Lanes>* wrench) const;
/// in its struct F; of a type with internal states
///                                  void load(const LaneInstant&, const HandleStateOf<Lanes>*, const Lanes* x, Spatial<Lanes>* wrench,
///                                            Lanes* xdot) const;
/// What L keeps is gathered from the structs of all variants, since their numbers may differ.
namespace arthron {

/// Room for the numbers of one force: as its drawing sees them, and in a single lane.
struct LaneForceRoom {
  std::vector<HandleStateOf<Lanes>> drawn;
  std::vector<HandleState> handles;
  std::vector<Spatial6> wrenches;
  std::vector<double> x, xdot;
};

/// What forces read and write on lanes: per handle, and per internal state.
struct LaneForceWork {
  const HandleStateOf<Lanes>* handles;
  const Lanes* x;
  Spatial<Lanes>* wrenches;
  Lanes* xdot;
  LaneForceRoom& room;  // for every force of the plan
};

/// ForceBatch on lanes.
class LaneForceBatch {
 public:
  virtual ~LaneForceBatch() = default;
  /// The definitions and placements of one force in all variants. True when the rotations of its handles are wanted.
  virtual bool add(const PerLane<const ForceDefinition*>& definitions, const ForcePlace& place, const PerLane<const Placement*>& placements,
                   LaneTimeFunctions& functions) = 0;
  virtual void load(const LaneInstant& now, const LaneForceWork& work) const = 0;
  /// False when some force goes lane by lane.
  [[nodiscard]] virtual bool on_lanes() const = 0;
};

}  // namespace arthron
