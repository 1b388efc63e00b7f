#include <doctest/doctest.h>

#include <random>

#include "support/closed_graph.hpp"
#include "support/disagreement.hpp"
#include "support/repository.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// Largest difference of change_velocities from that of two velocity solves, relative to the largest velocity, over a few states
/// near the model's, with loops closed. Phase one is linear in the momenta, so that changes may be of any size.
double apart(const Plan& plan, const State& given, Workspace& work, int states = 3) {
  std::mt19937 generator(11);
  std::normal_distribution<double> number;
  double momentum = 1, worst = 0;
  for (const double p : given.p) raise(momentum, std::abs(p));
  for (int k = 0; k < states; ++k) {
    State state = given;
    std::vector<double> dp(given.p.size()), qdot(given.q.size()), pdot(given.p.size());
    if (k > 0 && plan.closures.empty())
      for (double& q : state.q) q += 0.02 * number(generator);
    normalise(plan, state.q.data());
    for (double& p : state.p) p += 0.05 * momentum * number(generator);
    for (double& p : dp) p = 0.1 * momentum * number(generator);
    const std::vector<double> sought = work.q;  // where cut joints are looked for
    const auto velocities = [&] {
      work.q = sought;
      REQUIRE(evaluate_rates(plan, 0.1, state.q.data(), state.p.data(), qdot.data(), pdot.data(), work).ok());
      return work.u;
    };
    const std::vector<double> before = velocities();
    change_velocities(plan, dp.data(), work);
    CHECK(std::equal(before.begin(), before.begin() + plan.nu, work.u.begin()));
    const std::vector<double> du = work.du;
    for (std::size_t i = 0; i < dp.size(); ++i) state.p[i] += dp[i];
    const std::vector<double> after = velocities();
    // Where closures leave no freedom, velocities are what rounding leaves of those that the momenta would give the tree.
    double most = 0, largest = 1e-3;
    for (std::size_t i = 0; i < dp.size(); ++i) {
      raise(most, std::abs(after[i] - before[i] - du[i]));
      raise(largest, std::abs(before[i])), raise(largest, std::abs(after[i]));
    }
    raise(worst, most / largest);
  }
  return worst;
}

double apart(const Loaded& model) { return apart(*model.plan, model.state, *model.work); }

void check_all_ways(const Json& model) {
  const std::string text = model.dump();
  for (const auto& [elimination, grain] : {std::pair{"fold", Grain{}}, std::pair{"fold", fine_grain}, std::pair{"pair", Grain{}}}) {
    CAPTURE(elimination);
    const Loaded loaded = Loaded::text(text, elimination, grain);
    CHECK(apart(loaded) < recursion_tolerance(*loaded.plan));
  }
}

}  // namespace

TEST_CASE("every model of the repository: changes of momenta change velocities as two solves differ") {
  int models = 0, abreast = 0, divided = 0, looped = 0;
  for (const std::string& file : model_files({"examples", "subsystems"}))
    for (const Grain& grain : {Grain{}, fine_grain}) {
      CAPTURE(file);
      Model given = load_model(file, builtins());
      if (given.simulation.formulation != "hdca") continue;
      const Loaded model(std::move(given), grain);
      CHECK(apart(model) < recursion_tolerance(*model.plan));
      ++models, divided += model.plan->parts.size() > 2, looped += !model.plan->closures.empty();
      abreast += std::any_of(model.work->part.begin(), model.work->part.end(), [](const PartWork& part) { return part.abreast; });
    }
  CHECK(models > 40);
  CHECK(abreast > 4);
  CHECK(divided > 10);
  CHECK(looped > 20);
}

TEST_CASE("trees with drives and moving grounds, folded, divided and paired: changes of momenta change velocities as two solves differ") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    check_all_ways(RandomModel(builtins(), seed).tree(2 + static_cast<int>(seed % 30)));
  }
}

TEST_CASE(
    "closed graphs, driven, coupled or redundant, folded, divided and paired: changes of momenta change velocities as two solves differ") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Json coupled = closed_graph(seed, 4 + static_cast<int>(seed % 12), 1 + static_cast<int>(seed % 3));
    couple(coupled, seed);
    check_all_ways(coupled);
    check_all_ways(driven_graph(seed));
    check_all_ways(repeated_loops(seed));
  }
  for (int cranks = 2; cranks < 6; ++cranks) check_all_ways(parallel_cranks(cranks));
}
