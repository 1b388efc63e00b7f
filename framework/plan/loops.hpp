#pragma once
#include <memory>
#include <span>
#include <vector>

#include "arthron/component/joint.hpp"
#include "arthron/core/slice.hpp"

/// Cut joints and couplings, and where their multipliers are eliminated.
namespace arthron {

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
    int closure, row, rows;  // closure -1: the six rows of an output, at the body's O
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
  bool compound = false;             // of a part by itself, or of parts joined (modules.hpp); its rows are at the O of what it hangs on
  int join = -1;                     // of two compounds joined: Plan::modules.joins
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
  /// Children whose rows add up here as they are.
  [[nodiscard]] std::span<const int> passing_on() const { return {children.data(), join >= 0 ? 0 : children.size()}; }
  [[nodiscard]] std::span<const Block> closing() const { return {blocks.data(), blocks.size() - 1}; }

 private:
  template <class Item>
  static std::span<const Item> part(const std::vector<Item>& items, Slice slice) {
    return {items.data() + slice.first, static_cast<std::size_t>(slice.size())};
  }
};
struct LoopPlan {
  std::vector<PlanClosure> closures;                         // cut joints, then couplings
  int cuts = 0;                                              // closures [0, cuts) are cut joints
  std::vector<std::unique_ptr<JointBatch>> closure_batches;  // of the cut joints alone, the tracked ones first
  std::size_t tracked_batches = 0;                           // how many of these hold tracked joints
  std::vector<ClosureNode> closure_nodes;                    // children before parents, the ground last; then those of modules
  int folding_nodes = 0;                                     // how many of them are of folding

  [[nodiscard]] int ground_node() const { return folding_nodes - 1; }
};

}  // namespace arthron
