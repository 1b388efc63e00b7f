#include "support/closed_graph.hpp"
#include "support/formulations.hpp"
#include "support/random_model.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

void check(const Json& json, unsigned seed) {
  for (const Grain& grain : {Grain{}, fine_grain})
    check_formulations(parse_model(json.dump(), "test.json", builtins()), seed,
                       [&](Model model) { return compile(std::make_shared<const Model>(std::move(model)), grain); });
}

/// A moving ground that is in its place at t = 0.
void shake(Json& model) {
  model["grounds"]["shaker"]["motion"] = {{"translation", {"=0.1*sin(3*t)", "=0.2*t", 0}}, {"rotation", {"=0.3*sin(t)", 0, "=0.2*t^2"}}};
}

}  // namespace

TEST_CASE("random trees over all joint and force types: every formulation finds the accelerations and reactions of the dense oracle") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    check(RandomModel(builtins(), seed).tree(1 + static_cast<int>(seed)), seed);
  }
}

TEST_CASE("random closed graphs: every formulation finds the accelerations, reactions and smallest multipliers of the dense oracle") {
  for (unsigned seed = 201; seed <= 230; ++seed) {
    CAPTURE(seed);
    Json model = closed_graph(seed, 6 + static_cast<int>(seed % 9), 1 + static_cast<int>(seed % 5));
    if (seed % 2) shake(model);
    check(model, seed);
  }
}

TEST_CASE("random closed graphs with coupled joints, and with driven tree and cut joints: the same") {
  for (unsigned seed = 301; seed <= 330; ++seed) {
    CAPTURE(seed);
    Json coupled = closed_graph(seed, 8 + static_cast<int>(seed % 7), 1 + static_cast<int>(seed % 3));
    couple(coupled, seed);
    check(coupled, seed);
    check(driven_graph(seed), seed);
  }
}

TEST_CASE("closures that repeat one another: the same") {
  for (unsigned seed = 541; seed <= 560; ++seed) {
    CAPTURE(seed);
    check(repeated_loops(seed), seed);
  }
}

TEST_CASE("redundancy across closures: every formulation finds the smallest multipliers of all together") {
  for (const int cranks : {2, 3, 4, 7}) {
    CAPTURE(cranks);
    check(parallel_cranks(cranks), 1);
  }
}
