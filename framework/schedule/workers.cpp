#include "arthron/schedule/workers.hpp"

#include <sched.h>

#include <exception>
#include <map>
#include <ostream>
#include <utility>

#include "arthron/schedule/share_out.hpp"
#include "arthron/schedule/task_flow.hpp"

namespace arthron {

namespace {

/// Gives every worker a core of its own where there are enough: two of them on one core wait for each other in vain.
class OwnCores final : public tf::WorkerInterface {
 public:
  void scheduler_prologue(tf::Worker& worker) override {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(core, &allowed)) cores.push_back(core);
    if (worker.id() >= cores.size()) return;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(cores[worker.id()], &own);
    sched_setaffinity(0, sizeof own, &own);
  }
  void scheduler_epilogue(tf::Worker&, std::exception_ptr) override {}
};

std::shared_ptr<tf::WorkerInterface> own_cores(int threads) {
  return threads <= available_cores() ? std::make_shared<OwnCores>() : nullptr;
}

}  // namespace

struct Workers::Group {
  explicit Group(int threads) : executor(threads, own_cores(threads)) {}

  /// Within a worker that is there already, or in one that is woken for it.
  void be_awake(const std::function<void()>& work) {
    if (executor.this_worker_id() >= 0) return work();
    tf::Taskflow one;
    one.emplace([&work] { work(); }).name("simulation");
    executor.run(one).get();
  }

  void run(const TaskGraph& graph, void* context) {
    std::unique_ptr<TaskFlow>& flow = flows[&graph];
    if (!flow || flow->context() != context) flow = std::make_unique<TaskFlow>(graph, context);
    if (observer && observer->num_tasks() >= tasks_to_record) executor.remove_observer(std::exchange(observer, nullptr));
    be_awake([&] { flow->run(executor); });
  }

  std::map<const TaskGraph*, std::unique_ptr<TaskFlow>> flows;
  std::shared_ptr<tf::ChromeObserver> record, observer;  // the second one while it watches
  std::size_t tasks_to_record = 0;
  tf::Executor executor;
};

Workers::Workers(int threads) : group_(std::make_unique<Group>(threads)) {}
Workers::~Workers() = default;

void Workers::run(const TaskGraph& graph, void* context) {
  // A task alone has nobody to share it with.
  if (graph.tasks.size() < 2 && !group_->observer)
    Serial().run(graph, context);
  else
    group_->run(graph, context);
}

void Workers::awake(const std::function<void()>& work) { group_->be_awake(work); }

void Workers::record(int tasks) {
  group_->tasks_to_record = tasks;
  group_->record = group_->observer = group_->executor.make_observer<tf::ChromeObserver>();
}

void Workers::write_record(std::ostream& out) const {
  if (group_->record) group_->record->dump(out);
}

}  // namespace arthron
