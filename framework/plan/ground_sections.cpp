#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/cuthill_mckee_ordering.hpp>
#include <map>
#include <numeric>
#include <set>

#include "arthron/plan/closure_nodes.hpp"
#include "arthron/plan/passes.hpp"

/// Nested dissection of the loops that come together on the ground: parts are divided in halves with few loops between them, each half
/// again, and the loops of a half are closed before those that run across.
namespace arthron {

namespace {

using std::size_t;

constexpr double worth_dividing = 100e3;  // expected cost of closing the loops of a section [ns]
constexpr double operation = 0.1;         // of a row on a pair of others [ns]

class Dissection {
 public:
  Dissection(const std::vector<int>& complete, const std::vector<int>& nodes, Plan& plan) : plan_(plan), left_(complete) {
    for (const int n : nodes) {
      const ClosureNode& node = plan.closure_nodes[n];
      const int part = part_of(n);
      const auto [entry, fresh] = place_.try_emplace(part, vertices_.size());
      if (fresh) vertices_.push_back({part, {}});
      vertices_[entry->second].nodes.push_back(n);
      for (size_t k = static_cast<size_t>(node.eliminated); k < node.closures.size(); ++k)
        through_[node.closures[k]].insert(static_cast<int>(entry->second));
    }
    std::sort(left_.begin(), left_.end());
  }

  /// Nodes of the ground, and what is left for it to close.
  std::pair<std::vector<int>, std::vector<int>> divide() {
    std::vector<int> all(vertices_.size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<int> nodes = halves(all).nodes;
    return {std::move(nodes), std::move(left_)};
  }

 private:
  struct Vertex {
    int part;
    std::vector<int> nodes;
  };
  /// What is passed on to whoever closes the rest.
  struct Section {
    std::vector<int> nodes, parts;
  };

  [[nodiscard]] int part_of(int n) const {
    if (const int body = plan_.closure_nodes[n].body; body >= 0) return plan_.part_of_body[body];
    for (int p = 0; p < shared_part(plan_); ++p)
      if (part(plan_, p).ground_node == n) return p;
    return -1;
  }

  /// Closures that are left and run through nothing but these.
  [[nodiscard]] std::vector<int> within(const std::vector<int>& set) const {
    std::vector<int> list;
    for (const int c : left_) {
      const auto found = through_.find(c);
      if (found != through_.end() &&
          std::all_of(found->second.begin(), found->second.end(), [&](int v) { return std::binary_search(set.begin(), set.end(), v); }))
        list.push_back(c);
    }
    return list;
  }

  [[nodiscard]] double cost(const std::vector<int>& closures) const {
    double sum = 0;
    for (const int c : closures) {
      std::set<int> coupled;
      for (const int v : through_.at(c))
        for (const int n : vertices_[v].nodes) {
          const ClosureNode& node = plan_.closure_nodes[n];
          coupled.insert(node.closures.begin() + node.eliminated, node.closures.end());
        }
      double rows = 0;
      for (const int other : coupled) rows += plan_.closures[other].rows;
      sum += operation * plan_.closures[c].rows * rows * rows;
    }
    return sum;
  }

  /// In an order in which neighbours lie close to one another.
  [[nodiscard]] std::vector<int> row(const std::vector<int>& set) const {
    using Graph = boost::adjacency_list<
        boost::setS, boost::vecS, boost::undirectedS,
        boost::property<boost::vertex_color_t, boost::default_color_type, boost::property<boost::vertex_degree_t, int>>>;
    Graph graph(set.size());
    const auto number = [&](int v) { return std::lower_bound(set.begin(), set.end(), v) - set.begin(); };
    for (const auto& [closure, vertices] : through_)
      for (const int a : vertices)
        for (const int b : vertices)
          if (a < b && std::binary_search(set.begin(), set.end(), a) && std::binary_search(set.begin(), set.end(), b))
            add_edge(static_cast<size_t>(number(a)), static_cast<size_t>(number(b)), graph);
    std::vector<size_t> order(set.size());
    cuthill_mckee_ordering(graph, order.begin(), get(boost::vertex_color, graph), make_degree_map(graph));
    std::vector<int> list;
    for (const size_t at : order) list.push_back(set[at]);
    return list;
  }

  /// Where a row of parts is cut: within its middle half, with the fewest rows of loops across.
  [[nodiscard]] size_t cut(const std::vector<int>& row) const {
    std::map<int, size_t> at;
    for (size_t i = 0; i < row.size(); ++i) at[row[i]] = i;
    std::vector<int> across(row.size() + 1, 0);
    for (const auto& [closure, vertices] : through_) {
      size_t first = row.size(), last = 0;
      for (const int v : vertices)
        if (const auto found = at.find(v); found != at.end()) first = std::min(first, found->second), last = std::max(last, found->second);
      for (size_t i = first; i < last; ++i) across[i + 1] += plan_.closures[closure].rows;
    }
    size_t best = row.size() / 2;
    for (size_t i = std::max<size_t>(1, row.size() / 4); i <= row.size() - std::max<size_t>(1, row.size() / 4); ++i)
      if (across[i] < across[best]) best = i;
    return best;
  }

  /// The halves of a set of parts, as far as they are worth dividing; the loops across are left.
  Section halves(const std::vector<int>& set) {
    Section all;
    if (set.size() < 4 || cost(within(set)) < worth_dividing) {
      for (const int v : set) {
        all.nodes.insert(all.nodes.end(), vertices_[v].nodes.begin(), vertices_[v].nodes.end());
        all.parts.push_back(vertices_[v].part);
      }
      return all;
    }
    const std::vector<int> order = row(set);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(cut(order));
    for (std::vector<int> half : {std::vector<int>(order.begin(), middle), std::vector<int>(middle, order.end())}) {
      std::sort(half.begin(), half.end());
      Section part = close(half);
      all.nodes.insert(all.nodes.end(), part.nodes.begin(), part.nodes.end());
      all.parts.insert(all.parts.end(), part.parts.begin(), part.parts.end());
    }
    return all;
  }

  /// Closes the loops of a set of parts in a node of their own; where there are none its nodes are passed on as they are.
  Section close(const std::vector<int>& set) {
    Section below = halves(set);
    const std::vector<int> closures = within(set);
    if (closures.empty()) return below;
    for (const int c : closures) left_.erase(std::lower_bound(left_.begin(), left_.end(), c));
    std::set<int> open;
    for (const int n : below.nodes) {
      const ClosureNode& node = plan_.closure_nodes[n];
      open.insert(node.closures.begin() + node.eliminated, node.closures.end());
    }
    for (const int c : closures) open.erase(c);
    ClosureNode node;
    node.children = below.nodes;
    order_node(plan_, closures, {open.begin(), open.end()}, node);
    const int number = static_cast<int>(plan_.closure_nodes.size());
    plan_.closure_nodes.push_back(std::move(node));
    plan_.ground_sections.push_back({number, cost(closures), below.parts});
    return {{number}, below.parts};
  }

  Plan& plan_;
  std::vector<int> left_;                 // closures that nobody closes yet, ascending
  std::vector<Vertex> vertices_;          // parts with loops that are open towards the ground
  std::map<int, size_t> place_;           // part -> vertex
  std::map<int, std::set<int>> through_;  // per closure, vertices
};

}  // namespace

void divide_ground(std::vector<int>& complete, std::vector<int>& nodes, Plan& plan) {
  std::tie(nodes, complete) = Dissection(complete, nodes, plan).divide();
}

}  // namespace arthron
