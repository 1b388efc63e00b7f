#pragma once
#include "arthron/dynamics/closures.hpp"

/// Blocks of a closure node: their elimination, and the multipliers that follow.
namespace arthron {

/// One closure of a node, as its elimination sees it.
struct Closure {
  const ClosureNode::Block& block;
  int first, rows;  // in the node's rows
  int place;        // of its first row in the block
  double* gamma;    // of its first row
  [[nodiscard]] double* row(int r) const { return gamma + r * block.stride; }
  [[nodiscard]] double at(int r, int s) const { return row(r)[place + s]; }
};

inline Closure closure_of(const ClosureNode& node, const ClosureNode::Block& block, const ClosureWork::Node& here, size_t i) {
  const int place = node.row[i] - block.row;
  return {block, node.row[i], node.count[i], place, here.gamma + block.gamma + place * block.stride};
}

/// Calls action(place in a row of Gamma, row) for every four rows that a row of a block may have something in common with.
template <class Action>
inline void for_coupled(const ClosureNode& node, const ClosureNode::Block& block, Action action) {
  for (int i = 0; i < block.width; ++i) action(4 * i, block.row + 4 * i);
  for (const ClosureNode::Link& link : node.links_of(block))
    for (int i = 0; i < link.width; ++i) action(link.at + 4 * i, link.row + 4 * i);
}

/// Takes from a closure's numbers their part in its null space; those behind its rows are read and written back as they are.
void leave_null_space(const ClosureWork::NullSpace& null, int rank, int rows, double* values);

/// Eliminates the closures of a block from the later rows of the node's Gamma and, on a body, of X.
void eliminate_block(const ClosureNode& node, const ClosureNode::Block& block, ClosureWork& closures, const ClosureWork::Node& here);
/// Multipliers of its closures, from the right-hand sides that stand in their places.
void solve_block(const ClosureNode& node, const ClosureNode::Block& block, ClosureWork& closures, const ClosureWork::Node& here);

}  // namespace arthron
