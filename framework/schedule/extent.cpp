#include "arthron/schedule/extent.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

namespace arthron {

using std::size_t;

std::string task_name(const TaskGraph& graph, int number) {
  const TaskGraph::Task& task = graph.tasks[number];
  std::string name;
  std::string_view last;
  for (const Piece& piece : task.pieces) {
    if (piece.name == last) continue;
    name += (name.empty() ? "" : ", ") + std::string(piece.name);
    last = piece.name;
  }
  return graph.compounds ? name + ": " + (*graph.compounds)[task.compound] : name;
}

std::vector<std::vector<int>> followers(const TaskGraph& graph) {
  std::vector<std::vector<int>> result(graph.tasks.size());
  for (size_t t = 0; t < graph.tasks.size(); ++t)
    for (const int before : graph.tasks[t].after) result[before].push_back(static_cast<int>(t));
  return result;
}

std::vector<double> ways_to_go(const TaskGraph& graph, const std::vector<double>& costs) {
  std::vector<double> way(costs);
  const auto next = followers(graph);
  for (size_t t = graph.tasks.size(); t-- > 0;) {
    double longest = 0;
    for (const int f : next[t]) longest = std::max(longest, way[f]);
    way[t] += longest;
  }
  return way;
}

std::vector<double> expected_costs(const TaskGraph& graph) {
  std::vector<double> costs;
  for (const TaskGraph::Task& task : graph.tasks)
    costs.push_back(
        std::accumulate(task.pieces.begin(), task.pieces.end(), 0.0, [](double sum, const Piece& piece) { return sum + piece.cost; }));
  return costs;
}

std::vector<double> measured_costs(const TaskGraph& graph, void* context, int runs) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> costs(graph.tasks.size(), std::numeric_limits<double>::infinity());
  for (int run = 0; run < runs; ++run)
    for (size_t t = 0; t < graph.tasks.size(); ++t) {
      const auto start = Clock::now();
      for (const Piece& piece : graph.tasks[t].pieces) piece.run(context, piece.index);
      costs[t] = std::min(costs[t], std::chrono::duration<double, std::nano>(Clock::now() - start).count());
    }
  return costs;
}

Extent extent(const TaskGraph& graph, const std::vector<double>& costs) {
  const std::vector<double> way = ways_to_go(graph, costs);
  return {std::accumulate(costs.begin(), costs.end(), 0.0), way.empty() ? 0 : *std::max_element(way.begin(), way.end())};
}

double expected_time(const TaskGraph& graph, const std::vector<double>& costs, int workers, const Overhead& overhead) {
  if (workers == 1) return std::accumulate(costs.begin(), costs.end(), 0.0);
  const std::vector<double> way = ways_to_go(graph, costs);
  const auto next = followers(graph);
  std::vector<int> waits(graph.tasks.size());
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry> ready;                                        // longest way first
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> running;  // end of task
  for (size_t t = 0; t < graph.tasks.size(); ++t) {
    waits[t] = static_cast<int>(graph.tasks[t].after.size());
    if (waits[t] == 0) ready.emplace(way[t], static_cast<int>(t));
  }
  double now = overhead.graph;
  while (!ready.empty() || !running.empty()) {
    while (!ready.empty() && static_cast<int>(running.size()) < workers) {
      const int t = ready.top().second;
      ready.pop();
      running.emplace(now + overhead.task + costs[t], t);
    }
    now = running.top().first;
    for (const int f : next[running.top().second])
      if (--waits[f] == 0) ready.emplace(way[f], f);
    running.pop();
  }
  return now;
}

double expected_speed_up(const TaskGraph& graph, const std::vector<double>& costs, int workers) {
  if (workers == 1 || graph.tasks.size() < 2) return 1;
  return expected_time(graph, costs, 1) / expected_time(graph, costs, workers);
}

}  // namespace arthron
