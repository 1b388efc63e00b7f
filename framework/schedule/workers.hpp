#pragma once
#include <functional>
#include <memory>

#include "arthron/core/parallel.hpp"

namespace arthron {

/// A Taskflow executor. Graphs are handed to it once and started anew with every call.
class Workers final : public Parallel {
 public:
  /// `always` shares every graph; `where_it_pays` watches how long that takes, and goes back to one worker while others need the cores.
  enum class Sharing { always, where_it_pays };
  explicit Workers(int threads, Sharing sharing = Sharing::always);
  ~Workers() override;

  /// Passes on the first thing that a piece throws, when nobody is at work any more.
  void run(const TaskGraph& graph, void* context) override;
  /// Does `work` on one of the workers and keeps the others looking for tasks, so that the graphs it runs begin at once: waking a sleeping
  /// worker takes microseconds. Passes on what `work` throws.
  void awake(const std::function<void()>& work);

 private:
  struct Group;
  Sharing sharing_;
  std::unique_ptr<Group> team_;
};

}  // namespace arthron
