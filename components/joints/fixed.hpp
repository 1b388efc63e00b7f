#pragma once
#include "arthron/component/joint.hpp"

namespace arthron {

/// No relative motion.   X = { 1, 0 }
struct FixedJoint {
  static constexpr std::string_view type = "fixed";
  static constexpr int nq = 0, nu = 0;
  static constexpr std::array<ColumnShape, 0> shapes{};
  static constexpr bool branchless = true;

  static FixedJoint parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T*) const {
    return {};
  }
  template <class T>
  void subspace(const T*, Spatial<T>*) const {}
  friend bool operator==(const FixedJoint&, const FixedJoint&) = default;
};

}  // namespace arthron
