#pragma once
#include "arthron/plan/plan.hpp"

/// The nodes where closures come together: in which order they are eliminated, and where their numbers are.
namespace arthron {

/// Orders the closures of a node and finds their couplings: closures that come out of the same child, or pass on together.
/// Where compounds are joined, each is coupled with each.
void order_node(const Plan& plan, const std::vector<int>& complete, const std::vector<int>& open, ClosureNode& node, bool joined = false);
/// Rows of a closure, or, behind all closures, of an output.
[[nodiscard]] int rows_of(const Plan& plan, int closure);
/// Where the entry of Gamma of two rows is, the second in the same block or a later one; -1: nowhere.
[[nodiscard]] int place_in_gamma(const ClosureNode& node, int row, int column);
/// Places of the nodes in the arrays of the workspace, and what each passes on to the next.
void lay_out_nodes(Plan& plan);

}  // namespace arthron
