#include "support/fuzz/isolated.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <new>
#include <vector>

#include "arthron/core/sanitizer.hpp"

using namespace arthron::fuzz;

namespace {

constexpr Limits brief{1, 60, std::size_t{1} << 30};

}  // namespace

TEST_CASE("work that comes to its end leaves no complaint") {
  CHECK(run_isolated(brief, [] { start_clock(brief); }).empty());
}

TEST_CASE("work that crashes is told from the process that watches it") {
  CHECK(run_isolated(brief, [] { std::raise(SIGSEGV); }).starts_with("crashes: "));
  CHECK(run_isolated(brief, [] { std::abort(); }).starts_with("crashes: "));
}

TEST_CASE("work that computes for ever is ended") {
  const std::string ended = run_isolated(brief, [] {
    start_clock(brief);
    for (std::atomic<int> i = 0;; ++i) {
    }
  });
  CHECK(ended == "hangs: more than 1 s");
}

TEST_CASE("an interruption reaches whoever catches it, and ends nothing else") {
  CHECK(run_isolated(brief, [] {
          static volatile std::sig_atomic_t interrupted = 0;
          std::signal(SIGINT, [](int) { interrupted = 1; });
          start_clock(brief, 0.05);
          while (interrupted == 0) {
          }
        }).empty());
  CHECK(run_isolated(brief, [] {
          start_clock(brief, 0.01);
          for (std::atomic<int> i = 0; i < 10'000'000; ++i) {
          }
        }).empty());
}

#if !ARTHRON_SANITIZER_ADDRESS && !ARTHRON_SANITIZER_THREAD
TEST_CASE("memory beyond the limit is refused") {
  CHECK(run_isolated(brief, [] {
          try {
            std::vector<char> much(std::size_t{3} << 30, 'a');
          } catch (const std::bad_alloc&) {
            _exit(7);
          }
        }) == "the process ends with 7");
}
#endif
