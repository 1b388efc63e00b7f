#include <doctest/doctest.h>

#include <functional>
#include <random>
#include <set>

#include "arthron/topology/spanning_tree.hpp"

/// Clusters of coupled loops and trees of random graphs. Sources of truth: the definition, by all simple cycles; distances by relaxation.
using namespace arthron;

namespace {

std::vector<Edge> random_edges(int vertices, int count, std::mt19937& random) {
  std::uniform_int_distribution<int> vertex(0, vertices - 1);
  std::vector<Edge> edges;
  for (int e = 0; e < count; ++e) edges.push_back({vertex(random), vertex(random)});
  return edges;
}

/// Calls `found` with the edges of every simple cycle, each at least once.
void each_cycle(int vertices, const std::vector<Edge>& edges, const std::function<void(const std::vector<int>&)>& found) {
  std::vector<int> way;
  std::set<int> on_way;
  std::function<void(int, int)> go_on = [&](int start, int at) {
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
      const Edge& edge = edges[static_cast<std::size_t>(e)];
      if ((edge.parent != at && edge.child != at) || std::find(way.begin(), way.end(), e) != way.end()) continue;
      const int next = edge.parent == at ? edge.child : edge.parent;
      way.push_back(e);
      if (next == start)
        found(way);
      else if (on_way.insert(next).second)
        go_on(start, next), on_way.erase(next);
      way.pop_back();
    }
  };
  for (int v = 0; v < vertices; ++v) on_way = {v}, go_on(v, v);
}

}  // namespace

TEST_CASE("loops that share a joint are coupled, those that share a body alone are not") {
  //  0 - 1 - 2 - 0 and 1 - 3 - 2 share 1 - 2; 2 - 4 twice; 4 - 5 is in no loop; 5 - 5
  const LoopClusters clusters = loop_clusters(6, {{0, 1}, {1, 2}, {2, 0}, {1, 3}, {3, 2}, {2, 4}, {4, 2}, {4, 5}, {5, 5}});
  CHECK(clusters.count == 3);
  CHECK(clusters.of_edge == std::vector<int>{0, 0, 0, 0, 0, 1, 1, -1, 2});
}

TEST_CASE("two edges are in one cluster just when some chain of cycles, each with an edge of the next, has both") {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const int vertices = 2 + round % 5, count = 1 + round % 9;
    const std::vector<Edge> edges = random_edges(vertices, count, random);
    std::vector<int> expected(edges.size(), -1);
    each_cycle(vertices, edges, [&](const std::vector<int>& cycle) {
      std::set<int> merged;
      for (const int e : cycle) merged.insert(expected[static_cast<std::size_t>(e)]);
      for (std::size_t e = 0; e < edges.size(); ++e)
        if (expected[e] >= 0 && merged.contains(expected[e])) expected[e] = cycle.front();
      for (const int e : cycle) expected[static_cast<std::size_t>(e)] = cycle.front();
    });
    const LoopClusters clusters = loop_clusters(vertices, edges);
    CAPTURE(round);
    for (std::size_t a = 0; a < edges.size(); ++a) {
      CHECK((clusters.of_edge[a] < 0) == (expected[a] < 0));
      for (std::size_t b = 0; b < a; ++b)
        if (expected[a] >= 0) CHECK((clusters.of_edge[a] == clusters.of_edge[b]) == (expected[a] == expected[b]));
    }
  }
}

TEST_CASE("without wishes every body is as near the root as it can be; joints wished into the tree are there unless they close a loop") {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const int vertices = 2 + round % 9, count = round % 16;
    std::vector<Edge> edges = random_edges(vertices, count, random);
    CAPTURE(round);
    std::vector<int> distance(static_cast<std::size_t>(vertices), vertices);
    distance[0] = 0;
    for (int pass = 0; pass < vertices; ++pass)
      for (const Edge& edge : edges) {
        int &a = distance[static_cast<std::size_t>(edge.parent)], &b = distance[static_cast<std::size_t>(edge.child)];
        a = std::min(a, b + 1), b = std::min(b, a + 1);
      }
    const SpanningTree tree = span(vertices, edges, 0);
    std::vector<int> depth(static_cast<std::size_t>(vertices), vertices);
    depth[0] = 0;
    for (const SpanningTree::Link& link : tree.links)
      depth[static_cast<std::size_t>(link.child)] = depth[static_cast<std::size_t>(link.parent)] + 1;
    CHECK(depth == distance);
    CHECK(tree.links.size() + tree.unreached.size() + 1 == static_cast<std::size_t>(vertices));

    // The first edges wished: as many of them in the tree as they connect vertices that the root reaches.
    const std::size_t wished = edges.size() / 2;
    std::vector<int> leader(static_cast<std::size_t>(vertices));
    for (int v = 0; v < vertices; ++v) leader[static_cast<std::size_t>(v)] = v;
    int expected = 0, found = 0;
    for (std::size_t e = 0; e < wished; ++e) {
      edges[e].wish = Edge::Wish::tree;
      const int a = leader[static_cast<std::size_t>(edges[e].parent)], b = leader[static_cast<std::size_t>(edges[e].child)];
      if (a == b) continue;
      if (distance[static_cast<std::size_t>(edges[e].parent)] < vertices) ++expected;
      for (int& l : leader) l = l == a ? b : l;
    }
    for (const SpanningTree::Link& link : span(vertices, edges, 0).links) found += static_cast<std::size_t>(link.edge) < wished ? 1 : 0;
    CHECK(found == expected);
  }
}
