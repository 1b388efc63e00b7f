#include "arthron/topology/spanning_tree.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/pending/disjoint_sets.hpp>
#include <iterator>
#include <ranges>

namespace arthron {

namespace {

using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, boost::property<boost::edge_index_t, int>>;

/// Collects, per vertex, the tree edges that lead outward from it, in the order in which breadth-first search meets them.
struct TreeEdges : boost::default_bfs_visitor {
  std::vector<std::vector<int>>* outward;
  explicit TreeEdges(std::vector<std::vector<int>>& edges) : outward(&edges) {}
  void tree_edge(Graph::edge_descriptor edge, const Graph& graph) {
    (*outward)[source(edge, graph)].push_back(get(boost::edge_index, graph, edge));
  }
};

}  // namespace

namespace {

/// Tree edges of a breadth-first search, per vertex outward.
std::vector<std::vector<int>> search(int vertices, const std::vector<Edge>& edges, const std::vector<int>& usable, int root) {
  Graph graph(vertices);
  for (const int e : usable) {
    const Edge& edge = edges[e];
    add_edge(edge.parent, edge.child, e, graph);
  }
  std::vector<std::vector<int>> outward(vertices);
  breadth_first_search(graph, root, boost::visitor(TreeEdges(outward)));
  return outward;
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
  const auto wished = [&](Wish kind) {
    std::vector<int> list;
    std::copy_if(usable.begin(), usable.end(), std::back_inserter(list), [&](int e) { return wish(e) == kind; });
    std::stable_sort(list.begin(), list.end(), [&](int a, int b) { return edges[a].strength > edges[b].strength; });
    return list;
  };
  const auto append = [&](const std::vector<int>& list) { candidates.insert(candidates.end(), list.begin(), list.end()); };
  append(wished(Wish::tree)), append(wished(Wish::rather_tree));
  if (candidates.empty() && plain.size() == usable.size()) return usable;
  for (const auto& outward : search(vertices, edges, plain, root)) append(outward);
  append(plain), append(wished(Wish::rather_chord));
  std::vector<int> rank(vertices), parent(vertices), chosen;
  boost::disjoint_sets<int*, int*> sets(rank.data(), parent.data());
  for (int v = 0; v < vertices; ++v) sets.make_set(v);
  for (const int e : candidates) {
    const Edge& edge = edges[e];
    if (sets.find_set(edge.parent) == sets.find_set(edge.child)) continue;
    sets.union_set(edge.parent, edge.child);
    chosen.push_back(e);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

SpanningTree span(int vertices, const std::vector<Edge>& edges, int root) {
  const std::vector<std::vector<int>> outward = search(vertices, edges, tree_edges(vertices, edges, root), root);

  // Walk the tree depth first, so that chains are contiguous in memory.
  SpanningTree tree;
  std::vector<bool> in_tree(edges.size(), false), reached(vertices, false);
  std::vector<int> stack{root};
  std::vector<SpanningTree::Link> inbound(vertices);
  while (!stack.empty()) {
    const int vertex = stack.back();
    stack.pop_back();
    reached[vertex] = true;
    if (vertex != root) tree.links.push_back(inbound[vertex]);
    for (const int e : std::views::reverse(outward[vertex])) {
      const Edge& edge = edges[e];
      const bool reversed = edge.parent != vertex;
      const int child = reversed ? edge.parent : edge.child;
      inbound[child] = {e, vertex, child, reversed};
      in_tree[e] = true;
      stack.push_back(child);
    }
  }
  for (int e = 0; e < static_cast<int>(edges.size()); ++e)
    if (!in_tree[e] && reached[edges[e].parent] && reached[edges[e].child]) tree.chords.push_back(e);
  for (int v = 0; v < vertices; ++v)
    if (!reached[v]) tree.unreached.push_back(v);
  return tree;
}

}  // namespace arthron
