#include "arthron/schedule/coarsen.hpp"

#include <algorithm>
#include <numeric>

namespace arthron {

namespace {

using std::size_t;

/// Per place, the worker it is given to.
std::vector<int> share_places(const TaskGraph& graph, const std::vector<double>& costs, int workers) {
  std::vector<double> cost(graph.places, 0);
  for (size_t t = 0; t < graph.tasks.size(); ++t) cost[graph.tasks[t].place] += costs[t];
  const double total = std::accumulate(cost.begin(), cost.end(), 0.0);
  std::vector<int> worker(cost.size(), 0);
  double before = 0;
  for (size_t p = 0; p < cost.size(); ++p) {
    if (total > 0) worker[p] = std::min(workers - 1, static_cast<int>((before + cost[p] / 2) / total * workers));
    before += cost[p];
  }
  return worker;
}

/// The order in which workers come to their tasks when each does, of what is ready, what most has to wait for.
std::vector<int> order_of(const TaskGraph& graph, const std::vector<double>& costs, const std::vector<int>& worker, int workers) {
  const std::vector<double> way = ways_to_go(graph, costs);
  const auto next = followers(graph);
  std::vector<int> waits(graph.tasks.size()), order;
  std::vector<double> ready_at(graph.tasks.size(), 0), free_at(workers, 0);
  std::vector<std::vector<int>> ready(workers);
  for (size_t t = 0; t < graph.tasks.size(); ++t) {
    waits[t] = static_cast<int>(graph.tasks[t].after.size());
    if (waits[t] == 0) ready[worker[t]].push_back(static_cast<int>(t));
  }
  while (order.size() < graph.tasks.size()) {
    // The worker that can begin first, with the task that has the longest way to go of those that are ready then.
    int best = -1;
    double start = 0;
    for (size_t w = 0; w < ready.size(); ++w)
      for (const int t : ready[w]) {
        const double begin = std::max(free_at[w], ready_at[t]);
        if (best < 0 || begin < start || (begin == start && way[t] > way[best])) best = t, start = begin;
      }
    const size_t b = best, w = worker[b];
    ready[w].erase(std::find(ready[w].begin(), ready[w].end(), best));
    order.push_back(best);
    free_at[w] = start + costs[b];
    for (const int f : next[b]) {
      ready_at[f] = std::max(ready_at[f], free_at[w]);
      if (--waits[f] == 0) ready[worker[f]].push_back(f);
    }
  }
  return order;
}

/// Per task, the last one of each other worker that it waits for: earlier ones are done by then.
std::vector<std::vector<int>> last_of_others(const TaskGraph& graph, const std::vector<int>& worker, const std::vector<int>& order,
                                             int workers) {
  std::vector<int> position(order.size());
  for (size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<int>(i);
  std::vector<std::vector<int>> result(graph.tasks.size());
  std::vector<int> last(workers);
  for (size_t t = 0; t < graph.tasks.size(); ++t) {
    std::fill(last.begin(), last.end(), -1);
    for (const int before : graph.tasks[t].after) {
      int& latest = last[worker[before]];
      if (latest < 0 || position[before] > position[latest]) latest = before;
    }
    for (int w = 0; w < workers; ++w)
      if (w != worker[t] && last[w] >= 0) result[t].push_back(last[w]);
  }
  return result;
}

/// The graph, and the cost of each of its tasks.
struct Shared {
  TaskGraph graph;
  std::vector<double> costs;
};

Shared share(const TaskGraph& graph, const std::vector<double>& costs, int workers) {
  const std::vector<int> worker_of_place = share_places(graph, costs, workers);
  std::vector<int> worker;
  for (const TaskGraph::Task& task : graph.tasks) worker.push_back(worker_of_place[task.place]);
  const std::vector<int> order = order_of(graph, costs, worker, workers);
  const std::vector<std::vector<int>> others = last_of_others(graph, worker, order, workers);
  std::vector<bool> awaited(graph.tasks.size(), false);  // by another worker
  for (const std::vector<int>& waited_for : others)
    for (const int before : waited_for) awaited[before] = true;

  Shared result;
  TaskGraph& shared = result.graph;
  shared.places = workers;
  std::vector<int> place(graph.tasks.size(), -1), last(workers, -1);  // in the shared graph
  std::vector<bool> open(workers, false);                             // whether a worker's last task may grow
  for (const int t : order) {
    const TaskGraph::Task& task = graph.tasks[t];
    const size_t w = worker[t];
    if (!open[w] || !others[t].empty()) {
      std::vector<int> after;
      for (const int before : others[t]) after.push_back(place[before]);
      if (last[w] >= 0) after.push_back(last[w]);
      last[w] = static_cast<int>(shared.tasks.size());
      shared.tasks.push_back({{}, std::move(after), static_cast<int>(w)});
      result.costs.push_back(0);
    }
    place[t] = last[w];
    std::vector<Piece>& pieces = shared.tasks[last[w]].pieces;
    pieces.insert(pieces.end(), task.pieces.begin(), task.pieces.end());
    result.costs[last[w]] += costs[t];
    open[w] = !awaited[t];
  }
  return result;
}

}  // namespace

TaskGraph coarsen(const TaskGraph& graph, const std::vector<double>& costs, int workers) { return share(graph, costs, workers).graph; }

double expected_speed_up(const TaskGraph& graph, const std::vector<double>& costs, int workers) {
  if (workers == 1 || graph.tasks.size() < 2) return 1;
  const Shared shared = share(graph, costs, workers);
  return expected_time(graph, costs, 1) / expected_time(shared.graph, shared.costs, workers);
}

}  // namespace arthron
