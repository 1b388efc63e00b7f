#include "arthron/core/diagnostic.hpp"

#include <doctest/doctest.h>

using namespace arthron;

TEST_CASE("a diagnostic is printed in the house's form") {
  CHECK(to_string({"car.json", 41, "/joints/pivot/type", "\"revolut\"", "a joint type", "revolute"}) ==
        "car.json:41: /joints/pivot/type\n  found \"revolut\"; expected a joint type; did you mean \"revolute\"?");
  CHECK(to_string({"car.json", 1, "", "3", "an object", ""}) == "car.json:1: /\n  found 3; expected an object");
  CHECK(to_string({"car.json", 0, "", "no such file", "a model file", ""}) == "car.json\n  found no such file; expected a model file");
  CHECK(to_string({"", 0, "--set trak", "\"trak\"", "a parameter", "track"}) ==
        "--set trak\n  found \"trak\"; expected a parameter; did you mean \"track\"?");
}

TEST_CASE("control characters of keys and arguments do not tear a message") {
  CHECK(to_string({"m.json", 3, "/bodies/a\nb", "\"x\ty\"", "a name", ""}) ==
        "m.json:3: /bodies/a\\nb\n  found \"x\\u0009y\"; expected a name");
}

TEST_CASE("a ModelError prints all its diagnostics") {
  const ModelError error({{"a.json", 1, "/x", "1", "2", ""}, {"a.json", 2, "/y", "3", "4", ""}});
  CHECK(error.diagnostics().size() == 2);
  CHECK(std::string(error.what()) == "a.json:1: /x\n  found 1; expected 2\na.json:2: /y\n  found 3; expected 4");
}

TEST_CASE("the nearest name is found over a slip of any kind") {
  const std::vector<std::string> names{"mass", "inertia", "com", "frame"};
  CHECK(nearest_name("mas", names) == "mass");
  CHECK(nearest_name("masss", names) == "mass");
  CHECK(nearest_name("maas", names) == "mass");
  CHECK(nearest_name("msas", names) == "mass");
  CHECK(nearest_name("inertai", names) == "inertia");
}

TEST_CASE("a word unlike all names has no nearest name") {
  CHECK(nearest_name("gravity", {"mass", "com"}) == "");
  CHECK(nearest_name("", {"mass"}) == "");
  CHECK(nearest_name("x", {"y"}) == "");
  CHECK(nearest_name(std::string(100000, 'x'), {"mass"}) == "");
}

TEST_CASE("of equally near names the first in the alphabet is taken, whatever the order given") {
  CHECK(nearest_name("arm", {"arm_b", "arm2", "arm1"}) == "arm1");
  CHECK(nearest_name("arm", {"arm1", "arm2", "arm_b"}) == "arm1");
}
