#pragma once
#include "arthron/plan/plan.hpp"

/// The nodes where closures come together: in which order they are eliminated, and where their numbers are.
namespace arthron {

/// Orders the closures of a node and finds their couplings: closures that come out of the same child, or pass on together.
void order_node(const Plan& plan, const std::vector<int>& complete, const std::vector<int>& open, ClosureNode& node);
/// Places of the nodes in the arrays of the workspace, and what each passes on to the next.
void lay_out_nodes(Plan& plan);

}  // namespace arthron
