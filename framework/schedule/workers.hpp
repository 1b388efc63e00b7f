#pragma once
#include <memory>

#include "arthron/core/parallel.hpp"

namespace arthron {

/// A Taskflow executor whose workers share the pieces in contiguous ranges. The graph is built once; a call starts it anew.
class Workers final : public Parallel {
 public:
  explicit Workers(int threads);
  ~Workers() override;

 private:
  void run(int count, const void* context, Piece piece) override;

  struct Graph;
  std::unique_ptr<Graph> graph_;
};

}  // namespace arthron
