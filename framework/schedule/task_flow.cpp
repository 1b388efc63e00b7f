#include "arthron/schedule/task_flow.hpp"

#include "arthron/schedule/extent.hpp"

namespace arthron {

TaskFlow::TaskFlow(const TaskGraph& graph, void* context) : context_(context) {
  const int count = static_cast<int>(graph.tasks.size());
  std::vector<tf::Task> tasks;
  tasks.reserve(count);
  for (int t = 0; t < count; ++t) {
    const TaskGraph::Task& task = graph.tasks[t];
    tasks.push_back(flow_.emplace([this, &task] {
      // Taskflow gives tasks to workers by fences, which the thread sanitizer does not see.
      (void)round_.load(std::memory_order_acquire);
      for (const Piece& piece : task.pieces) piece.run(context_, piece.index);
    }));
    tasks[t].name(task_name(graph, t));
    for (const int before : task.after) tasks[before].precede(tasks[t]);
  }
}

void TaskFlow::run(tf::Executor& executor) {
  round_.fetch_add(1, std::memory_order_release);
  executor.corun(flow_);
}

std::string tasks_in_dot(const TaskGraph& graph, const std::string& name) {
  TaskFlow flow(graph, nullptr);
  std::string dot = flow.dump(name);
  // Tasks that nothing connects would stand in one endless row.
  dot.insert(dot.find('{') + 1, "\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=11];\n");
  return dot;
}

}  // namespace arthron
