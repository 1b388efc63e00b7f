#include "arthron/schedule/workers.hpp"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <taskflow/taskflow.hpp>

#include "arthron/schedule/coarsen.hpp"
#include "arthron/schedule/share_out.hpp"

namespace arthron {

namespace {

/// Set when a task is done; of its own cache line, because another worker may be looking at it all the time.
struct alignas(64) Mark {
  std::atomic<std::uint64_t> round = 0;
};

/// A graph shared out among workers, for one context: as many Taskflow tasks as workers, each of which does its share in order and waits
/// where it needs what another one has not done yet. So a worker keeps its part of the numbers in its own cache from one evaluation to the
/// next, and handing over takes no longer than a cache line.
class SharedGraph {
 public:
  SharedGraph(const TaskGraph& graph, void* context, int workers)
      : context_(context), graph_(coarsen(graph, expected_costs(graph), workers)), marks_(graph_.tasks.size()) {
    for (int worker = 0; worker < workers; ++worker) {
      std::vector<std::size_t> share;
      for (std::size_t t = 0; t < graph_.tasks.size(); ++t)
        if (graph_.tasks[t].place == worker) share.push_back(t);
      flow_.emplace([this, share = std::move(share)] { work(share); });
    }
  }

  [[nodiscard]] void* context() const { return context_; }
  /// To be run; every time anew.
  tf::Taskflow& next_round() {
    ++round_;
    return flow_;
  }

 private:
  void work(const std::vector<std::size_t>& share) {
    for (const std::size_t t : share) {
      for (const int before : graph_.tasks[t].after) wait_for(marks_[static_cast<std::size_t>(before)]);
      for (const Piece& piece : graph_.tasks[t].pieces) piece.run(context_, piece.index);
      marks_[t].round.store(round_, std::memory_order_release);
    }
  }

  /// What one waits for is nearly there, unless there are fewer cores than workers.
  void wait_for(const Mark& mark) const {
    constexpr int patience = 2000;
    for (int i = 0; mark.round.load(std::memory_order_acquire) != round_; ++i)
      if (i > patience) std::this_thread::yield();
  }

  void* context_;
  TaskGraph graph_;
  std::vector<Mark> marks_;
  std::uint64_t round_ = 0;
  tf::Taskflow flow_;
};

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

struct Workers::Team {
  explicit Team(int threads) : executor(static_cast<std::size_t>(threads), own_cores(threads)) {
    for (int worker = 0; worker < threads; ++worker)
      slices.emplace([this, worker, threads] {
        const auto bound = [&](int i) { return static_cast<int>(static_cast<long long>(count) * i / threads); };
        for (int index = bound(worker); index < bound(worker + 1); ++index) call(context, index);
      });
  }

  SharedGraph& shared(const TaskGraph& graph, void* of) {
    std::unique_ptr<SharedGraph>& place = graphs[&graph];
    if (!place || place->context() != of) place = std::make_unique<SharedGraph>(graph, of, static_cast<int>(executor.num_workers()));
    return *place;
  }

  /// On a worker, which takes part; else on all others.
  void run(tf::Taskflow& flow) {
    if (executor.this_worker_id() >= 0)
      executor.corun(flow);
    else
      executor.run(flow).wait();
  }

  tf::Executor executor;
  std::map<const TaskGraph*, std::unique_ptr<SharedGraph>> graphs;
  tf::Taskflow slices;
  int count = 0;
  const void* context = nullptr;
  Call call = nullptr;
};

Workers::Workers(int threads) : threads_(threads), team_(std::make_unique<Team>(threads)) {}
Workers::~Workers() = default;

void Workers::run(const TaskGraph& graph, void* context) { team_->run(team_->shared(graph, context).next_round()); }

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
