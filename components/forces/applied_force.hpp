#pragma once
#include "arthron/component/lane_force.hpp"

namespace arthron {

/// Force and torque on one body as functions of time, acting at a point; components along the file's axes, or along the body's own.
struct AppliedForce {
  static constexpr std::string_view type = "force";
  std::vector<TimeFunction> force, torque;  // 3 each, or empty [N], [N m]
  bool follows_body;

  class OnLanes;

  static AppliedForce parse(const JsonReader& in);
  void load(const Instant& now, const HandleState* h, Spatial6* wrench) const;
};

class AppliedForce::OnLanes {
 public:
  OnLanes(const PerLane<const AppliedForce*>& forces, LaneTimeFunctions& functions);
  static constexpr bool uses_rotation = true;
  [[nodiscard]] bool applies() const { return applies_; }
  void load(const LaneInstant& now, const HandleStateOf<Lanes>* h, Spatial<Lanes>* wrench) const;

 private:
  std::array<std::size_t, 6> functions_;
  bool follows_body_, applies_;  // all variants use the same axes
};

}  // namespace arthron
