#pragma once
#include <vector>

#include "arthron/core/parallel.hpp"

namespace arthron {

/// How much there is to do, and how much of it must be done one after the other, each in the unit of the costs.
struct Extent {
  double work = 0, span = 0;
};

/// What a task is called: its stages, and whose numbers they compute: "fold, unfold: car.front".
[[nodiscard]] std::string task_name(const TaskGraph& graph, int task);
/// The graph as Taskflow dumps it, in Graphviz's language.
[[nodiscard]] std::string tasks_in_dot(const TaskGraph& graph, const std::string& name);

/// Cost of each task as the planner expects it [ns].
[[nodiscard]] std::vector<double> expected_costs(const TaskGraph& graph);
/// The same as measured on one worker [ns]: the least of several runs.
[[nodiscard]] std::vector<double> measured_costs(const TaskGraph& graph, void* context, int runs = 20);

[[nodiscard]] Extent extent(const TaskGraph& graph, const std::vector<double>& costs);
[[nodiscard]] inline Extent expected_extent(const TaskGraph& graph) { return extent(graph, expected_costs(graph)); }

/// Per task, those that wait for it.
[[nodiscard]] std::vector<std::vector<int>> followers(const TaskGraph& graph);
/// Per task: cost of the longest way from its beginning to the end of all.
[[nodiscard]] std::vector<double> ways_to_go(const TaskGraph& graph, const std::vector<double>& costs);

/// What Taskflow takes for a task, and for starting and ending the graph [ns].
struct Overhead {
  double task = 150, graph = 1500;
};

/// How long `workers` take when each that is free takes the ready task with the most to come after it [ns]. One worker has no overhead.
[[nodiscard]] double expected_time(const TaskGraph& graph, const std::vector<double>& costs, int workers, const Overhead& overhead = {});
/// How many times as fast as one worker so many would be.
[[nodiscard]] double expected_speed_up(const TaskGraph& graph, const std::vector<double>& costs, int workers);

}  // namespace arthron
