#include "arthron/authoring/doctest.hpp"
#include "arthron/components/joints/distance.hpp"

using namespace arthron;

namespace {

/// A link that is drawn from the wrong side.
struct TurnedLink : DistanceJoint {
  static constexpr std::string_view type = "test/turned_link";
  static TurnedLink parse(const JsonReader& in) { return {DistanceJoint::parse(in)}; }
  [[nodiscard]] Vec3 link_end() const { return length * along; }
};

}  // namespace

TEST_CASE("a joint that holds the length of a link, but of another than it says") {
  const auto failures = examine_joint_type<TurnedLink>().failures();
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].identity == "complement points along the link where its length is all that is held");
  CHECK(failures[0].figure > 0.1);
}
