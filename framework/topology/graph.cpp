#include "arthron/topology/graph.hpp"

namespace arthron {

using std::size_t;

ModelGraph::ModelGraph(const std::vector<int>& body_subsystem, const std::vector<JointEnds>& joints, const std::vector<Part>& subsystems)
    : SystemGraph(body_subsystem.size()) {
  for (size_t b = 0; b < body_subsystem.size(); ++b) (*this)[b].body = {static_cast<int>(b)};
  // Every edge before the first child: an edge that the root gets later is offered to all of them.
  for (size_t j = 0; j < joints.size(); ++j) {
    const auto edge = add_edge(joints[j].parent, joints[j].child, *this).first;
    (*this)[edge] = {{static_cast<int>(j)}, joints[j].subsystem};
  }
  std::vector<std::vector<int>> bodies(subsystems.size());
  const auto each_around = [&](int subsystem, const auto& add) {
    for (int s = subsystem; s > 0; s = subsystems[s].parent) add(bodies[s]);
  };
  for (size_t b = 0; b < body_subsystem.size(); ++b)
    each_around(body_subsystem[b], [&](std::vector<int>& list) { list.push_back(static_cast<int>(b)); });
  for (const JointEnds& joint : joints)
    each_around(joint.subsystem, [&](std::vector<int>& list) { list.insert(list.end(), {joint.parent, joint.child}); });
  std::vector<SystemGraph*> made;
  for (size_t s = 0; s < subsystems.size(); ++s) {
    const int parent = subsystems[s].parent;
    SystemGraph& graph = parent < 0 ? *this : made[parent]->create_subgraph();
    for (const int b : bodies[s]) add_vertex(b, graph);
    get_property(graph, boost::graph_bundle) = subsystems[s].members;
    made.push_back(&graph);
  }
  subsystems_.assign(made.begin(), made.end());
}

int ModelGraph::lowest_common(int a, int b) const {
  const SystemGraph* graph = &subsystem(a);
  while (!members_of(*graph).subsystems.holds(b)) graph = &graph->parent();
  return members_of(*graph).subsystems.first;
}

OwnJoints own_joints(const SystemGraph& graph) {
  return {graph, [&graph, own = members_of(graph).subsystems](JointDescriptor joint) { return own.holds(graph[joint].subsystem); }};
}

}  // namespace arthron
