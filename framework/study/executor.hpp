#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace arthron {

/// Work in numbered pieces, each of which ends in some lines of text.
struct Job {
  std::string name;                     // the same for all who work on it
  std::span<const std::size_t> pieces;  // numbers of those to be done
  std::size_t batch = 1;                // as many are handed out together
  /// The text of each of these pieces, in their order; fewer when the work is being interrupted. Called from several threads at once.
  std::function<std::vector<std::string>(std::span<const std::size_t> pieces)> work;
  /// Takes what came of pieces, whole lines, one call at a time, in the process that leads.
  std::function<void(const std::string& line)> deliver;
  /// False: nothing more is begun.
  std::function<bool()> proceed;

  [[nodiscard]] std::size_t batches() const { return (pieces.size() + batch - 1) / batch; }
  [[nodiscard]] std::span<const std::size_t> pieces_of(std::size_t number) const {
    return pieces.subspan(number * batch, std::min(batch, pieces.size() - number * batch));
  }
};

/// Those who share a job: the threads of this process, or several processes, of which one leads and keeps the record.
class Executor {
 public:
  virtual ~Executor() = default;
  [[nodiscard]] virtual bool leads() const { return true; }
  /// "2 threads"
  [[nodiscard]] virtual std::string words() const = 0;
  /// Returns when all that was begun is done. Whoever does not lead is given pieces by the one who does.
  virtual void share(const Job& job) = 0;
};

class ThreadExecutor final : public Executor {
 public:
  /// As many threads as there are cores that the process may use, unless told otherwise.
  explicit ThreadExecutor(int threads = 0);
  [[nodiscard]] std::string words() const override;
  void share(const Job& job) override;

 private:
  int threads_;
};

}  // namespace arthron
