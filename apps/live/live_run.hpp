#pragma once
#include <functional>
#include <iosfwd>

#include "arthron/simulation/run.hpp"
#include "run_options.hpp"

namespace arthron::cli {

/// What `run --live` works with besides the model.
struct LiveSetup {
  RunOptions options;
  RunObserver observer;                      // proceed: false ends the run, or the waiting after it
  RunRecord earlier;                         // of the run that is resumed
  std::function<Status(Simulation&)> start;  // puts a new simulation into its first state
  std::function<void()> begin_anew;          // rows so far are void
};

/// Runs a model as run() does, to the last bit, but no faster than real time times a speed, and shows it to web browsers, which may pause
/// it, change its speed and its tunable parameters, start it anew and stop it. At its end it stays to be looked at until it is stopped or
/// interrupted. The address is written to `say`. Throws ModelError for a port that cannot be had.
[[nodiscard]] RunSummary run_live(LiveSetup setup, std::ostream& say);

}  // namespace arthron::cli
