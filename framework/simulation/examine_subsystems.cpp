#include "arthron/simulation/examine_subsystems.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "arthron/model/hierarchy.hpp"
#include "arthron/simulation/examine_loops.hpp"

namespace arthron {
namespace {

using std::size_t;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// As its file draws it.
std::shared_ptr<const Model> in_own_frame(const Plan& plan, int subsystem) {
  const Placement& placement = plan.model->subsystems[subsystem].placement;
  return std::make_shared<const Model>(placed(alone(*plan.model, subsystem).model, inverse(placement)));
}

/// Seconds of one evaluation, the median of some samples that are long enough for the clock.
double median_time(const Plan& plan, Workspace& work, const State& state) {
  using Clock = std::chrono::steady_clock;
  constexpr double shortest = 2e-4;  // [s]
  std::vector<double> qdot(plan.nq), pdot(plan.nu);
  const auto sample = [&](int count) {
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i) (void)evaluate_rates(plan, state.t, state.q.data(), state.p.data(), qdot.data(), pdot.data(), work);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  int count = 1;
  while (sample(count) < shortest && count < 1 << 20) count *= 2;
  std::array<double, 11> samples{};
  for (double& time : samples) time = sample(count) / count;
  std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
  return samples[samples.size() / 2];
}

std::vector<std::string> loops_alone(const Plan& plan, int subsystem) {
  Simulation simulation(in_own_frame(plan, subsystem));
  const LoopReport report = simulation.start().ok() ? examine_loops(simulation) : LoopReport{};
  std::vector<std::string> lines;
  for (const int c : simulation.plan().subsystems.front().loops) {
    const bool told = c < std::ssize(report.remarks);
    lines.push_back(describe_closure(simulation.plan(), c, told ? report.remarks[c] : ""));
  }
  return lines;
}

double time_alone(const Plan& plan, int subsystem) {
  const auto part = compile(std::make_shared<const Model>(alone(*plan.model, subsystem).model));
  const auto work = make_workspace(*part);
  State state;
  return initial_state(*part, *work, state).ok() ? median_time(*part, *work, state) : not_a_number;
}

}  // namespace

// Not every part of a model is one of its own: joints that are kept may form a loop once the mounts stand still.

std::vector<std::string> describe_loops(const Plan& plan, int subsystem) {
  const std::vector<int>& loops = plan.subsystems[subsystem].loops;
  if (loops.empty()) return {};
  try {
    return loops_alone(plan, subsystem);
  } catch (const ModelError&) {
    std::vector<std::string> lines;
    for (const int c : loops) lines.push_back(describe_closure(plan, c));
    return lines;
  }
}

double time_subsystem(const Plan& plan, int subsystem) {
  try {
    return time_alone(plan, subsystem);
  } catch (const ModelError&) {
    return not_a_number;
  }
}

}  // namespace arthron
