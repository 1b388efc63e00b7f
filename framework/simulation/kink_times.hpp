#pragma once
#include <limits>
#include <vector>

#include "arthron/component/kinks.hpp"
#include "arthron/model/model.hpp"

namespace arthron {

/// The kinks of all that a model prescribes: motions of driven joints and of grounds. Found as far ahead as anybody has looked.
class KinkTimes {
 public:
  KinkTimes(const Model& model, double until);
  /// Finds those up to t.
  void look_until(double t);
  /// No kink has been found.
  [[nodiscard]] bool none() const { return kinks_.empty(); }
  struct Around {
    Kink before, ahead;  // infinitely far away where there is none
  };
  /// The last one up to t, and the first behind it.
  [[nodiscard]] Around around(double t) const;

 private:
  std::vector<const TimeFunction*> functions_;
  std::vector<Kink> kinks_;  // in order
  double seen_ = 0;          // up to here [s]
};

}  // namespace arthron
