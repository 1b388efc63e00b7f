#pragma once
#include "arthron/plan/plan.hpp"
#include "arthron/topology/spanning_tree.hpp"

namespace arthron {

/// Spanning tree over the bodies, all grounds being one root vertex; chords are the cut joints.
struct BodyTree {
  SpanningTree tree;
  std::vector<int> loop_subsystem;  // per joint: the innermost subsystem that cuts a loop at it, its mounts being grounds; -1 in the tree
};

/// Every subsystem is cut as it would be alone, from the innermost outward, so that one file is cut alike wherever it is used; where that
/// leaves bodies without a path to a ground, the enclosing one is cut as if it were one file. Throws ModelError for bodies with no path
/// to a ground, and where joints that must stay whole form a loop.
[[nodiscard]] BodyTree span_bodies(const Model& model);

/// Clusters of coupled loops, of the joints of a Model; couplings of joints not counted. All that stands still is one body.
[[nodiscard]] LoopClusters loop_clusters(const Model& model);

/// Per body of the Model: whether it is next to massless beside what it is joined to. The tree carries inertia through such a body; at the
/// end of a cut chain it would have to follow its loop by forces that its own inertia divides.
[[nodiscard]] std::vector<bool> light_bodies(const Model& model);

/// What belongs to which subsystem, and what crosses which port.
void keep_hierarchy(const std::vector<Pose<double>>& X_WB, const std::vector<int>& loop_subsystem, Plan& plan);

/// Names the parts: by the subsystem that they are, or by their first and last bodies, or the subsystems of these, where that has several.
void name_parts(Plan& plan);

/// What every body costs in an evaluation, nearly [ns], from counts alone: joints at which loops are cut count on both sides.
[[nodiscard]] std::vector<double> body_costs(const Plan& plan, const std::vector<int>& cuts);

/// Divides the tree into parts worth computing at the same time, and orders its links part by part. Returns the bodies of each part.
/// The Plan has its bodies numbered as the links were.
[[nodiscard]] std::vector<Slice> divide(const std::vector<int>& cuts, const Grain& grain, const Plan& plan, SpanningTree& tree);

/// The parts, who carries whom, and in which order bodies fold.
void make_parts(const std::vector<Slice>& bodies, Plan& plan);

/// Finds rows of parts that would wait for one another, and has them joined by two-handle equations instead.
void join_chains(const std::vector<int>& cuts, const Grain& grain, Plan& plan);

/// Cut joints part by part, the shared ones last; every part gets its own.
[[nodiscard]] std::vector<int> cuts_by_part(const Model& model, std::vector<int> cuts, Plan& plan);
/// Gives every coupling to the part of its joints.
void share_couplings(Plan& plan);
/// Groups joints and forces by type: one batch, one virtual call a part.
void batch_joints(const Model& model, Plan& plan);
void batch_forces(const Model& model, const std::vector<Pose<double>>& X_WB, Plan& plan);
/// Adds an item of a batch to a part's slices; items of one part come one after the other.
void add_item(std::vector<BatchSlice>& slices, int batch, int item);

/// First body common to the paths of all sides to the ground, or -1 for the ground.
[[nodiscard]] int meeting_body(const Plan& plan, const std::vector<int>& sides);

/// Of a joint with one column that never changes: by its coordinate it turns about an axis of F or slides along it. Neither, for all
/// others.
struct LoneMove {
  bool turns = false, slides = false;
  Vec3 axis;  // in the sense of the tree
};
[[nodiscard]] LoneMove lone_move(const Joint& joint, bool reversed);

/// Finds branches of one body that are alike, and has them computed side by side. The Plan has its bodies and cut joints placed.
void find_groups(Plan& plan);
/// What a cut joint holds, and the end of the link on its parent that it stands for, if it does.
[[nodiscard]] GroupCut::Holds held_by(const Plan& plan, const PlanClosure& cut);
[[nodiscard]] Vec3 link_end(const Plan& plan, const PlanClosure& cut);
/// Which bodies of a SIMD group are leaves, and which are the first to fold into what carries them.
void order_folding(SimdGroup& group);
/// Nodes of a SIMD group, whose bodies and cut joints are known.
void find_group_nodes(SimdGroup& group);
/// The same of a group that is a whole Plan, in the order in which this eliminates its closures.
void find_group_nodes(const Plan& plan, SimdGroup& group);

/// Gives the groups the forces that act on all their branches alike, of types that run on lanes. Per force of the model, whether it is one.
[[nodiscard]] std::vector<bool> find_group_forces(Plan& plan);

/// Lays out the cut joints: both sides, coordinates behind those of the tree, and the nodes where their multipliers are eliminated.
void close_loops(const std::vector<Pose<double>>& X_WB, const std::vector<int>& cuts, Plan& plan);

}  // namespace arthron
