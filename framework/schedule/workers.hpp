#pragma once
#include <functional>
#include <iosfwd>
#include <memory>

#include "arthron/core/parallel.hpp"

namespace arthron {

/// A Taskflow executor with each worker on a core of its own. A graph is made one of Taskflow when it is first run.
class Workers final : public Parallel {
 public:
  explicit Workers(int threads);
  ~Workers() override;

  /// Passes on the first thing that a piece throws, when nobody is at work any more.
  void run(const TaskGraph& graph, void* context) override;
  /// Does `work` on one of the workers; graphs that it runs begin without waking one from outside, which takes microseconds. Passes on what
  /// `work` throws.
  void awake(const std::function<void()>& work);

  /// Records from now on which worker does which task when, up to so many tasks.
  void record(int tasks);
  /// What was recorded, in the JSON of Chrome's tracing and of Perfetto.
  void write_record(std::ostream& out) const;

 private:
  struct Group;
  std::unique_ptr<Group> group_;
};

}  // namespace arthron
