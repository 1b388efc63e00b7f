#include "arthron/schedule/workers.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <taskflow/taskflow.hpp>
#include <utility>

#include "arthron/schedule/coarsen.hpp"
#include "arthron/schedule/share_out.hpp"

namespace arthron {

namespace {

/// Waits for what is nearly there. Giving up the core would cost milliseconds where others want it too, so that is for when there are fewer
/// cores than workers, or when it takes long after all.
template <class Ready>
void wait_until(bool enough_cores, const Ready& ready) {
  const int patience = enough_cores ? 100'000 : 100;
  for (int i = 0; !ready(); ++i) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    if (i > patience) std::this_thread::yield();
  }
}

/// Set when a task is done; of its own cache line, because another worker may be looking at it all the time.
struct alignas(64) Mark {
  std::atomic<std::uint64_t> round = 0;
};

/// The first thing that is thrown in a round. All others do their share nevertheless, on whatever numbers there are, so that nobody waits
/// in vain; then the round throws it.
class Thrown {
 public:
  template <class Work>
  void watch(const Work& work) noexcept {
    try {
      work();
    } catch (...) {
      if (!taken_.exchange(true)) what_ = std::current_exception();
    }
  }
  /// When all have done their share.
  void pass_on() {
    if (!taken_.load(std::memory_order_relaxed)) return;
    taken_ = false;
    std::rethrow_exception(std::exchange(what_, nullptr));
  }

 private:
  std::atomic<bool> taken_ = false;
  std::exception_ptr what_;
};

/// A graph shared out among workers, for one context: each does its share in order and waits where it needs what another one has not done
/// yet. So a worker keeps its part of the numbers in its own cache from one evaluation to the next, and handing over takes no longer than a
/// cache line.
class SharedGraph {
 public:
  SharedGraph(const TaskGraph& graph, void* context, int workers)
      : context_(context),
        enough_cores_(workers <= available_cores()),
        graph_(coarsen(graph, expected_costs(graph), workers)),
        marks_(graph_.tasks.size()),
        shares_(workers) {
    for (std::size_t t = 0; t < graph_.tasks.size(); ++t) shares_[graph_.tasks[t].place].push_back(t);
  }

  [[nodiscard]] void* context() const { return context_; }
  /// Before all begin to work.
  void next_round() { ++round_; }
  /// What one worker has to do.
  void work(int worker, Thrown& thrown) {
    for (const std::size_t t : shares_[worker]) {
      for (const int before : graph_.tasks[t].after) {
        const Mark& mark = marks_[before];
        wait_until(enough_cores_, [&] { return mark.round.load(std::memory_order_acquire) == round_; });
      }
      thrown.watch([&] {
        for (const Piece& piece : graph_.tasks[t].pieces) piece.run(context_, piece.index);
      });
      marks_[t].round.store(round_, std::memory_order_release);
    }
  }

 private:
  void* context_;
  bool enough_cores_;
  TaskGraph graph_;
  std::vector<Mark> marks_;
  std::vector<std::vector<std::size_t>> shares_;
  std::uint64_t round_ = 0;
};

/// Decides from the times it is told whether the next round is shared: a few are done by one worker to know what that takes, then all are
/// shared until they have taken longer for a while.
class Watch {
 public:
  [[nodiscard]] bool shares() const { return alone_ == 0; }
  void took(bool shared, double seconds) {
    if (!shared) {
      by_one_ = std::min(by_one_, seconds);
      if (--alone_ == 0) excess_ = 0;
      return;
    }
    excess_ = std::max(0.0, excess_ + seconds - by_one_);
    if (++shared_for_ % relearn == 0) alone_ = 1;
    if (excess_ > patience * by_one_) alone_ = rest, by_one_ = std::numeric_limits<double>::infinity();
  }

