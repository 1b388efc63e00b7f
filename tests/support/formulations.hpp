#pragma once
#include <doctest/doctest.h>

#include "arthron/authoring/agreement.hpp"
#include "support/disagreement.hpp"
#include "support/loaded.hpp"

namespace arthron::test {

/// All formulations at one state: accelerations, reactions and multipliers. The dense solution is the truth, or HDCA where that is too
/// large.
inline void check_formulations(Model model, unsigned seed, const Planner& planned) {
  const Agreement agreement = compare_formulations(std::move(model), seed, planned);
  REQUIRE(agreement.status.ok());
  const double tolerance = agreement.dense ? 1e-9 : std::max(1e-9, recursion_tolerance(agreement.bodies));
  for (const Disagreement& found : agreement.ways) {
    CAPTURE(found.way.formulation);
    CAPTURE(found.way.elimination);
    REQUIRE(found.status.ok());
    CHECK(found.accelerations < tolerance);
    CHECK(found.joint_accelerations < tolerance);
    CHECK(found.reactions < tolerance);
    CHECK(found.multipliers < tolerance);
    CHECK(found.state_rates < tolerance);
  }
}

}  // namespace arthron::test
