#pragma once
#include <memory>
#include <string>
#include <vector>

#include "arthron/core/slice.hpp"
#include "arthron/plan/modules.hpp"
#include "arthron/plan/simd_group.hpp"

/// How the tree of bodies is assembled: parts that are carried or joined, and branches that go on SIMD lanes together.
namespace arthron {

/// How phase one is eliminated: leaf to root, long rows of parts joined where that pays; in pairs, every body a part that is joined to its
/// carrier wherever no loop runs along between them; or by subsystems, each by itself and all joined (modules.hpp).
enum class Elimination { fold, pair, modular };

/// Some joints or forces of one batch.
struct BatchSlice {
  int batch = 0;
  Slice items;
};

/// A side of a cut joint.
struct CutSide {
  int closure = 0;
  bool child = false;
};

/// Bodies that are computed together, by one thread at a time: they hang on one body of another part, or on grounds. The numbers depend on
/// how a tree is divided, by rounding, but not on who computes which part when. What acts on bodies of several parts is shared.
struct PlanPart {
  Slice bodies, q, u;        // and, of their free joints, coordinates and velocity columns
  int carrier = -1;          // the part it hangs on, -1 for grounds
  int on = -1;               // the body it hangs on
  bool joined = false;       // to its carrier's two-handle equations, once both are folded; else it folds into its carrier
  int tip = -1;              // the body on which the joined part hangs that it carries, -1: none
  std::vector<int> carried;  // parts that hang on it
  int ground_node = -1;      // closure node of the loops that come together on the ground and within the part
  double cost = 0;           // expected, of one evaluation [ns]
  Slice loaded_joints, driven_joints, cuts, handles, group_handles;
  Slice turns, group_turns;
  std::vector<BatchSlice> joints, placed_joints, varying_joints, cut_joints, forces;  // placed_joints: other than turns and slides
  std::vector<int> groups;
  std::vector<Slice> ungrouped;                                    // bodies in no SIMD group
  std::vector<BatchSlice> group_joints, group_cuts, group_forces;  // what groups compute, for when they are not grouped
  // Of the shared cut joints and forces, what acts on its bodies.
  std::vector<CutSide> shared_sides;
  std::vector<int> shared_handles;
  std::vector<int> marker_handles;
  std::vector<int> couplings;  // closures, of joints of its bodies alone
};

/// Joins two compounds of one chain, a row of parts joined to one another. Compounds are numbered: parts first, then joins.
struct SegmentJoin {
  int near = 0, far = 0;
};
struct SegmentChain {
  std::vector<int> parts;  // from the root outward
  Slice joins;             // inner ones first; the last one holds all parts
  int on = -1;             // the body it hangs on
};
struct CompoundPlan {
  Elimination elimination = Elimination::fold;
  std::vector<PlanPart> parts;                                 // every part after its carrier; behind them `shared`
  std::vector<int> part_of_body;                               // -1: a ground
  std::shared_ptr<const std::vector<std::string>> part_names;  // as tasks and profiles call them; the last one's is "shared"
  std::vector<SegmentJoin> joins;
  std::vector<SegmentChain> chains;
  std::vector<SimdGroup> groups;
  ModulePlan modules;  // only in elimination by subsystems
};

}  // namespace arthron
