#include "arthron/authoring/doctest.hpp"
#include "support/rope.hpp"

using namespace arthron;

namespace {

/// Heavier at every call.
struct Growing {
  static constexpr std::string_view type = "test/growing";
  double mass;
  static Growing parse(const JsonReader& in) { return {in.number({"mass", "kg", "of it"}, Range::positive())}; }
  [[nodiscard]] BodyProperties properties() const {
    static int calls = 0;
    return {mass + 0.01 * ++calls, {}, {mass, mass, mass, 0, 0, 0}};
  }
};

struct NoBody {
  static constexpr std::string_view type = "test/no_body";
  static NoBody parse(const JsonReader&) { return {}; }
  [[nodiscard]] BodyProperties properties() const { return {1, {}, {1, 1, 3, 0, 0, 0}}; }
};

struct Fickle {
  static constexpr std::string_view type = "test/fickle";
  static Fickle parse(const JsonReader&) { return {}; }
  void build(SubsystemBuilder& out) const {
    static int calls = 0;
    out.body("arm").mass(1 + ++calls).com({1, 0, 0}).inertia({1, 1, 1});
    out.joint("hinge", "revolute").parent("ground").child("arm").at({0, 0, 0}).axis({0, 1, 0});
  }
};

struct Misspelt {
  static constexpr std::string_view type = "test/misspelt";
  static Misspelt parse(const JsonReader&) { return {}; }
  void build(SubsystemBuilder& out) const { out.body("arm").mass(1).set("inertie", 3); }
};

}  // namespace

TEST_CASE("every built-in body type, and a rope built in C++: all that must hold does") {
  const Registry registry = builtin_registry();
  for (const auto& [name, type] : registry.bodies()) ARTHRON_CHECK_EXAMINATION(examine_body(registry, name));
  CHECK(!registry.bodies().empty());
  ARTHRON_CHECK_SUBSYSTEM(test::Rope);
}

TEST_CASE("a body that is another one each time, and one that no rigid body is") {
  const auto growing = examine_body_type<Growing>().failures();
  REQUIRE(!growing.empty());
  CHECK(growing[0].identity == "the same keys give the same body");
  const auto none = examine_body_type<NoBody>().failures();
  REQUIRE(none.size() == 1);
  CHECK(none[0].identity == "the loader accepts what random keys make");
}

TEST_CASE("a subsystem that builds something else each time, and one that builds a mistake") {
  const auto fickle = examine_subsystem_type<Fickle>().failures();
  REQUIRE(fickle.size() == 1);
  CHECK(fickle[0].identity == "the same keys build the same content");
  const auto misspelt = examine_subsystem_type<Misspelt>().failures();
  REQUIRE(misspelt.size() == 1);
  CHECK(misspelt[0].where.find("inertie") != std::string::npos);
}
