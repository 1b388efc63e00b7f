#pragma once
#include <atomic>
#include <taskflow/taskflow.hpp>

#include "arthron/core/parallel.hpp"

namespace arthron {

/// A graph of work as one of Taskflow: a task for each of its tasks, named by its stages and by what they compute, and an edge for each
/// that waits. It refers to the graph, which must stay where it is.
class TaskFlow {
 public:
  TaskFlow(const TaskGraph& graph, void* context);
  TaskFlow(const TaskFlow&) = delete;
  TaskFlow& operator=(const TaskFlow&) = delete;

  [[nodiscard]] const void* context() const { return context_; }
  /// Runs it, within a worker of the executor. Passes on the first thing that a piece throws.
  void run(tf::Executor& executor);
  /// In Graphviz's language.
  [[nodiscard]] std::string dump(const std::string& name) {
    flow_.name(name);
    return flow_.dump();
  }

 private:
  void* context_;
  tf::Taskflow flow_;
  std::atomic<int> round_ = 0;
};

}  // namespace arthron
