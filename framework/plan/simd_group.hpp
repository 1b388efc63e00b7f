#pragma once
#include <array>
#include <vector>

#include "arthron/spatial/lane_count.hpp"
#include "arthron/spatial/vector3.hpp"

/// Branches of the tree that are alike, as the corners of a car or the legs of a robot are: the same bodies, joints and cut joints with
/// numbers of their own. They are computed side by side, one to a SIMD lane.
namespace arthron {

/// A number of every branch.
using PerBranch = std::array<int, static_cast<std::size_t>(lane_count)>;

/// One body of every branch, with its inboard joint (see PlanBody).
struct GroupBody {
  PerBranch body, parent;  // body numbers
  PerBranch joint, q, u;
  int on = -1;      // the group's body that carries it; -1: a carrier,
  int carrier = 0;  // this one
  int columns = 0;  // of each
  int column = 0;   // the first of them among the group's
  // By its one coordinate it turns about `axis` or slides along it, in F axes; where it does neither, its joint's batch says how it moves.
  bool turns = false, slides = false;
  bool aligned = true;        // R_PF = 1
  bool moves_handle = false;  // its joint moves O over the parent
  bool leaf = true, folds_first = false;
  bool driven = false;  // its columns are known
  bool light = false;   // see PlanBody
  std::array<Vec3, static_cast<std::size_t>(lane_count)> axis;
};

/// A cut joint of every branch, with one side or both on bodies of the branch; or a coupling of joints of the branch.
struct GroupCut {
  /// What it holds: a point of the child on the parent, its directions being those of the world; a point of the child at a distance from
  /// `end` of the parent; what its joint's batch says; or a sum of joint velocities.
  enum class Holds : unsigned char { point, length, directions, coupling };
  PerBranch closure, parent, child;   // closures, body numbers
  int parent_on = -1, child_on = -1;  // the group's bodies; -1: outside
  int rows = 0;
  bool varies = false;  // its directions change as it moves
  Holds holds = Holds::directions;
  std::array<Vec3, static_cast<std::size_t>(lane_count)> end;  // in the parent's axes
  int node = 0, row = 0;                                       // where its multipliers are found, and its first row there

  static constexpr int most_rows = 6;
};

/// Cut joints that are complete at a body, or stay open through its inboard joint: their rows, complete ones first. Nodes of bodies farther
/// out pass their open rows on to this one before its own sides are added; whoever comes first writes, the others add.
struct GroupNode {
  struct Side {
    int cut, row;
    bool child, first;
  };
  /// An open row, and which row it is in the node that it is passed on to.
  struct Passed {
    int row;
    bool first;
  };
  /// What two open rows have in common: its place in Gamma here, and there.
  struct PassedPair {
    int from, to;
    bool first;
  };
  int rows = 0, closing = 0;
  int first = 0, gamma = 0, y = 0;  // where its numbers begin among the group's: rows, Gamma (rows x rows), y (columns x open rows)
  std::vector<int> cut_of_row;
  std::vector<Side> sides;  // on its body
  int onward = -1;          // the node that its open rows are passed on to; -1: they leave the group
  std::vector<Passed> passed;
  std::vector<PassedPair> passed_pairs;
  std::vector<int> apart;  // places in Gamma, not below the diagonal, that nobody passes anything to
  std::vector<int> blank;  // rows that nobody writes: of couplings that begin here
  /// A coupled joint: column of the inboard joint, row of its coupling, and where its coefficient is.
  struct Term {
    int column, row, coefficient;
  };
  std::vector<Term> terms;

  [[nodiscard]] int open() const { return rows - closing; }
  /// Of two rows, the first not behind the second.
  [[nodiscard]] int place(int r, int s) const { return r * rows + s; }
};

/// A force of every branch, on bodies of the branch and on others.
struct GroupForce {
  PerBranch force;      // in the Model's order
  std::vector<int> on;  // per handle, the group's body it is on; -1: outside
};

struct SimdGroup {
  int branches = 0;               // lanes that are in use; the others repeat the first
  int carrier = 0;                // the body that they hang on
  bool grounded = false;          // they hang on grounds, whose motion is known: no more than closures comes together there
  std::vector<GroupBody> bodies;  // every body after the one that carries it
  std::vector<GroupCut> cuts;
  std::vector<GroupForce> forces;
  std::vector<GroupNode> nodes;  // of the bodies, then of the carrier: what the branch's cut joints have among themselves there
  int columns = 0, rows = 0, gamma_size = 0, y_size = 0;
  // Per branch, the closure node through which its open cut joints go to the carrier, -1: none; and which rows they are there.
  PerBranch passes;
  std::vector<PerBranch> passed_rows;

  [[nodiscard]] const GroupNode& top() const { return nodes.back(); }
};

}  // namespace arthron
