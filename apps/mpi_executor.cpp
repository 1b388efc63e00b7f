#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>

#include "arthron/core/diagnostic.hpp"
#include "arthron/study/executor.hpp"

/// The only user of MPI. Rank 0 leads: it hands out batches to whoever asks and takes the lines, and works on batches itself on a second
/// thread. Every other rank sends the lines of its last batch and with that asks for another; an empty batch ends it.
namespace arthron {
namespace {

enum Tag : int { tag_hello, tag_lines, tag_leave, tag_batch };

void send(int rank, Tag tag, const std::string& text) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, tag, MPI_COMM_WORLD);
}

void send(int rank, std::span<const std::size_t> batch) {
  const std::vector<std::uint64_t> numbers(batch.begin(), batch.end());
  MPI_Send(numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T, rank, tag_batch, MPI_COMM_WORLD);
}

std::string receive_text(const MPI_Status& message) {
  int size = 0;
  MPI_Get_count(&message, MPI_CHAR, &size);
  std::string text(size, '\0');
  MPI_Recv(text.data(), size, MPI_CHAR, message.MPI_SOURCE, message.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return text;
}

std::vector<std::size_t> receive_batch() {
  MPI_Status message;
  MPI_Probe(0, tag_batch, MPI_COMM_WORLD, &message);
  int size = 0;
  MPI_Get_count(&message, MPI_UINT64_T, &size);
  std::vector<std::uint64_t> numbers(size);
  MPI_Recv(numbers.data(), size, MPI_UINT64_T, 0, tag_batch, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return {numbers.begin(), numbers.end()};
}

/// Lines one after the other, each with its newline.
std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

class Leader {
 public:
  Leader(const Job& job, int followers) : job_(job), followers_(followers) {}

  void run() {
    std::thread own([this] { guarded([this] { work(); }); });
    while (followers_ > 0) guarded([this] { listen(); });
    own.join();
    if (trouble_) std::rethrow_exception(trouble_);
  }

 private:
  /// The number of a batch to begin; that behind the last when there is none.
  std::size_t take() { return stopped_ || !job_.proceed() ? job_.batches() : std::min(next_++, job_.batches()); }

  void work() {
    for (std::size_t number = take(); number < job_.batches(); number = take()) deliver(joined(job_.work(job_.pieces_of(number))));
  }

  void listen() {
    MPI_Status message;
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message);
    // Waiting inside MPI would take a whole core from the other thread.
    if (!there) return std::this_thread::sleep_for(std::chrono::microseconds(50));
    const std::string text = receive_text(message);
    const bool misled = message.MPI_TAG == tag_hello && text != job_.name && !job_.name.empty();
    if (misled) stopped_ = true;
    if (message.MPI_TAG == tag_leave) {
      --followers_;
    } else {
      const std::size_t number = take();
      if (number == job_.batches()) --followers_;
      send(message.MPI_SOURCE, number == job_.batches() ? std::span<const std::size_t>() : job_.pieces_of(number));
    }
    if (misled)
      throw ModelError({{"", 0, "mpirun", "other files at rank " + std::to_string(message.MPI_SOURCE) + " than at rank 0",
                         "the same study at all ranks", ""}});
    if (message.MPI_TAG != tag_hello) deliver(text);
  }

  void deliver(const std::string& text) {
    const std::lock_guard alone(one_at_a_time_);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin) + 1;
      job_.deliver(text.substr(begin, end - begin));
      begin = end;
    }
  }

  template <class Step>
  void guarded(const Step& step) {
    try {
      step();
    } catch (...) {
      stopped_ = true;
      const std::lock_guard alone(one_at_a_time_);
      if (!trouble_) trouble_ = std::current_exception();
    }
  }

  const Job& job_;
  int followers_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex one_at_a_time_;
  std::exception_ptr trouble_;
};

void follow(const Job& job) {
  send(0, tag_hello, job.name);
  for (std::vector<std::size_t> batch = receive_batch(); !batch.empty(); batch = receive_batch()) {
    std::vector<std::string> lines;
    try {
      lines = job.work(batch);
    } catch (...) {
      send(0, tag_leave, "");
      throw;
    }
    const bool interrupted = lines.size() < batch.size();
    send(0, interrupted ? tag_leave : tag_lines, joined(lines));
    if (interrupted) return;
  }
}

class MpiExecutor final : public Executor {
 public:
  MpiExecutor() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  MpiExecutor(const MpiExecutor&) = delete;
  MpiExecutor& operator=(const MpiExecutor&) = delete;
  /// Nobody waits for one who has found a mistake and shares nothing.
  ~MpiExecutor() override {
    if (!shared_ && leads()) {
      Job nothing;
      nothing.proceed = [] { return false; };
      Leader(nothing, size_ - 1).run();
    } else if (!shared_) {
      send(0, tag_leave, "");
    }
    MPI_Finalize();
  }

  [[nodiscard]] bool leads() const override { return rank_ == 0; }
  [[nodiscard]] std::string words() const override { return std::to_string(size_) + " MPI processes"; }
  void share(const Job& job) override {
    shared_ = true;
    leads() ? Leader(job, size_ - 1).run() : follow(job);
  }

 private:
  int rank_ = 0, size_ = 1;
  bool shared_ = false;
};

}  // namespace
}  // namespace arthron

extern "C" arthron::Executor* arthron_mpi_executor() { return new arthron::MpiExecutor(); }
