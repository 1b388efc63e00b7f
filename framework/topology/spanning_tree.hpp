#pragma once
#include <vector>

/// What is asked of bodies and joints once all that stands still is one vertex: trees, and which loops are coupled.
namespace arthron {

struct Edge {
  int parent = 0, child = 0;  // vertices
  enum class Wish { none, rather_tree, tree, rather_chord, chord } wish = Wish::none;
  int strength = 0;  // of edges that are rather in the tree, or rather chords, the strongest are there first
};

struct SpanningTree {
  struct Link {
    int edge = 0;
    int parent = 0, child = 0;  // in the tree: parent is nearer the root
    bool reversed = false;      // the edge was given from tree child to tree parent
  };
  std::vector<Link> links;     // depth first: every vertex after its tree parent, chains contiguous
  std::vector<int> chords;     // edges that close loops
  std::vector<int> unreached;  // vertices with no path to the root
};

/// Spanning tree from `root`: edges wished into the tree first, then those that are rather there, then those that keep every vertex as near
/// the root as it can be (breadth first, ties to the edge given first), then those that are rather chords; edges wished to be chords never,
/// even where that leaves vertices unreached.
[[nodiscard]] SpanningTree span(int vertices, const std::vector<Edge>& edges, int root);

/// Per edge, the cluster of coupled loops that it is in, -1 for edges in no loop: two edges are in one cluster when some loop has both.
struct LoopClusters {
  int count = 0;
  std::vector<int> of_edge;
};
[[nodiscard]] LoopClusters loop_clusters(int vertices, const std::vector<Edge>& edges);

}  // namespace arthron
