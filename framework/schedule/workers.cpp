#include "arthron/schedule/workers.hpp"

#include <taskflow/taskflow.hpp>

namespace arthron {

struct Workers::Graph {
  explicit Graph(int threads) : executor(static_cast<std::size_t>(threads)) {
    for (int worker = 0; worker < threads; ++worker)
      tasks.emplace([this, worker, threads] {
        const auto bound = [&](int i) { return static_cast<int>(static_cast<long long>(count) * i / threads); };
        for (int index = bound(worker); index < bound(worker + 1); ++index) piece(context, index);
      });
  }
  tf::Executor executor;
  tf::Taskflow tasks;
  int count = 0;
  const void* context = nullptr;
  Piece piece = nullptr;
};

Workers::Workers(int threads) : graph_(std::make_unique<Graph>(threads)) {}
Workers::~Workers() = default;

void Workers::run(int count, const void* context, Piece piece) {
  // Waking the workers costs microseconds: a few pieces are done sooner than shared.
  if (count < 8) {
    for (int index = 0; index < count; ++index) piece(context, index);
    return;
  }
  graph_->count = count, graph_->context = context, graph_->piece = piece;
  graph_->executor.run(graph_->tasks).wait();
}

}  // namespace arthron
