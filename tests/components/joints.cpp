#include "arthron/authoring/doctest.hpp"
#include "support/pose_only.hpp"

using namespace arthron;

TEST_CASE("every built-in joint, its twin without closed forms, and one with coordinates of its own: all identities of joints hold") {
  const Registry registry = test::pose_only_registry();
  for (const auto& [name, type] : registry.joints()) ARTHRON_CHECK_EXAMINATION(examine_joint(registry, name));
}

TEST_CASE("built-in joints: complements, charts and gaps are exact to a few units of rounding") {
  const Registry registry = builtin_registry();
  int complements = 0;
  for (const auto& [name, type] : registry.joints()) {
    CAPTURE(name);
    const Examination examination = examine_joint(registry, name);
    for (const Finding& finding : examination.findings) {
      CAPTURE(finding.identity);
      CAPTURE(finding.where);
      if (finding.identity == "complement is across H" || finding.identity == "complement: unit vectors across one another" ||
          finding.identity == "gap is nothing at the joint's own poses")
        ++complements, CHECK(finding.figure < 1e-14);
      if (finding.identity == "user coordinates survive the way to q and back") CHECK(finding.figure < 1e-14);
      if (finding.identity == "forces along user coordinates do their work on u") CHECK(finding.figure < 1e-13);
    }
  }
  CHECK(complements > 0);
}
