#pragma once
#include <vector>

#include "arthron/core/slice.hpp"

/// The tree of compounds, read off the hierarchy of subsystems and the tree of bodies: what is assembled where, by subsystems.
namespace arthron {

struct Plan;

/// What a subsystem has on one body outside it, or on the grounds: bodies of its own file that hang together there, or, where a part ends
/// within these, a segment of them. A subsystem without bodies of its own there puts together what nested ones have on that body, and has a
/// node without bodies.
struct CompoundNode {
  int subsystem = 0;        // whose bodies, by its number in the Model
  bool whole = true;        // all bodies that the subsystem has there itself; else a segment of them
  std::vector<int> bodies;  // body numbers, ascending
  int carrier = -1;         // the node that it is assembled into, -1: none, it is the model on the grounds
  int on = -1;              // the body at whose O its base handle is, -1: grounds
  /// How it is assembled into its carrier. Carried: complete with all that hangs on it, it goes to the body that it hangs on, before the
  /// joint of that is released. Joined: both are assembled at the same time, the carrier with six open rows where this one hangs. Merged:
  /// the carrier is the subsystem around it, on the same body, and what both say adds up.
  enum class Edge : unsigned char { carried, joined, merged } edge = Edge::carried;
  std::vector<int> carried;              // nodes whose carrier it is
  std::vector<int> closes, passes_on;    // closures that are closed in it; that leave it open
  int rows_closed = 0, rows_passed = 0;  // rows of these
  double cost = 0;                       // expected, of its own bodies in one evaluation [ns]
  int part = -1;                         // in which it is computed, several carried ones below the grain together; -1 without bodies
};

struct CompoundTree {
  std::vector<CompoundNode> nodes;  // every one after its carrier; the first is the model on the grounds
  std::vector<int> of_body;         // per body number its node, -1: a ground

  /// Whether `node` is `around` or assembled into it, directly or not.
  [[nodiscard]] bool within(int node, int around) const {
    while (node > around) node = nodes[node].carrier;
    return node == around;
  }
};

/// Of a Plan.
[[nodiscard]] CompoundTree compound_tree(const Plan& plan);

/// Per body number the number of the subsystem whose file has it, 0 for grounds.
[[nodiscard]] std::vector<int> subsystem_of_bodies(const Plan& plan);

/// The lowest subsystem that holds all joints of a closure's loop.
[[nodiscard]] int lowest_subsystem(const Plan& plan, int closure);

/// Bodies that a closure acts on: both sides of a cut joint, grounds too; or the bodies outboard of coupled joints.
[[nodiscard]] std::vector<int> bodies_of_closure(const Plan& plan, int closure);

}  // namespace arthron
