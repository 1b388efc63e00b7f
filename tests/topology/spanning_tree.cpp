#include "arthron/topology/spanning_tree.hpp"

#include <doctest/doctest.h>

using namespace arthron;

TEST_CASE("span follows reversed edges, keeps chains contiguous and finds loops and islands") {
  //  0 - 1 - 2 - 3,  1 - 4 (given from 4), chord 3 - 1, island 5 - 6
  const SpanningTree tree = span(7, {{0, 1}, {1, 2}, {2, 3}, {4, 1}, {3, 1}, {5, 6}}, 0);
  std::vector<int> order;
  for (const auto& link : tree.links) order.push_back(link.child);
  CHECK(order.size() == 4);
  CHECK(order[0] == 1);
  CHECK(tree.chords.size() == 1);
  CHECK(tree.unreached == std::vector<int>{5, 6});
  for (const auto& link : tree.links) CHECK(link.reversed == (link.edge == 3 || link.edge == 4));
}

TEST_CASE("every vertex comes after its tree parent, also in a long chain") {
  std::vector<Edge> edges;
  for (int i = 0; i < 20000; ++i) edges.push_back({i, i + 1});
  const SpanningTree tree = span(20001, edges, 0);
  REQUIRE(tree.links.size() == 20000);
  for (std::size_t i = 0; i < tree.links.size(); ++i) CHECK(tree.links[i].parent == static_cast<int>(i));
}

TEST_CASE(
    "edges that are rather chords connect what nothing else does, the strongest first, and carry nothing where there is another way") {
  using Wish = Edge::Wish;
  // A ring 0 - 1 - 2 - 3 - 0 whose vertex 2 is joined by edges that are rather chords.
  const SpanningTree ring = span(4, {{0, 1}, {1, 2, Wish::rather_chord, 1}, {2, 3, Wish::rather_chord, 3}, {3, 0}}, 0);
  CHECK(ring.chords == std::vector<int>{1});
  CHECK(ring.unreached.empty());
  // Where 3 has no other edge, it hangs on 2 all the same.
  const SpanningTree chain = span(4, {{0, 1}, {1, 2, Wish::rather_chord, 1}, {2, 3, Wish::rather_chord, 3}}, 0);
  CHECK(chain.chords.empty());
  CHECK(chain.unreached.empty());
}
