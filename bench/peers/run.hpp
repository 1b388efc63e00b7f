#pragma once
#include <memory>
#include <stdexcept>
#include <string>

#include "mechanism.hpp"

namespace arthron::peers {

/// What is looked at on the way: points in the world, and the energy [J], NaN where it is not kept.
struct Sample {
  std::vector<Vector> points;
  double energy = 0;
};

/// A run that has had its time.
struct TookTooLong : std::runtime_error {
  TookTooLong() : std::runtime_error("takes too long") {}
};

/// A system on its way under one method of one engine, at its start when made.
class Run {
 public:
  Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  virtual ~Run() = default;

  /// Goes on to the time t; this is what is timed. Throws where the method gives up, and TookTooLong when the thread's clock passes
  /// `deadline`.
  virtual void advance(double t, double deadline) = 0;
  [[nodiscard]] virtual Sample sample() = 0;
  [[nodiscard]] virtual long long evaluations() const = 0;
};

/// A point of the design position that a link carries.
struct Point {
  int link = Link::ground;
  Vector at{};
};

/// What the library simbody_runs offers.
struct SimbodyRuns {
  std::vector<std::string> integrators;
  /// From a motion at time 0 on. Steps end where advance does: what Simbody interpolates in between is of third order.
  std::unique_ptr<Run> (*make)(const Mechanism& mechanism, const Motion& start, const std::vector<Point>& points,
                               const std::string& integrator, double accuracy);
  static constexpr const char* symbol = "arthron_simbody_runs";
  using Offer = const SimbodyRuns& (*)();
};

}  // namespace arthron::peers
