#pragma once
#include <span>

#include "arthron/dynamics/workspace.hpp"

namespace arthron {

/// Coordinates of cut joints with all their turns. A pose tells the coordinate of a joint that turns up to whole turns alone, so it is
/// followed: from where it was known last, which the caller remembers, along the straight line between the coordinates of the tree's joints
/// and grounds there and now, in pieces in which no cut joint turns by half a turn. So the turns depend on no rate, and on no other
/// evaluation. Where the axes of a loop are parallel, the line leads to the right turn however long it is; elsewhere the coordinates of a
/// loop are no straight lines in time, and the steps of an integrator that are accepted are short.
class CutTurns {
 public:
  /// Joints whose coordinates the equations of motion or the openings need, or all others, which are only looked at.
  enum class Of { motion, looks };
  CutTurns(const Plan& plan, Of of);

  /// Numbers that are to be remembered: time, coordinates of the cut joints and their rates, all other coordinates. None where there are no
  /// such joints.
  [[nodiscard]] std::size_t size() const;
  /// Remembers the coordinates that the workspace holds, at time t, those of the cut joints after having found them from there.
  void start(double t, std::span<double> memory, Workspace& work);
  /// Puts the cut joints of the workspace near to where they are at coordinates q of the tree, from where the search for them finds them.
  /// Leaves the bodies anywhere.
  void lead(double t, const double* q, std::span<const double> memory, Workspace& work);
  /// Remembers where the search in the workspace has found the cut joints, at coordinates q.
  void keep(double t, const double* q, std::span<double> memory, Workspace& work);
  /// Finds them at coordinates q and remembers that, where they may have turned far since the last time. Leaves the bodies anywhere.
  void follow(double t, const double* q, std::span<double> memory, Workspace& work);

 private:
  /// A joint of the tree on a loop, or a ground: where its coordinates are.
  struct Way {
    int q, nq, u;
    bool plain;  // a coordinate a velocity column
  };
  struct Cut {
    int closure, q, nq, u;
    int memory;  // of its first coordinate
    bool plain, tracked;
    double per_length;  // of the link that it stands for, which turns while its ends slide [1/m]; else 0
    Slice ways, grounds;
  };

  void find_ways(const PlanClosure& closure, Cut& cut);
  void find_target(double t, const double* q, Workspace& work);
  /// At least the angle by which the cut joint turns on the way [rad].
  [[nodiscard]] double turning(const Cut& cut, std::span<const double> memory, const Workspace& work) const;
  /// Coordinates as they would be with the rates remembered; in how many pieces the way has to be divided.
  [[nodiscard]] int guess(double t, std::span<const double> memory, Workspace& work) const;
  /// The first `count` of `pieces` pieces of the way.
  void walk(std::span<const double> memory, int pieces, int count, Workspace& work);
  void place(std::span<const double> memory, double part, Workspace& work);
  void store(double t, std::span<double> memory, const Workspace& work) const;
  [[nodiscard]] std::size_t others() const { return 1 + 2 * static_cast<std::size_t>(coordinates_); }

  const Plan& plan_;
  Of of_;
  std::vector<Cut> cuts_;
  std::vector<Way> ways_;
  std::vector<int> ground_ways_;  // places of moving grounds
  std::vector<int> moving_;       // grounds
  int coordinates_ = 0;           // of the cut joints
  int tree_ = 0;                  // coordinates of the tree's joints
  bool prescribed_ = false;       // some coordinate on the ways is a function of time
  std::vector<double> target_;    // coordinates of the tree's joints, then translation and rotation of the moving grounds
  std::vector<Pose<double>> X_FM_;
  std::vector<Spatial6> H_F_;
};

}  // namespace arthron
