#pragma once

namespace arthron {

/// Runs independent pieces of work, in any order, perhaps at the same time; returns when all are done. Pieces write to places of their own,
/// so the numbers do not depend on the order. The kernel knows this interface; who implements it knows threads.
class Parallel {
 public:
  virtual ~Parallel() = default;

  /// Calls work(index) for every index in [0, count).
  template <class Work>
  void for_each(int count, const Work& work) {
    run(count, &work, [](const void* context, int index) { (*static_cast<const Work*>(context))(index); });
  }

 protected:
  using Piece = void (*)(const void* context, int index);
  virtual void run(int count, const void* context, Piece piece) = 0;
};

/// One piece after the other.
class Serial final : public Parallel {
  void run(int count, const void* context, Piece piece) override {
    for (int i = 0; i < count; ++i) piece(context, i);
  }
};

}  // namespace arthron
