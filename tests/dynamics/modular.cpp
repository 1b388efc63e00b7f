#include <doctest/doctest.h>

#include "arthron/dynamics/modules.hpp"
#include "support/eliminations.hpp"
#include "support/formulations.hpp"

/// Elimination by subsystems. Sources of truth: a dense solution of all equations at once, and folding. `bench/eliminations` does the same
/// for any number of mechanisms.
using namespace arthron;
using namespace arthron::test;

namespace {

struct Seen {
  int joined = 0, closed = 0, closed_below = 0, open_rows = 0;
  void look_at(const Plan& plan) {
    for (const ModuleJoin& join : plan.modules.joins) {
      const ClosureNode& node = plan.closure_nodes[static_cast<std::size_t>(join.node)];
      joined += join.near >= 0 ? 1 : 0, closed += node.eliminated;
      closed_below += join.subsystem > 0 ? node.eliminated : 0;
      open_rows = std::max(open_rows, node.open().rows);
    }
  }
};

}  // namespace

TEST_CASE("random mechanisms of nested subsystems: by subsystems, every formulation finds what the dense oracle does") {
  Seen seen;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Model model = random_hierarchy(seed);
    seen.look_at(*eliminated(model, "modular"));
    check_formulations(model, seed, [](Model given) { return compile(std::make_shared<const Model>(std::move(given))); });
  }
  CHECK(seen.joined > 100);
  CHECK(seen.closed > 20);
  CHECK(seen.closed_below > 0);
  CHECK(seen.open_rows > 12);
}

TEST_CASE("random mechanisms: auto, folding, pairs and subsystems have the same velocities and accelerations") {
  for (unsigned seed = 101; seed <= 140; ++seed) {
    CAPTURE(seed);
    CHECK(elimination_disagreement(random_hierarchy(seed), seed) < 1e-11);
  }
}
