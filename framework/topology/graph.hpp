#pragma once
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/subgraph.hpp>
#include <functional>
#include <vector>

#include "arthron/core/index.hpp"
#include "arthron/topology/subsystem_members.hpp"

/// The structure of a model, with no physics in it: one hierarchy of graphs, in which bodies are vertices, joints are edges, and every
/// subsystem is a child of the one that uses it. All that is asked of the structure is asked of it.
namespace arthron {

struct BodyVertex {
  BodyIndex body;
};
struct JointEdge {
  JointIndex joint;
  int subsystem = 0;  // whose file has it
};

/// Of a subsystem: its bodies, nested ones included, then those outside that its joints are attached to, what carries its mounts and the
/// ground. Of the model itself: all bodies and joints, by the numbers that they have in the Model. `graph[vertex].body`,
/// `graph[edge].joint` and `members_of(graph)` lead back to the Model; `graph.children()` are the subsystems right within one.
using SystemGraph = boost::subgraph<boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, BodyVertex,
                                                          boost::property<boost::edge_index_t, int, JointEdge>, SubsystemMembers>>;
using BodyDescriptor = SystemGraph::vertex_descriptor;
using JointDescriptor = SystemGraph::edge_descriptor;

[[nodiscard]] inline const SubsystemMembers& members_of(const SystemGraph& graph) { return get_property(graph, boost::graph_bundle); }

/// Bodies and joints of a subsystem's own files, nested ones included. Boost's subgraphs are induced ones: others may have joints between
/// bodies of a subsystem, or between those that carry it.
using OwnJoints = boost::filtered_graph<SystemGraph, std::function<bool(JointDescriptor)>>;
[[nodiscard]] OwnJoints own_joints(const SystemGraph& graph);

/// The hierarchy of a Model.
class ModelGraph : public SystemGraph {
 public:
  struct JointEnds {
    int parent = 0, child = 0;  // bodies
    int subsystem = 0;
  };
  struct Part {
    int parent = -1;  // the subsystem that uses it; -1: the model itself
    SubsystemMembers members;
  };
  /// Of bodies, joints and subsystems in the Model's order; per body the subsystem that it is in.
  ModelGraph(const std::vector<int>& body_subsystem, const std::vector<JointEnds>& joints, const std::vector<Part>& subsystems);
  ModelGraph(const ModelGraph&) = delete;
  ModelGraph& operator=(const ModelGraph&) = delete;
  ~ModelGraph() = default;

  /// The graph of a subsystem, by its number in the Model; 0 is the whole.
  [[nodiscard]] const SystemGraph& subsystem(int number) const { return *subsystems_[number]; }
  /// The lowest subsystem that holds both.
  [[nodiscard]] int lowest_common(int a, int b) const;

 private:
  std::vector<const SystemGraph*> subsystems_;
};

}  // namespace arthron
