#include <doctest/doctest.h>

#include "support/allocations.hpp"
#include "support/loaded.hpp"
#include "support/random_model.hpp"

using namespace arthron;
using namespace arthron::test;

TEST_CASE("evaluations allocate nothing after make_workspace") {
  const std::string json = RandomModel(builtins(), 3).tree(40).dump();
  for (const char* elimination : {"fold", "pair"}) {
    CAPTURE(elimination);
    Loaded model = Loaded::text(json, elimination);
    std::vector<double> qdot(model.state.q.size()), pdot(model.state.p.size());
    const long before = allocations;
    const Status rates = model.evaluate(0, model.state.q.data(), model.state.p.data(), qdot.data(), pdot.data());
    const Status accelerations = model.accelerate();
    CHECK(allocations == before);
    CHECK(rates.ok());
    CHECK(accelerations.ok());
  }
}
