#include "arthron/plan/drawing.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <sstream>

namespace arthron {

using std::size_t;

int Drawing::box(const std::string& name, const std::string& attributes, int around) {
  const int number = static_cast<int>(boxes_.size());
  (around < 0 ? whole_ : boxes_[around]).boxes.push_back(number);
  boxes_.push_back({name, attributes, {}, {}});
  return number;
}

void Drawing::node(const std::string& name, const std::string& attributes, int in_box) {
  number_.emplace(name, nodes_.size());
  (in_box < 0 ? whole_ : boxes_[in_box]).nodes.push_back(static_cast<int>(nodes_.size()));
  nodes_.emplace_back(name, attributes);
}

void Drawing::edge(const std::string& from, const std::string& to, const std::string& attributes) {
  edges_.push_back({from, to, attributes});
}

void Drawing::write_inside(std::ostream& out, const Box& box, const std::string& margin) const {
  for (const int node : box.nodes) out << margin << nodes_[node].first << ";\n";
  for (const int number : box.boxes) {
    const Box& inner = boxes_[number];
    out << margin << "subgraph " << inner.name << " {\n" << margin << "  " << inner.attributes << '\n';
    write_inside(out, inner, margin + "  ");
    out << margin << "}\n";
  }
}

std::string Drawing::text(const std::string& settings) const {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, std::string, std::string>;
  Graph graph(nodes_.size());
  for (size_t n = 0; n < nodes_.size(); ++n) graph[n] = nodes_[n].second;
  for (const Edge& edge : edges_) add_edge(number_.at(edge.from), number_.at(edge.to), edge.attributes, graph);
  const auto of_node = [&](std::ostream& out, size_t node) { out << " [" << graph[node] << ']'; };
  const auto of_edge = [&](std::ostream& out, const Graph::edge_descriptor& edge) { out << '[' << graph[edge] << ']'; };
  const auto boxes = [&](std::ostream& out) { out << settings, write_inside(out, whole_, "  "); };
  const auto name = boost::make_function_property_map<size_t>([&](size_t node) { return nodes_[node].first; });
  std::ostringstream out;
  write_graphviz(out, graph, of_node, of_edge, boxes, name);
  return out.str();
}

}  // namespace arthron
