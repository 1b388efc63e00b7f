#pragma once
#include <array>
#include <vector>

#include "arthron/plan/simd_group.hpp"
#include "arthron/spatial/inertia.hpp"
#include "arthron/spatial/lanes.hpp"

/// Numbers of a SimdGroup on a number type T: Lanes, a compound each, or any other scalar that the algebra runs on.
namespace arthron {

/// Constants of a GroupBody.
template <class T>
struct GroupBodyGiven {
  Vector3<T> axis, p_PF;
  Matrix3<T> R_PF;
  T mass;
  Vector3<T> first_moment;
  Symmetric3<T> second_moment;
};

/// BodyWork of a group.
template <class T>
struct GroupBodyWork {
  Pose<T> X_WB;
  Vector3<T> arm, first_moment;
  Symmetric3<T> second_moment;
  Inertia<T> M_children;
  Spatial<T> bias_children, V, P, Q;
};
using LaneBodyWork = GroupBodyWork<Lanes>;

template <class T>
struct GroupColumnWork {
  Spatial<T> H, U;
  T d_inverse, u_at_rest;
};
using LaneColumnWork = GroupColumnWork<Lanes>;

template <class T>
struct GroupCutWork {
  Pose<T> X_PF, X_CM;
  Vector3<T> end;  // GroupCut::end
  T length;        // ClosureWork::scale
  T least_trace;   // below it, a closure may add nothing to the others
  Vector3<T> arm_child, arm_parent;
  Vector3<T> arm_end;  // from the parent's O, where it holds a length,
  T link_inverse;      // and one over that
  Matrix3<T> R_WF;     // where it holds directions
  Spatial<T> known;    // prescribed relative velocity, where GroupNumbers::prescribes
  std::array<Spatial<T>, GroupCut::most_rows> D_F, D;
};

/// What the search for independent rows of a closure found: rows lie in the order of their elimination, dependent ones last.
template <class T>
struct GroupPivots {
  bool searched = false;
  std::array<T, GroupCut::most_rows> pivot;  // step by step, the row that changed places with the present one
  std::array<std::array<T, GroupCut::most_rows>, GroupCut::most_rows> null;  // of dependent rows, see ClosureWork::null; else zeros
};

/// What a group hangs on: a body whose motion others find, or a ground.
template <class T>
struct GroupCarrier {
  Pose<T> X_WB;
  Spatial<T> V;
};

/// Which rows behind a complete one its elimination touches: those that Gamma couples to it when its turn comes. Rows of one closure have
/// all of them alike, so that they may change places.
struct GroupPattern {
  std::vector<int> first;    // per row of the group, and the end: where its list begins
  std::vector<int> partner;  // rows of its node, in increasing order
};
[[nodiscard]] GroupPattern find_pattern(const SimdGroup& group);

template <class T>
struct GroupNumbers {
  GroupPattern pattern;
  std::vector<GroupBodyGiven<T>> given;
  std::vector<GroupCarrier<T>> carrier;
  std::vector<GroupBodyWork<T>> body;
  std::vector<GroupColumnWork<T>> column;
  std::vector<GroupCutWork<T>> cut;
  std::vector<GroupPivots<T>> pivots;      // per cut, of groups that search for independent rows
  std::vector<T> coefficients;             // of couplings, by GroupNode::Term
  bool prescribes = false;                 // some cut has a known velocity
  bool carriers_move = false;              // of a grounded group: some ground does
  std::vector<Spatial<T>> force;           // per body, at O
  std::vector<Spatial<T>> momentum, load;  // per body: cut impulses and apparent loads
  // Per body, where somebody asks for accelerations: gamma, bias, A and F of Workspace.
  std::vector<Spatial<T>> known, bias_alone, A, F;
  // Per row of the nodes, and Gamma and y as GroupNode says; names are those of ClosureWork::Node.
  std::vector<Spatial<T>> X;
  std::vector<T> g, sigma, d_inverse, gamma, y;
  // What the branches pass on to the carrier, at its O.
  Inertia<T> M;
  Spatial<T> bias, P, Q;

  [[nodiscard]] const Pose<T>& pose_of_parent(const GroupBody& of) const { return of.on < 0 ? carrier[of.carrier].X_WB : body[of.on].X_WB; }
  [[nodiscard]] const Spatial<T>& velocity_of_parent(const GroupBody& of) const {
    return of.on < 0 ? carrier[of.carrier].V : body[of.on].V;
  }
};

/// A point of a body a force of every branch is attached to.
template <class T>
struct GroupHandle {
  int on = -1;           // the group's body; -1: a carrier
  int carrier = 0;       // which of them
  bool outside = false;  // neither
  PerBranch body;
  Vector3<T> p_B;
  Matrix3<T> R_BW;
  bool rotates = false;  // somebody reads its rotation
};

}  // namespace arthron
