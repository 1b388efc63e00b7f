#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arthron/component/force.hpp"
#include "arthron/component/joint.hpp"
#include "arthron/core/slice.hpp"
#include "arthron/formulation/formulation.hpp"
#include "arthron/model/model.hpp"
#include "arthron/plan/simd_group.hpp"

/// What will be computed: flat arrays in elimination order, immutable after compile. Bodies are numbered grounds first, then every body
/// after its tree parent; velocity columns follow the free joints first, then the driven ones, so that the state is a prefix.
namespace arthron {

struct Plan;
struct Workspace;

/// How phase one is eliminated: articulated folding leaf to root, or two-handle xi assembly as a balanced binary tree.
enum class Elimination { fold, pair };

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

/// A cut joint: bodies on both sides, the joint's frames on them, and its places in the flat arrays behind those of the tree joints.
/// Its multipliers sigma are the wrench D sigma on the child at the child-side frame's origin, the opposite on the parent.
/// Or a coupling of joint coordinates, one row and no sides.
struct PlanClosure {
  int joint = -1;                         // in the Model's order; of a coupling -1
  int coupling = -1;                      // in the Model's order; of a cut joint -1
  int parent = no_side, child = no_side;  // body numbers
  Pose<double> X_PF, X_CM;                // joint frame on the parent, on the child
  int q = 0, u = 0, columns = 0;
  bool driven = false;            // all six directions are constrained
  bool varies = false;            // its directions change as it moves
  bool gives_complement = false;  // they follow from the pose alone
  bool tracked = false;           // the equations of motion or the measurements need its coordinates
  int rows = 0;                   // constraint rows
  bool grouped = false;           // one of the cuts of a SimdGroup

  static constexpr int no_side = -2;
};

/// Rows and columns of closures come in whole registers of four: so many for `count` of them.
[[nodiscard]] constexpr int registers(int count) { return (count + 3) / 4; }
[[nodiscard]] constexpr int padded(int count) { return 4 * registers(count); }

/// Where closures come together: a body with cut joints in its subtree, or the ground (body = -1). The closures that are complete here are
/// eliminated, in an order of little fill; the others stay open through the body's inboard joint. Rows lie in blocks: the open closures are
/// the last one, of the others those that are coupled with nearly the same. Gamma is sparse by blocks: a row holds its entries with its own
/// block and with each later one that is coupled with it, one behind the other. Blocks begin at multiples of four rows and are padded with
/// zeros, so that all is computed in whole registers.
struct ClosureNode {
  /// Closures whose rows lie one behind the other.
  struct Block {
    Slice closures;  // places in the node
    int row, rows;   // the first of them, and how many
    int width;       // registers that they fill
    int gamma;       // where its first row of Gamma begins
    int stride;      // numbers of a row of Gamma
    Slice links, fills;
  };
  /// A later block that one is coupled with: its first row, the registers of its rows, and where they are in a row of Gamma.
  struct Link {
    int row, width, at;
  };
  /// Entries that eliminating a row changes: to -= left^T right / d, in so many registers; left and right are places in the row.
  struct Fill {
    int left, right, to, rows, width, to_stride;
  };
  /// A side of a cut joint that is on the node's body.
  struct Side {
    int closure, row, rows;
    bool child;
  };
  /// A coupled joint: column of the inboard joint, row of its coupling, and factor of its velocity there.
  struct Term {
    int column, row;
    double coefficient;
  };
  /// Rows that go to the same four rows of another node: `lanes` has a bit for each that does, `from` is the row that would go to the first
  /// of these four. Open rows are counted from the first.
  struct Run {
    int from, to;
    unsigned lanes;
  };
  /// Entries of the open rows' Gamma that go to the same four columns there, in so many rows.
  struct Entries {
    int from, to;
    unsigned lanes;
    int rows, to_stride;
  };
  /// Where the node's numbers begin in the arrays of the workspace: rows, open rows, Gamma.
  struct Place {
    int row = 0, open = 0, gamma = 0;
  };

  int body = -1;
  bool closes_branch_loops = false;  // of some of the body's branches: closes what they have among themselves, before the body's own node
  int parent = -1;                   // the node that open closures are passed to
  Place place;
  std::vector<int> closures;  // eliminated ones first, in elimination order, then the open ones
  int eliminated = 0;
  std::vector<int> row, count;  // per closure: its first row, and how many
  std::vector<Block> blocks;    // the open closures are the last one, even if there are none
  std::vector<Link> links;
  std::vector<Fill> fills;
  int rows = 0, gamma_size = 0;  // padded
  std::vector<Side> sides;
  std::vector<Term> terms;
  std::vector<int> children;          // nodes that pass closures on to this one
  std::vector<Run> upward, downward;  // of open rows: there, and back from there
  std::vector<Entries> upward_gamma;

