#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace arthron {

/// One thing a graph of work does: a stage of the computation on one element of its list.
struct Piece {
  void (*run)(void* context, int index) = nullptr;
  int index = 0;
  std::string_view name{};  // of the stage
  double cost = 0;          // expected [ns]
};

/// Work with its order: tasks may run at the same time unless one waits for the other. They write to places of their own and read what the
/// tasks they wait for have written, so that the numbers do not depend on who runs what when. In the order of the list, every task comes
/// after those it waits for.
struct TaskGraph {
  struct Task {
    std::vector<Piece> pieces;  // one after the other
    std::vector<int> after;     // tasks it waits for
    int compound = 0;           // whose numbers it writes
  };
  std::vector<Task> tasks;
  std::shared_ptr<const std::vector<std::string>> compounds{};  // their names
};

/// Runs work, perhaps at the same time. The kernel knows this interface; who implements it knows threads.
class Parallel {
 public:
  virtual ~Parallel() = default;

  /// Runs a graph, which must stay as and where it is between calls, for one and the same context.
  virtual void run(const TaskGraph& graph, void* context) = 0;
};

/// One after the other.
class Serial final : public Parallel {
 public:
  void run(const TaskGraph& graph, void* context) override {
    for (const TaskGraph::Task& task : graph.tasks)
      for (const Piece& piece : task.pieces) piece.run(context, piece.index);
  }
};

}  // namespace arthron
