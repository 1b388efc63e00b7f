#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <random>
#include <stdexcept>

#include "arthron/schedule/coarsen.hpp"
#include "arthron/schedule/workers.hpp"

using namespace arthron;

namespace {

/// Task t writes 1 + the largest of those it waits for, so that a graph run in a wrong order shows.
struct Depths {
  std::vector<std::vector<int>> after;
  std::vector<int> depth;

  static void write(void* context, int task) {
    Depths& all = *static_cast<Depths*>(context);
    int deepest = 0;
    for (const int before : all.after[task]) deepest = std::max(deepest, all.depth[before]);
    all.depth[task] = deepest + 1;
  }
};

/// A random graph; each task waits for up to three earlier ones.
TaskGraph random_graph(unsigned seed, int tasks, int places, Depths& depths) {
  std::mt19937 random(seed);
  TaskGraph graph;
  graph.places = places;
  for (int t = 0; t < tasks; ++t) {
    TaskGraph::Task task;
    task.place = static_cast<int>(random() % static_cast<unsigned>(places));
    task.pieces.push_back({Depths::write, t, "write", 1 + static_cast<double>(random() % 10)});
    for (unsigned k = random() % 4; k > 0 && t > 0; --k) task.after.push_back(static_cast<int>(random() % static_cast<unsigned>(t)));
    depths.after.push_back(task.after);
    graph.tasks.push_back(task);
  }
  depths.depth.assign(tasks, 0);
  return graph;
}

/// Two halves that wait for a beginning, and an end that waits for both.
TaskGraph diamond() {
  TaskGraph graph;
  graph.places = 2;
  for (const auto& [cost, place, after] :
       std::vector<std::tuple<double, int, std::vector<int>>>{{10, 0, {}}, {100, 0, {0}}, {80, 1, {0}}, {5, 0, {1, 2}}})
    graph.tasks.push_back({{{nullptr, 0, "", cost}}, after, place});
  return graph;
}

}  // namespace

TEST_CASE("work is the sum of all costs, span the longest chain of tasks that wait for one another") {
  const TaskGraph graph = diamond();
  const Extent extent = expected_extent(graph);
  CHECK(extent.work == 195);
  CHECK(extent.span == 115);
  const std::vector<double> costs = expected_costs(graph);
  CHECK(expected_time(graph, costs, 1) == 195);
  CHECK(expected_time(graph, costs, 2, {0, 0}) == 115);
  CHECK(expected_time(graph, costs, 64, {0, 0}) == 115);
  // Three tasks one after the other on the longest way.
  CHECK(expected_time(graph, costs, 2, {1, 7}) == 115 + 3 + 7);
}

TEST_CASE("a graph shared out among workers does every piece once, in an order that heeds what waits for what") {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    Depths depths;
    const TaskGraph graph = random_graph(seed, 60, 1 + static_cast<int>(seed % 13), depths);
    Serial().run(graph, &depths);
    const std::vector<int> expected = depths.depth;
    for (const int workers : {1, 2, 3, 8}) {
      CAPTURE(workers);
      const TaskGraph shared = coarsen(graph, expected_costs(graph), workers);
      std::vector<int> seen(graph.tasks.size(), 0);
      for (std::size_t t = 0; t < shared.tasks.size(); ++t) {
        for (const int before : shared.tasks[t].after) CHECK(before < static_cast<int>(t));
        for (const Piece& piece : shared.tasks[t].pieces) ++seen[piece.index];
      }
      CHECK(seen == std::vector<int>(graph.tasks.size(), 1));
      std::fill(depths.depth.begin(), depths.depth.end(), 0);
      Serial().run(shared, &depths);
      CHECK(depths.depth == expected);
    }
  }
}

TEST_CASE("two independent halves become one task for each of two workers") {
  TaskGraph graph;
  graph.places = 8;
  for (int t = 0; t < 8; ++t) graph.tasks.push_back({{{nullptr, t, "", 10}}, {}, t});
  const TaskGraph shared = coarsen(graph, expected_costs(graph), 2);
  REQUIRE(shared.tasks.size() == 2);
  CHECK(shared.tasks[0].pieces.size() == 4);
  CHECK(shared.tasks[1].pieces.size() == 4);
  CHECK(expected_speed_up(graph, expected_costs(graph), 2) < 2);
}

TEST_CASE("workers run graphs again and again, awake or not, as one does") {
  for (const int threads : {2, 3, 8}) {
    CAPTURE(threads);
    Depths depths;
    const TaskGraph graph = random_graph(7, 80, 9, depths);
    Serial().run(graph, &depths);
    const std::vector<int> expected = depths.depth;
    Workers workers(threads);
    const auto check_round = [&] {
      std::fill(depths.depth.begin(), depths.depth.end(), 0);
      workers.run(graph, &depths);
      CHECK(depths.depth == expected);
    };
    for (int i = 0; i < 20; ++i) check_round();
    for (int session = 0; session < 5; ++session)
      workers.awake([&] {
        for (int i = 0; i < 20; ++i) check_round();
      });
    // Another context for the same graph.
    Depths other = depths;
    std::fill(other.depth.begin(), other.depth.end(), 0);
    workers.run(graph, &other);
    CHECK(other.depth == expected);
  }
}

TEST_CASE("sharing where it pays gives the same, whoever does the work") {
  Depths depths;
  const TaskGraph graph = random_graph(11, 40, 5, depths);
  Serial().run(graph, &depths);
  const std::vector<int> expected = depths.depth;
  Workers workers(2, Workers::Sharing::where_it_pays);
  workers.awake([&] {
    for (int i = 0; i < 2500; ++i) {
      std::fill(depths.depth.begin(), depths.depth.end(), 0);
      workers.run(graph, &depths);
      REQUIRE(depths.depth == expected);
    }
  });
}

TEST_CASE("what is thrown while workers are awake comes out, and they can be woken again") {
  Workers workers(3);
  CHECK_THROWS_AS(workers.awake([] { throw std::runtime_error("no"); }), std::runtime_error);
  bool done = false;
  workers.awake([&] { done = true; });
  CHECK(done);
}

TEST_CASE("what a piece throws on any worker reaches whoever waits, and the next round is whole again") {
  struct Round {
    int bad = -1;
    std::array<std::atomic<int>, 12> done{};
    static void run(void* context, int task) {
      Round& round = *static_cast<Round*>(context);
      ++round.done[task];
      if (task == round.bad) throw std::runtime_error("piece " + std::to_string(task));
    }
  } round;
  TaskGraph graph;
  graph.places = 3;
  for (int t = 0; t < 12; ++t) graph.tasks.push_back({{{Round::run, t, "", 1e6}}, t < 3 ? std::vector<int>{} : std::vector{t - 3}, t % 3});
  Workers workers(3);
  for (int bad = 0; bad < 12; ++bad) {
    CAPTURE(bad);
    round.bad = bad;
    CHECK_THROWS_WITH(workers.run(graph, &round), ("piece " + std::to_string(bad)).c_str());
  }
  round.bad = -1;
  for (std::atomic<int>& done : round.done) done = 0;
  CHECK_NOTHROW(workers.run(graph, &round));
  for (const std::atomic<int>& done : round.done) CHECK(done.load() == 1);
}