 private:
  static constexpr int first = 3, rest = 200, relearn = 1000;
  static constexpr double patience = 4;  // rounds lost before sharing is given up for a while
  int alone_ = first;                    // rounds still to be done by one worker
  std::int64_t shared_for_ = 0;
  double by_one_ = std::numeric_limits<double>::infinity(), excess_ = 0;
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

/// While the group is awake, each worker is in one task of a Taskflow graph: the first to come does what was asked for, the others do their
/// share of every graph that it comes to.
struct Workers::Group {
  explicit Group(int threads) : workers(threads), enough_cores(threads <= available_cores()), executor(threads, own_cores(threads)) {
    for (int worker = 0; worker < threads; ++worker) shift.emplace([this] { take_part(); });
  }

  void be_awake(const std::function<void()>& asked_for) {
    task = &asked_for;
    thrown = nullptr;
    present = 0, leader = -1;
    ended = false;
    executor.run(shift).wait();
    if (thrown) std::rethrow_exception(thrown);
  }

  void share(SharedGraph& next) {
    // Only the leader comes here while the group is awake.
    if (executor.this_worker_id() < 0) return be_awake([&] { share(next); });
    shared = &next;
    busy.store(workers - 1, std::memory_order_relaxed);
    round.fetch_add(1, std::memory_order_release);
    shared->work(leader, thrown_by_share);
    wait_until(enough_cores, [this] { return busy.load(std::memory_order_acquire) == 0; });
    thrown_by_share.pass_on();
  }

  /// A round by one worker or by all, whichever has been faster.
  void run_watched(const TaskGraph& graph, void* context) {
    Watch& watch = watches[&graph];
    const bool shares = watch.shares();
    const auto start = std::chrono::steady_clock::now();
    if (shares)
      run_shared(graph, context);
    else
      Serial().run(graph, context);
    watch.took(shares, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }

  void run_shared(const TaskGraph& graph, void* context) {
    std::unique_ptr<SharedGraph>& own = graphs[&graph];
    if (!own || own->context() != context) own = std::make_unique<SharedGraph>(graph, context, workers);
    own->next_round();
    share(*own);
  }

  const int workers;
  const bool enough_cores;

 private:
  void take_part() {
    const int here = executor.this_worker_id();
    const std::uint64_t rounds_before = round.load(std::memory_order_acquire);
    if (present++ == 0)
      lead(here);
    else
      follow(here, rounds_before);
  }

  void lead(int here) {
    leader = here;
    // Those who come later must know the rounds from the first on.
    wait_until(enough_cores, [this] { return present == workers; });
    try {
      (*task)();
    } catch (...) {
      thrown = std::current_exception();
    }
    ended.store(true, std::memory_order_release);
  }

  void follow(int here, std::uint64_t seen) {
    for (bool done = false; !done;) {
      wait_until(enough_cores, [&] {
        done = ended.load(std::memory_order_acquire);
        return done || round.load(std::memory_order_acquire) != seen;
      });
      // The end comes after the last round has been done by all.
      if (done) return;
      ++seen;
      shared->work(here, thrown_by_share);
      busy.fetch_sub(1, std::memory_order_release);
    }
  }

  tf::Executor executor;
  tf::Taskflow shift;
  std::map<const TaskGraph*, std::unique_ptr<SharedGraph>> graphs;
  std::map<const TaskGraph*, Watch> watches;
  const std::function<void()>* task = nullptr;
  std::exception_ptr thrown;
  Thrown thrown_by_share;
  std::atomic<int> present = 0;
  int leader = -1;
  SharedGraph* shared = nullptr;
  alignas(64) std::atomic<std::uint64_t> round = 0;
  alignas(64) std::atomic<int> busy = 0;
  std::atomic<bool> ended = false;
};

Workers::Workers(int threads, Sharing sharing) : sharing_(sharing), team_(std::make_unique<Group>(threads)) {}
Workers::~Workers() = default;

void Workers::run(const TaskGraph& graph, void* context) {
  if (sharing_ == Sharing::where_it_pays)
    team_->run_watched(graph, context);
  else
    team_->run_shared(graph, context);
}

void Workers::awake(const std::function<void()>& work) { team_->be_awake(work); }

}  // namespace arthron
