#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <random>
#include <sstream>
#include <stdexcept>

#include "arthron/schedule/extent.hpp"
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
TaskGraph random_graph(unsigned seed, int tasks, Depths& depths) {
  std::mt19937 random(seed);
  TaskGraph graph;
  for (int t = 0; t < tasks; ++t) {
    TaskGraph::Task task;
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
  for (const auto& [cost, after] : std::vector<std::tuple<double, std::vector<int>>>{{10, {}}, {100, {0}}, {80, {0}}, {5, {1, 2}}})
    graph.tasks.push_back({{{nullptr, 0, "", cost}}, after});
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

TEST_CASE("workers do every piece once, in an order that heeds what waits for what") {
  for (const int threads : {1, 2, 3, 8}) {
    CAPTURE(threads);
    Workers workers(threads);
    std::vector<TaskGraph> graphs(50);  // that stay where they are
    for (unsigned seed = 1; seed <= 50; ++seed) {
      CAPTURE(seed);
      Depths depths;
      const TaskGraph& graph = graphs[seed - 1] = random_graph(seed, 60, depths);
      Serial().run(graph, &depths);
      const std::vector<int> expected = depths.depth;
      std::fill(depths.depth.begin(), depths.depth.end(), 0);
      workers.run(graph, &depths);
      CHECK(depths.depth == expected);
    }
  }
}

TEST_CASE("two independent halves are expected to take nearly half the time on two workers") {
  TaskGraph graph;
  for (int t = 0; t < 8; ++t) graph.tasks.push_back({{{nullptr, t, "", 10'000}}, {}});
  const double speed_up = expected_speed_up(graph, expected_costs(graph), 2);
  CHECK(speed_up > 1.8);
  CHECK(speed_up < 2);
  CHECK(expected_speed_up(graph, expected_costs(graph), 1) == 1);
}

TEST_CASE("tasks are named by their stages and by what they compute, and drawn so") {
  TaskGraph graph = diamond();
  graph.compounds = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"car.front", "car.rear"});
  graph.tasks[1].pieces = {{nullptr, 0, "fold", 1}, {nullptr, 1, "fold", 1}, {nullptr, 0, "unfold", 1}};
  graph.tasks[2].compound = 1, graph.tasks[2].pieces[0].name = "fold";
  CHECK(task_name(graph, 1) == "fold, unfold: car.front");
  CHECK(task_name(graph, 2) == "fold: car.rear");
  const std::string dot = tasks_in_dot(graph, "car");
  for (const char* text : {"digraph", "\"fold, unfold: car.front\"", "\"fold: car.rear\""}) {
    CAPTURE(text);
    CHECK(dot.find(text) != std::string::npos);
  }
  std::size_t edges = 0;
  for (std::size_t at = dot.find("->"); at != std::string::npos; at = dot.find("->", at + 1)) ++edges;
  CHECK(edges == 4);
}

TEST_CASE("a record of tasks has each by its name, and no more than asked for") {
  Depths depths;
  TaskGraph graph = random_graph(3, 20, depths);
  Workers workers(2);
  workers.record(100);
  for (int i = 0; i < 50; ++i) workers.run(graph, &depths);
  std::ostringstream out;
  workers.write_record(out);
  const std::string text = out.str();
  std::size_t written = 0;
  for (std::size_t at = text.find("\"write\""); at != std::string::npos; at = text.find("\"write\"", at + 1)) ++written;
  CHECK(written >= 80);
  CHECK(written <= 120);
}

TEST_CASE("workers run graphs again and again, awake or not, as one does") {
  for (const int threads : {2, 3, 8}) {
    CAPTURE(threads);
    Depths depths;
    const TaskGraph graph = random_graph(7, 80, depths);
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
  for (int t = 0; t < 12; ++t) graph.tasks.push_back({{{Round::run, t, "", 1e6}}, t < 3 ? std::vector<int>{} : std::vector{t - 3}});
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
