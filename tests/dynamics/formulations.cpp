#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "arthron/dynamics/accelerate.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/dense_oracle.hpp"
#include "arthron/dynamics/observe.hpp"
#include "support/loaded.hpp"
#include "support/random_model.hpp"
#include "support/repository.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// What a formulation finds at a state.
struct Found {
  std::vector<Spatial6> A, F;
  std::vector<double> udot, sigma;
};

Found found(const Plan& plan, const Workspace& work) {
  Found result;
  for (std::size_t b = static_cast<std::size_t>(plan.grounds); b < plan.bodies.size(); ++b)
    result.A.push_back(work.A[b]), result.F.push_back(work.F[b]);
  result.udot = work.udot;
  for (std::size_t c = 0; c < plan.closures.size(); ++c)
    for (int r = 0; r < plan.closures[c].rows; ++r) result.sigma.push_back(work.closures->cuts[c].sigma[r]);
  return result;
}

/// Largest difference relative to the largest number; a NaN wins.
class Difference {
 public:
  void add(double expected, double value) { raise(largest_, std::abs(expected)), raise(difference_, std::abs(expected - value)); }
  void add(const std::vector<double>& expected, const std::vector<double>& values) {
    REQUIRE(expected.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) add(expected[i], values[i]);
  }
  void add(const std::vector<Spatial6>& expected, const std::vector<Spatial6>& values) {
    REQUIRE(expected.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      raise(largest_, size(expected[i]));
      raise(difference_, size(expected[i] - values[i]));
    }
  }
  [[nodiscard]] double relative() const { return difference_ / largest_; }

 private:
  static double size(const Spatial6& a) { return norm(a.linear) + norm(a.angular); }
  static void raise(double& worst, double value) {
    if (!(value <= worst)) worst = value;
  }
  double largest_ = 1e-9, difference_ = 0;
};

void check_equal(const Found& expected, const Found& value) {
  constexpr double tolerance = 1e-9;
  Difference A, F, udot, sigma;
  A.add(expected.A, value.A), F.add(expected.F, value.F), udot.add(expected.udot, value.udot), sigma.add(expected.sigma, value.sigma);
  CHECK(A.relative() < tolerance);
  CHECK(udot.relative() < tolerance);
  CHECK(F.relative() < tolerance);
  CHECK(sigma.relative() < tolerance);
}

/// All formulations at one state, with any momenta: phase one projects these onto the closures. The dense oracle is the truth, or HDCA
/// where that is too large.
void check_formulations(Model model, unsigned seed, const Grain& grain = {}) {
  Loaded hdca(model, grain);
  double largest = 1e-3;
  for (const double p : hdca.state.p) largest = std::max(largest, std::abs(p));
  for (std::size_t i = 0; i < hdca.state.p.size(); ++i) hdca.state.p[i] += 0.1 * largest * std::sin(3.0 * static_cast<double>(i) + seed);
  REQUIRE(hdca.accelerate().ok());
  constexpr std::size_t most_bodies = 80;
  Found truth = found(*hdca.plan, *hdca.work);
  if (hdca.plan->bodies.size() <= most_bodies) {
    const DenseSolution dense = dense_accelerations(*hdca.plan, *hdca.work);
    const auto moving = [&](const std::vector<Spatial6>& all) {
      return std::vector<Spatial6>(all.begin() + hdca.plan->grounds, all.end());
    };
    const Found oracle{moving(dense.A), moving(dense.F), dense.udot, dense.sigma};
    check_equal(oracle, truth);
    truth = oracle;
  }
  for (const std::string_view formulation : formulation_names) {
    if (formulation == "hdca") continue;
    CAPTURE(formulation);
    model.simulation.formulation = formulation;
    Loaded other(model, grain);
    REQUIRE(observe_accelerations(*other.plan, 0, hdca.state.q.data(), hdca.work->u.data(), *other.work).ok());
    check_equal(truth, found(*other.plan, *other.work));
  }
}

Model parsed(const Json& json) { return parse_model(json.dump(), "test.json", builtins()); }

}  // namespace

TEST_CASE("random trees over all joint and force types: every formulation finds the accelerations and reactions of the dense oracle") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    for (const Grain& grain : {Grain{}, fine_grain})
      check_formulations(parsed(RandomModel(builtins(), seed).tree(1 + static_cast<int>(seed))), seed, grain);
  }
}

TEST_CASE("every model of the repository: every formulation finds the accelerations, reactions and multipliers of the dense oracle") {
  for (const std::string& file : model_files({"examples", "subsystems"})) {
    CAPTURE(file);
    check_formulations(load_model(file, builtins()), 1);
  }
}
