/// Time to find the multipliers of ladders of four-bars from their constraint matrix, all at once (SLM) and loop by loop (SSLM), and to
/// form that matrix. Usage: multipliers
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "arthron/dynamics/joint_space.hpp"
#include "ladder.hpp"

using namespace arthron;
using namespace arthron::bench;

namespace {

/// Least times of some evaluations [us].
struct Times {
  double form = 1e300, solve = 1e300;
};

double microseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - since).count();
}

Times measure(Evaluation& evaluation, MultiplierSolve solve, int count) {
  JointSpaceWork own(*evaluation.plan, solve);
  if (!evaluate_joint_space(*evaluation.plan, 0, evaluation.state.q.data(), evaluation.state.p.data(), *evaluation.work, own).ok())
    throw std::runtime_error("evaluation failed");
  Times least;
  for (int i = 0; i < count; ++i) {
    find_missing_accelerations(*evaluation.plan, *evaluation.work, own);
    const auto forming = std::chrono::steady_clock::now();
    form_gicm(*evaluation.plan, *evaluation.work, own);
    least.form = std::min(least.form, microseconds(forming));
    const auto solving = std::chrono::steady_clock::now();
    solve_multipliers(own);
    least.solve = std::min(least.solve, microseconds(solving));
  }
  return least;
}

}  // namespace

int main() {
  std::printf("| loops | rows | form, SLM [us] | form, SSLM [us] | solve, SLM [us] | solve, SSLM [us] | ratio of solves |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  for (const int loops : {2, 10, 50, 200}) {
    Evaluation evaluation(ladder(loops));
    const Times whole = measure(evaluation, MultiplierSolve::whole_system, 3 + 400 / loops);
    const Times subsystems = measure(evaluation, MultiplierSolve::subsystems, 50 + 4000 / loops);
    std::printf("| %d | %d | %.1f | %.1f | %.1f | %.1f | %.1f |\n", loops, ConstraintRows(*evaluation.plan).rows(), whole.form,
                subsystems.form, whole.solve, subsystems.solve, whole.solve / subsystems.solve);
    std::fflush(stdout);
  }
  return 0;
}
