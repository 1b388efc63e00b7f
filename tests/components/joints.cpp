#include <map>
#include <set>

#include "arthron/authoring/doctest.hpp"
#include "support/pose_only.hpp"

using namespace arthron;

TEST_CASE("every built-in joint, its twin without closed forms, and one with coordinates of its own: all identities of joints hold") {
  const Registry registry = test::pose_only_registry();
  for (const auto& [name, type] : registry.joints()) ARTHRON_CHECK_EXAMINATION(examine_joint(registry, name));
}

TEST_CASE("built-in joints: complements, charts and gaps are exact to a few units of rounding") {
  const std::map<std::string, double> tighter{{"complement is across H", 1e-14},
                                              {"complement: unit vectors across one another", 1e-14},
                                              {"gap is nothing at the joint's own poses", 1e-14},
                                              {"user coordinates survive the way to q and back", 1e-14},
                                              {"forces along user coordinates do their work on u", 1e-13}};
  std::set<std::string> seen;
  const Registry registry = builtin_registry();
  for (const auto& [name, type] : registry.joints())
    for (const Finding& finding : examine_joint(registry, name).findings) {
      const auto bound = tighter.find(finding.identity);
      if (bound == tighter.end()) continue;
      CAPTURE(name);
      CAPTURE(finding.identity);
      CAPTURE(finding.where);
      CHECK(finding.figure < bound->second);
      seen.insert(finding.identity);
    }
  CHECK(seen.size() == tighter.size());
}
