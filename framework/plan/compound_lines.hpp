#pragma once
#include <string>
#include <vector>

#include "arthron/plan/compound_tree.hpp"
#include "arthron/plan/plan.hpp"

/// The compound tree as it is told to users, by `arthron check` in lines and by `arthron graph` as a picture.
namespace arthron {

/// One compound, or several that are alike with all that hangs on them: side by side on one carrier, or each on the one before.
struct CompoundLine {
  int node = 0;                                           // of the compound tree, the first of those that are alike
  int last = 0;                                           // the last of them
  int times = 1;                                          // how many, those on alike carriers not counted
  bool in_a_row = false;                                  // each hangs on the one before
  int above = -1;                                         // the line of what it is assembled into; -1: none
  CompoundNode::Edge edge = CompoundNode::Edge::carried;  // into that
  int depth = 0;
  std::string name;
  int lanes = 1;  // alike branches computed side by side, of which its bodies are some
};

/// Depth first; what hangs on several alike ones stands below the first of them. Subsystems that do no more than pass on what one
/// other says have no line.
[[nodiscard]] std::vector<CompoundLine> compound_lines(const Plan& plan, const CompoundTree& tree);

/// All of them as a table, in whole lines.
[[nodiscard]] std::string describe_compounds(const Plan& plan);

}  // namespace arthron
