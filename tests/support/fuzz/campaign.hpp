#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "support/fuzz/cases.hpp"
#include "support/fuzz/isolated.hpp"

namespace arthron::fuzz {

/// What many inputs came to.
struct Tally {
  struct Slow {
    double seconds = 0;
    std::uint64_t number = 0;
  };
  std::uint64_t inputs = 0, succeeded = 0, refused = 0, failed = 0, interrupted = 0, faults = 0;
  std::array<Slow, 5> slowest{};
};

/// Runs the inputs first, first + 1, ... of a seed, batches of them in processes of their own, so that one that crashes or hangs is known
/// and the others go on. Each fault is kept in a folder below `faults`: the files, the command and the reason.
[[nodiscard]] Tally run_inputs(const Corpus& corpus, std::uint64_t seed, std::uint64_t first, std::uint64_t count,
                               const std::string& faults);

/// Runs the command of such a folder again, in a process and a working folder of its own; gives the fault, empty when there is none.
[[nodiscard]] std::string replay(const std::string& folder, const std::string& built);

/// Writes an input as such a folder.
void keep(const Corpus& corpus, const Case& made, const std::string& reason, const std::string& folder);

}  // namespace arthron::fuzz
