#pragma once
#include "arthron/component/force.hpp"

namespace arthron {

/// Force and torque on one body as functions of time, acting at a point; components along the file's axes, or along the body's own.
struct AppliedForce {
  static constexpr std::string_view type = "force";
  std::vector<TimeFunction> force, torque;  // 3 each, or empty [N], [N m]
  bool follows_body;

  static AppliedForce parse(const JsonReader& in);
  void load(const Instant& now, const HandleState* h, Spatial6* wrench) const;
};

}  // namespace arthron
