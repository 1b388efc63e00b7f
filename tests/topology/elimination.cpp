#include "arthron/topology/elimination.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

/// Orders of elimination with the fill that they bring. Source of truth: eliminating vertex by vertex in a table of who is coupled with
/// whom.
using namespace arthron;

namespace {

using Couplings = std::vector<std::pair<int, int>>;

/// Checks the order, and the fill against a table; returns how many entries are coupled with those eliminated.
int check_order(int vertices, int eliminated, const Couplings& couplings) {
  const EliminationOrder found = minimum_degree(vertices, eliminated, couplings);
  REQUIRE(found.order.size() == static_cast<std::size_t>(vertices));
  REQUIRE(found.later.size() == static_cast<std::size_t>(vertices));
  const std::set<int> all(found.order.begin(), found.order.end());
  CHECK(all.size() == static_cast<std::size_t>(vertices));
  for (int v = eliminated; v < vertices; ++v) CHECK(found.order[static_cast<std::size_t>(v)] == v);

  std::vector<std::set<int>> table(static_cast<std::size_t>(vertices));
  const auto place = [&](int v) { return static_cast<int>(std::find(found.order.begin(), found.order.end(), v) - found.order.begin()); };
  for (const auto& [a, b] : couplings)
    if (a != b) table[static_cast<std::size_t>(place(a))].insert(place(b)), table[static_cast<std::size_t>(place(b))].insert(place(a));
  int entries = 0;
  for (int i = 0; i < vertices; ++i) {
    const std::set<int>& own = table[static_cast<std::size_t>(i)];
    const std::vector<int> later(own.upper_bound(i), own.end());
    CHECK(found.later[static_cast<std::size_t>(i)] == later);
    if (i >= eliminated) continue;
    entries += static_cast<int>(later.size());
    for (const int a : later)
      for (const int b : later)
        if (a != b) table[static_cast<std::size_t>(a)].insert(b);
  }
  return entries;
}

Couplings grid(int size) {
  Couplings list;
  for (int i = 0; i < size * size; ++i) {
    if ((i + 1) % size != 0) list.emplace_back(i, i + 1);
    if (i + size < size * size) list.emplace_back(i, i + size);
  }
  return list;
}

}  // namespace

TEST_CASE("random patterns: the fill is that of eliminating one vertex after the other, those that stay are last and in their order") {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const int vertices = 1 + round % 17, eliminated = static_cast<int>(random() % static_cast<unsigned>(vertices + 1));
    std::uniform_int_distribution<int> vertex(0, vertices - 1);
    Couplings couplings;
    for (int i = 0; i < round % 40; ++i) couplings.emplace_back(vertex(random), vertex(random));
    CAPTURE(round);
    check_order(vertices, eliminated, couplings);
  }
  check_order(0, 0, {});
}

TEST_CASE("all coupled with all: any order, and no more entries than there are pairs") {
  for (const int vertices : {2, 3, 7, 30}) {
    Couplings couplings;
    for (int a = 0; a < vertices; ++a)
      for (int b = 0; b < a; ++b) couplings.emplace_back(a, b);
    CHECK(check_order(vertices, vertices, couplings) == vertices * (vertices - 1) / 2);
  }
}

TEST_CASE("trees are eliminated without fill, from their leaves") {
  std::mt19937 random(2);
  for (int vertices = 2; vertices < 60; ++vertices) {
    Couplings couplings;
    for (int v = 1; v < vertices; ++v) couplings.emplace_back(static_cast<int>(random() % static_cast<unsigned>(v)), v);
    CHECK(check_order(vertices, vertices, couplings) == vertices - 1);
  }
}

TEST_CASE("a net of loops has far less fill than row by row") {
  // Row by row every one but the last row's is coupled with `size` later ones.
  for (const int size : {8, 16, 24}) {
    const int entries = check_order(size * size, size * size, grid(size));
    CAPTURE(size);
    CHECK(entries < size * size * size * 2 / 3);
  }
}
