#include "arthron/topology/spanning_tree.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <iterator>

namespace arthron {

using std::size_t;

namespace {

using Numbered = boost::property<boost::edge_index_t, int>;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Numbered>;
using Tree = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Numbered>;

Graph graph_of(int vertices, const std::vector<Edge>& edges, const std::vector<int>& used) {
  Graph graph(vertices);
  for (const int e : used) {
    const Edge& edge = edges[e];
    add_edge(edge.parent, edge.child, e, graph);
  }
  return graph;
}

/// Adds the edges by which a search goes outward to a tree, those of each vertex in the order in which they are met.
struct Grow : boost::default_bfs_visitor {
  Tree* tree;
  explicit Grow(Tree& grown) : tree(&grown) {}
  void tree_edge(Graph::edge_descriptor edge, const Graph& graph) {
    add_edge(source(edge, graph), target(edge, graph), get(boost::edge_index, graph, edge), *tree);
  }
};

Tree search(int vertices, const std::vector<Edge>& edges, const std::vector<int>& usable, int root) {
  Tree tree(vertices);
  breadth_first_search(graph_of(vertices, edges, usable), root, boost::visitor(Grow(tree)));
  return tree;
}

/// The edges the tree is searched in: all but the wished chords, or, where there are other wishes, a spanning forest that has them
/// (Kruskal: wished ones first, the stronger wishes before the weaker, then those of a search, then what is left).
std::vector<int> tree_edges(int vertices, const std::vector<Edge>& edges, int root) {
  using Wish = Edge::Wish;
  std::vector<int> usable, plain, candidates;
  const auto wish = [&](int e) { return edges[e].wish; };
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    if (wish(e) != Wish::chord) usable.push_back(e);
    if (wish(e) != Wish::chord && wish(e) != Wish::rather_chord) plain.push_back(e);
  }
  const auto append = [&](const std::vector<int>& list) { candidates.insert(candidates.end(), list.begin(), list.end()); };
  const auto append_wished = [&](Wish kind) {
    std::vector<int> list;
    std::copy_if(usable.begin(), usable.end(), std::back_inserter(list), [&](int e) { return wish(e) == kind; });
    std::stable_sort(list.begin(), list.end(), [&](int a, int b) { return edges[a].strength > edges[b].strength; });
    append(list);
  };
  append_wished(Wish::tree), append_wished(Wish::rather_tree);
  if (candidates.empty() && plain.size() == usable.size()) return usable;
  const Tree nearest = search(vertices, edges, plain, root);
  for (int v = 0; v < vertices; ++v)
    for (auto [edge, last] = out_edges(v, nearest); edge != last; ++edge) candidates.push_back(get(boost::edge_index, nearest, *edge));
  append(plain), append_wished(Wish::rather_chord);
  std::vector<int> turn(edges.size(), -1);  // when Kruskal's algorithm looks at an edge
  for (int i = static_cast<int>(candidates.size()); i-- > 0;) turn[candidates[i]] = i;
  const Graph graph = graph_of(vertices, edges, usable);
  std::vector<Graph::edge_descriptor> forest;
  const auto number = get(boost::edge_index, graph);
  kruskal_minimum_spanning_tree(graph, std::back_inserter(forest),
                                boost::weight_map(boost::make_iterator_property_map(turn.begin(), number)));
  std::vector<int> chosen;
  for (const Graph::edge_descriptor edge : forest) chosen.push_back(get(number, edge));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// Writes the links of a tree down as a depth-first search meets them.
struct Walk : boost::default_dfs_visitor {
  SpanningTree* result;
  const std::vector<Edge>* edges;
  std::vector<bool>* reached;
  void discover_vertex(size_t vertex, const Tree&) { (*reached)[vertex] = true; }
  void tree_edge(Tree::edge_descriptor link, const Tree& tree) {
    const int edge = get(boost::edge_index, tree, link), from = static_cast<int>(source(link, tree));
    result->links.push_back({edge, from, static_cast<int>(target(link, tree)), (*edges)[edge].parent != from});
  }
};

}  // namespace

SpanningTree span(int vertices, const std::vector<Edge>& edges, int root) {
  const Tree tree = search(vertices, edges, tree_edges(vertices, edges, root), root);
  SpanningTree result;
  std::vector<bool> in_tree(edges.size(), false), reached(vertices, false);
  Walk walk;
  walk.result = &result, walk.edges = &edges, walk.reached = &reached;
  std::vector<boost::default_color_type> color(vertices);
  depth_first_visit(tree, root, walk, boost::make_iterator_property_map(color.begin(), get(boost::vertex_index, tree)));
  for (const SpanningTree::Link& link : result.links) in_tree[link.edge] = true;
  const auto met = [&](int vertex) { return reached[vertex]; };
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    const Edge& edge = edges[e];
    if (!in_tree[e] && met(edge.parent) && met(edge.child)) result.chords.push_back(e);
  }
  for (int v = 0; v < vertices; ++v)
    if (!met(v)) result.unreached.push_back(v);
  return result;
}

LoopClusters loop_clusters(int vertices, const std::vector<Edge>& edges) {
  // Every edge by way of a vertex of its own: Boost's algorithm overlooks edges that run beside another.
  const int count = static_cast<int>(edges.size());
  Graph graph(vertices + count);
  for (int e = 0; e < count; ++e) {
    if (edges[e].parent == edges[e].child) continue;
    add_edge(edges[e].parent, vertices + e, 2 * e, graph);
    add_edge(vertices + e, edges[e].child, 2 * e + 1, graph);
  }
  std::vector<size_t> component(2 * edges.size());
  const size_t components =
      biconnected_components(graph, boost::make_iterator_property_map(component.begin(), get(boost::edge_index, graph)));
  LoopClusters result;
  std::vector<int> cluster(components, -1);
  for (int e = 0; e < count; ++e) {
    int number = -1;
    if (edges[e].parent == edges[e].child) {
      number = result.count++;
    } else if (component[2 * e] == component[2 * e + 1]) {
      int& known = cluster[component[2 * e]];
      if (known < 0) known = result.count++;
      number = known;
    }
    result.of_edge.push_back(number);
  }
  return result;
}

}  // namespace arthron
