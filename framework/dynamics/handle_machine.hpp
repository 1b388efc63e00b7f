#pragma once
#include <vector>

#include "arthron/dynamics/compound.hpp"
#include "arthron/dynamics/handle_box.hpp"

namespace arthron {

/// A row of boxes, the first on the ground at `X_WG`, each other one on the output of the one before. Their equations are joined as those
/// of compounds are (`join`); of no box anything else is asked.
class HandleMachine {
 public:
  HandleMachine(std::vector<std::unique_ptr<HandleBox>> boxes, const Pose<double>& X_WG);

  [[nodiscard]] int states() const { return states_; }
  [[nodiscard]] std::vector<double> start() const;
  /// (t, y) -> dy/dt.
  void rates(double t, const double* y, double* rate);
  /// How the last box's output moves, or its mount where it has none, at the last rates().
  [[nodiscard]] const HandleMotion& end() const { return motion_.back(); }

 private:
  std::vector<std::unique_ptr<HandleBox>> boxes_;
  Pose<double> X_WG_;
  int states_ = 0;
  std::vector<HandleMotion> motion_;   // of the mount of each box, then of the last output
  std::vector<Segment> own_, joined_;  // of each box; of it and all that hangs on it
  std::vector<Matrix6> N_;
};

}  // namespace arthron
