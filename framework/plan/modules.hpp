#pragma once
#include <vector>

#include "arthron/plan/bodies.hpp"

/// Elimination by subsystems ("modular"): parts are what subsystems have on a body outside them. Each is assembled by itself, from its own
/// numbers alone, with open rows for its outputs, six for every body on which another part hangs, and for the loops that leave it. All are
/// assembled at the same time, and joined subsystem by subsystem, from the innermost outward.
namespace arthron {

struct Plan;

/// Compounds are numbered: parts first, then what they are joined to. Every compound has a closure node with its open rows, in which the
/// loops that are complete with it, and that its subsystem has, are closed.
struct ModuleJoin {
  int subsystem = 0;     // that puts them together
  int near = -1;         // compound with the output; -1: all hang on the same body, and what they say adds up
  int output = -1;       // of the near one
  std::vector<int> far;  // compounds that hang there
  int on = -1;           // body that the result hangs on, -1: grounds
  int node = -1;

  // Of two joined ones, the rows that meet here: the open ones of the near compound, then those of the far ones.
  int output_row = 0;         // of the output among the near one's open rows
  int near_rows = 0;          // without those of the output, if nothing else hangs there
  std::vector<int> from;      // their places among the open rows of the compound that they are of
  std::vector<int> to;        // in the node's rows
  std::vector<int> to_gamma;  // per pair of them, row by row: in the node's Gamma, -1: not kept
  std::vector<int> first;     // per far compound its first row, then how many there are in all
};

struct ModulePlan {
  std::vector<PlanBody> bodies;                // with the closure nodes of their parts
  std::vector<int> outputs;                    // bodies, at whose O they are
  std::vector<std::vector<int>> joins_at;      // per output
  std::vector<int> node;                       // per compound
  std::vector<int> on;                         // per compound the body it hangs on, -1: grounds
  std::vector<ModuleJoin> joins;               // the last one is the model on the grounds
  std::vector<std::vector<int>> outputs_of;    // per part
  std::vector<std::vector<int>> of_subsystem;  // per subsystem of the Model its compounds, one for each body that it hangs on

  [[nodiscard]] bool empty() const { return joins.empty(); }
};

/// Per body of a Plan whose bodies are numbered, its part; a carrier has a smaller number than what hangs on it. A subsystem that costs
/// more than `grain` on the way to one of its bodies goes on in another part.
[[nodiscard]] std::vector<int> find_modules(const Plan& plan, const std::vector<int>& cuts, double grain);

/// Compounds, their joins and their closure nodes, behind those of folding.
void join_modules(Plan& plan);
/// Bodies as modules see them, once all else is known of them.
void finish_modules(Plan& plan);

}  // namespace arthron