  [[nodiscard]] const Block& open() const { return blocks.back(); }
  [[nodiscard]] int first_open_row() const { return open().row; }
  [[nodiscard]] std::span<const Link> links_of(const Block& block) const { return part(links, block.links); }
  [[nodiscard]] std::span<const Fill> fills_of(const Block& block) const { return part(fills, block.fills); }
  [[nodiscard]] std::span<const Block> closing() const { return {blocks.data(), blocks.size() - 1}; }

 private:
  template <class Item>
  static std::span<const Item> part(const std::vector<Item>& items, Slice slice) {
    return {items.data() + slice.first, static_cast<std::size_t>(slice.size())};
  }
};

/// A point of a body a force or a marker is attached to.
struct PlanHandle {
  int body = 0;
  Vec3 p_B;
  Mat3 R_BW;  // at the design position, so that R_WB R_BW is the rotation since then
};

/// A force of the model, with its places in the flat arrays.
struct PlanForce {
  int batch = 0, item = 0;
  Slice handles, states;

  [[nodiscard]] ForcePlace place() const { return {handles.first, states.first}; }
};

/// A measurement that functions of time use, read when the velocities are known.
struct PlanSensor {
  static constexpr std::size_t most_values = 16;

  int signal = 0;  // its number in the Model
  void (*read)(const Plan&, const Workspace&, int index, double* values) = nullptr;
  int index = 0;  // of what is measured, in its list
  std::size_t component = 0;
};

/// Inner node of the two-handle elimination tree of one path: joins compounds `near` and `far` through the inboard joint of `body`.
/// Compounds are numbered: bodies first, then nodes.
struct PairNode {
  int near = 0, far = 0;
  int body = 0;  // first body of the far compound
};

/// An unbranched path of bodies outward from `head`; its compounds assemble as a balanced binary tree whose root folds into the parent of
/// `head`.
struct BodyPath {
  int head = 0, root = 0;  // body number, compound number
};

/// Work of one level of pairing: everything in it depends on lower levels alone, so it may run at the same time.
struct PairLevel {
  std::vector<int> bodies, nodes, paths;
};

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

/// A side of a joint, or a handle of a force, that is attached through a port.
struct PlanAttachment {
  int joint = -1;      // in the Model's order
  bool child = false;  // which side of it
  int handle = -1;     // of a force, in Plan::handles
};

/// A mount or an output: a point of a body, and all that is attached to the body through the port, at any depth.
struct PlanPort {
  int body = -1;  // body number; -1: a signal
  Vec3 p_B;       // of a mount the origin of its subsystem's frame, which moves with what carries it; of an output its place [m]
  std::vector<PlanAttachment> attachments;
};

/// What a subsystem is made of, nested ones included unless said otherwise.
struct PlanSubsystem {
  std::vector<int> bodies;                 // body numbers, ascending
  std::vector<int> joints, forces, ports;  // in the Model's order; ports of its own file only
  std::vector<int> children;               // subsystems right within it
  std::vector<int> loops;   // closures that are its file's own: loops within it, or from mount to mount, that no nested one has
  std::vector<int> closes;  // closures that come together in it: all their joints lie within it, and within no nested one
};

struct Plan {
  std::shared_ptr<const Model> model;
  int nq = 0, nu = 0;          // size of the state: free joints only
  int nx = 0;                  // the state's third part: internal states of forces
  int nq_all = 0, nu_all = 0;  // with the driven joints behind them
  int grounds = 0;             // bodies [0, grounds) are grounds
  std::vector<PlanGround> ground;
  std::vector<PlanBody> bodies;     // the first `grounds` entries are unused
  std::vector<ColumnShape> shapes;  // per velocity column
  std::vector<PlanJoint> joints;    // in the Model's order
  std::vector<std::unique_ptr<JointBatch>> joint_batches;
  std::vector<int> turns;            // coordinates of the turns, by part
  std::vector<int> varying_columns;  // per velocity column, 1 when its batch varies
  bool plain_coordinates = true;     // qdot = u for every free joint
  std::vector<int> loaded_joints;    // joints with springs, stops, friction, drives or efforts, not driven by a motion; by part
  std::vector<int> driven_joints;    // by part
  std::vector<PlanHandle> handles;   // of forces by part, then of markers
  int force_handles = 0;
  bool loads_bodies = false;  // some force or loaded cut joint acts on a body
  std::vector<std::unique_ptr<ForceBatch>> force_batches;
  std::vector<PlanForce> forces;  // in the Model's order
  bool draws_forces = false;      // some force is seen from a drawing whose frame is not the world's
  std::vector<PlanSensor> sensors;
  std::vector<int> body_of;                                  // model body -> body number
  std::vector<Pose<double>> frame_in_body;                   // model body -> its own frame in B
  std::vector<PlanClosure> closures;                         // cut joints, then couplings
  int cuts = 0;                                              // closures [0, cuts) are cut joints
  std::vector<std::unique_ptr<JointBatch>> closure_batches;  // of the cut joints alone, the tracked ones first
  size_t tracked_batches = 0;                                // how many of these hold tracked joints
  std::vector<ClosureNode> closure_nodes;                    // children before parents, the ground last
  std::vector<SimdGroup> groups;
  std::vector<PlanPart> parts;    // every part after its carrier; behind them `shared`
  std::vector<int> part_of_body;  // -1: a ground
  std::vector<SegmentJoin> joins;
  std::vector<SegmentChain> chains;
  const Formulation* formulation = nullptr;  // never null after compile
  double baumgarte = 0;  // rate at which acceleration-based formulations bring openings of loops back, 0: they do not [1/s]
  Elimination elimination = Elimination::fold;
  std::vector<PairNode> nodes;
  std::vector<BodyPath> paths;
  std::vector<int> next_on_path;                // per body: the next one outward on its path, -1 at the tip
  std::vector<std::vector<int>> carried_paths;  // per body: the paths that fold into it
  std::vector<PairLevel> pair_levels;           // upward
  std::vector<PlanSubsystem> subsystems;        // in the Model's order
  std::vector<PlanPort> ports;                  // in the Model's order
};

/// The part that owns what is shared: no bodies.
[[nodiscard]] inline int shared_part(const Plan& plan) { return static_cast<int>(plan.parts.size()) - 1; }
[[nodiscard]] inline const PlanPart& part(const Plan& plan, int number) { return plan.parts[number]; }

/// A force of the Model as Status::element.
[[nodiscard]] inline int element_of_force(const Plan& plan, int force) { return static_cast<int>(plan.joints.size()) + force; }

/// The joint that stands for a closure in messages: the cut one, or the first of a coupling.
[[nodiscard]] int named_joint(const Plan& plan, const PlanClosure& closure);

/// How a model is divided, in expected times of one evaluation.
struct Grain {
  double part = 20e3;    // a part is worth the scheduling of its tasks [ns]
  double chain = 200e3;  // a row of parts is worth the two-handle equations that let them fold at the same time [ns]
};

/// Runs the compile passes. Throws ModelError for structures that cannot be computed. Measurements are connected by whoever knows how to
/// measure (connect_sensors); until then they are NaN.
[[nodiscard]] std::shared_ptr<Plan> compile(std::shared_ptr<const Model> model, const Grain& grain = {});

/// Variants of one topology as a group of alike compounds on the ground, a lane each: every body and closure of the Plans.
[[nodiscard]] SimdGroup variant_group(const std::array<const Plan*, static_cast<std::size_t>(lane_count)>& variants);

/// Joints of the Model around a loop, the cut one first, then from the child's side to the parent's.
[[nodiscard]] std::vector<int> loop_joints(const Plan& plan, const PlanClosure& closure);
/// Where both sides of a cut joint's loop come together, seen from the parent's and from the child's side: one body, or two grounds.
[[nodiscard]] std::pair<int, int> loop_ends(const Plan& plan, const PlanClosure& closure);
/// The bodies of a loop by name, from one side of the cut to the other: "lower_arm-upright-upper_arm"; from ground to ground where it runs
/// between two of them: "rack-upright-lower_arm-chassis".
[[nodiscard]] std::string loop_name(const Plan& plan, const PlanClosure& closure);

/// Subsystems are the branches of the tree that hang on the grounds, numbered from 0. Per closure those that have a part in its loop,
/// ascending: the blocks of its row of the constraint Jacobian J that are not zero. Block (r, s) of the GICM J Mq^-1 J^T is the sum over
/// the subsystems that r and s have in common.
[[nodiscard]] std::vector<std::vector<int>> loop_subsystems(const Plan& plan);

/// A closure in words: the loop, where it is cut, and a remark; or the terms of a coupling.
[[nodiscard]] std::string describe_closure(const Plan& plan, int closure, const std::string& remark = "");
/// What the planner did, in words, for `arthron check`; with a remark behind every loop when given. Loops of nested subsystems are left to
/// these.
[[nodiscard]] std::string describe_plan(const Plan& plan, const std::vector<std::string>& loop_remarks = {});
/// How phase one is eliminated, and the SIMD groups of evaluations by folding, those that are alike together: a line each.
[[nodiscard]] std::string describe_elimination(const Plan& plan);
[[nodiscard]] std::string describe_groups(const Plan& plan);

/// Bodies without mass, as mistakes of a model that a method is to compute that begins with the inverse inertia of every body.
[[nodiscard]] std::vector<Diagnostic> massless_bodies(const Model& model, const std::string& method);

}  // namespace arthron
