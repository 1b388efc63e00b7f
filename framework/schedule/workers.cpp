#include "arthron/schedule/workers.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <taskflow/taskflow.hpp>

#include "arthron/schedule/coarsen.hpp"

namespace arthron {

struct Workers::Team {
  explicit Team(int threads) : executor(static_cast<std::size_t>(threads)) {
    for (int worker = 0; worker < threads; ++worker)
      slices.emplace([this, worker, threads] {
        const auto bound = [&](int i) { return static_cast<int>(static_cast<long long>(count) * i / threads); };
        for (int index = bound(worker); index < bound(worker + 1); ++index) call(context, index);
      });
  }

  /// A graph shared out, for one context.
  struct Prepared {
    void* context = nullptr;
    TaskGraph shared;
    tf::Taskflow flow;
  };

  tf::Taskflow& flow_of(const TaskGraph& graph, void* context_of_graph) {
    Prepared& prepared = graphs[&graph];
    if (prepared.context == context_of_graph && !prepared.flow.empty()) return prepared.flow;
    prepared.context = context_of_graph;
    prepared.shared = coarsen(graph, expected_costs(graph), static_cast<int>(executor.num_workers()));
    prepared.flow.clear();
    std::vector<tf::Task> tasks;
    for (const TaskGraph::Task& task : prepared.shared.tasks)
      tasks.push_back(prepared.flow.emplace([&task, context_of_graph] {
        for (const Piece& piece : task.pieces) piece.run(context_of_graph, piece.index);
      }));
    // A worker goes on with the last task that became ready: let that be one of its own share.
    for (const bool own : {false, true})
      for (std::size_t t = 0; t < tasks.size(); ++t)
        for (const int before : prepared.shared.tasks[t].after)
          if (own == (prepared.shared.tasks[t].place == prepared.shared.tasks[static_cast<std::size_t>(before)].place))
            tasks[t].succeed(tasks[static_cast<std::size_t>(before)]);
    return prepared.flow;
  }

  /// On a worker, which takes part; else on all others.
  void run(tf::Taskflow& flow) {
    if (executor.this_worker_id() >= 0)
      executor.corun(flow);
    else
      executor.run(flow).wait();
  }

  tf::Executor executor;
  std::map<const TaskGraph*, Prepared> graphs;
  tf::Taskflow slices;
  int count = 0;
  const void* context = nullptr;
  Call call = nullptr;
};

Workers::Workers(int threads) : threads_(threads), team_(std::make_unique<Team>(threads)) {}
Workers::~Workers() = default;

void Workers::run(const TaskGraph& graph, void* context) { team_->run(team_->flow_of(graph, context)); }

void Workers::run(int count, const void* context, Call call) {
  // Sharing a few pieces takes longer than doing them.
  if (count < 8) {
    for (int index = 0; index < count; ++index) call(context, index);
    return;
  }
  team_->count = count, team_->context = context, team_->call = call;
  team_->run(team_->slices);
}

void Workers::awake(const std::function<void()>& work) {
  tf::Executor& executor = team_->executor;
  const auto own = [&] {
    const int here = executor.this_worker_id();
    std::atomic<bool> done = false;
    std::atomic<int> awake = 0;
    std::vector<std::future<void>> others;
    // A worker that takes part in a graph may pick up any task, this one too, and must not wait for itself.
    for (int worker = 1; worker < threads_; ++worker)
      others.push_back(executor.async([&] {
        ++awake;
        if (executor.this_worker_id() != here) executor.corun_until([&] { return done.load(std::memory_order_acquire); });
      }));
    constexpr std::chrono::microseconds patience(20);
    const auto start = std::chrono::steady_clock::now();
    while (awake < threads_ - 1 && std::chrono::steady_clock::now() < start + patience) std::this_thread::yield();
    std::exception_ptr thrown;
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
    done.store(true, std::memory_order_release);
    executor.corun_until([&] { return awake == threads_ - 1; });
    for (std::future<void>& other : others) other.wait();
    if (thrown) std::rethrow_exception(thrown);
  };
  if (executor.this_worker_id() >= 0)
    own();
  else
    executor.async(own).get();
}

}  // namespace arthron
