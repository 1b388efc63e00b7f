#pragma once
#include <memory>
#include <vector>

#include "arthron/component/joint.hpp"
#include "arthron/model/model.hpp"

/// Bodies, joints and velocity columns, as kinematics and the loops leaf to root and root to leaf read them.
namespace arthron {

/// How a body moves on its parent: by its one coordinate about or along an axis of F, or as its joint's batch says.
enum class Move : unsigned char { turn, slide, other };

/// One moving body with its inboard tree joint, as the kernel's loops read it. Frames: P tree parent, F joint frame on P, B body;
/// B is the joint's frame on the body, so its origin is the handle O_k.
struct PlanBody {
  int parent = 0;          // body number
  int joint = 0;           // tree joint number = its place in Workspace::X_FM
  int q = 0;               // its first coordinate
  int u = 0, columns = 0;  // its velocity columns; columns == 0 for a fixed joint
  int node = -1;           // closure node, -1: no closure in its subtree
  Move move = Move::other;
  unsigned char axis = 0;      // of a turn or a slide
  bool single_column = false;  // one free column that is a rotation or a translation and turns with the parent
  bool plain = false;          // single_column, and neither closures nor a chain: the shortest loops
  bool driven = false;         // motion prescribed: columns are known, none is eliminated
  bool aligned = true;         // R_PF = 1
  bool slides = false;         // its joint moves O over the parent
  bool leaf = true;            // nothing folds into it
  bool folds_first = false;    // the first to fold into its parent, or out of its part: writes where the others add
  bool on_chain = false;       // between the inboard end of its part and what is joined to the part later
  bool grouped = false;        // one of the bodies of a SimdGroup
  bool carries_group = false;
  bool loaded_ungrouped = false;  // forces act on it that no group computes
  bool light = false;             // next to massless beside its neighbours: what resists its columns may be lost to rounding
  double sense = 1;               // of a turn or a slide: -1 against the axis
  int turn = 0;                   // of a turn: its place in Workspace::turned
  Vec3 p_PF;                      // [m], P axes
  Mat3 R_PF = Mat3::identity();
  double mass = 0;     // [kg]
  Vec3 first_moment;   // mass * com from O_k, B axes [kg m]
  Sym3 second_moment;  // about O_k, B axes [kg m^2]
};

struct PlanGround {
  Vec3 origin;                               // of B at the design position, where B is parallel to W [m]
  const PrescribedMotion* motion = nullptr;  // nullptr: at rest
};

/// A joint of the model, with its places in the flat arrays.
struct PlanJoint {
  int body = 0;  // tree child, -1 for a cut joint
  int q = 0, nq = 0, u = 0, nu = 0;
  bool reversed = false, driven = false;
  int closure = -1;  // of a cut joint
};
/// Bodies are numbered grounds first, then every body after its tree parent; velocity columns follow the free joints first, then the driven
/// ones, so that the state is a prefix.
struct BodyPlan {
  int grounds = 0;  // bodies [0, grounds) are grounds
  std::vector<PlanGround> ground;
  std::vector<PlanBody> bodies;             // the first `grounds` entries are unused
  std::vector<int> body_of;                 // model body -> body number
  std::vector<Pose<double>> frame_in_body;  // model body -> its own frame in B
  std::vector<PlanJoint> joints;            // in the Model's order
  std::vector<std::unique_ptr<JointBatch>> joint_batches;
  std::vector<int> turns;            // coordinates of the turns, by part
  std::vector<ColumnShape> shapes;   // per velocity column
  std::vector<int> varying_columns;  // per velocity column, 1 when its batch varies
  bool plain_coordinates = true;     // qdot = u for every free joint
  std::vector<int> loaded_joints;    // joints with springs, stops, friction, drives or efforts, not driven by a motion; by part
  std::vector<int> driven_joints;    // by part
};

}  // namespace arthron
