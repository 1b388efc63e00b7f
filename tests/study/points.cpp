#include <doctest/doctest.h>

#include "arthron/components/builtins.hpp"
#include "arthron/study/study.hpp"
#include "support/folder.hpp"

using namespace arthron;
using arthron::test::Folder;

namespace {

constexpr auto model_with_a_point = R"({ "arthron": 1, "name": "m",
  "parameters": { "ball": { "value": [10, 700, 180], "unit": "mm" }, "rate": { "value": 25, "unit": "N/mm" } },
  "bodies": { "b": { "mass": 1, "com": "ball", "inertia": [1, 1, 1] } },
  "joints": { "j": { "type": "prismatic", "parent": "ground", "child": "b", "at": "ball", "axis": [0, 0, 1], "spring": { "stiffness": "=rate" } } },
  "simulate": { "until": 0.1 } })";

struct PointStudies {
  Folder folder;
  Registry types = builtin_registry();

  [[nodiscard]] Study study(const std::string& variation) const {
    folder.write("model.json", model_with_a_point);
    return {folder.write("study.json", R"({"arthron_study": 1, "name": "s", "model": "model.json", )" + variation + "}"), types};
  }
  [[nodiscard]] std::string mistakes(const std::string& variation) const {
    try {
      (void)study(variation);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  }
};

}  // namespace

TEST_CASE_FIXTURE(PointStudies, "a grid varies whole points, components of points, and numbers with units") {
  const Study whole = study(R"("grid": {"ball": [["10 mm", 0.7, 0.18], [0, 0, 1]], "rate": ["20 N/mm", 3e4]})");
  REQUIRE(whole.size() == 4);
  CHECK(whole.values(1) == std::vector<double>{0.01, 0.7, 0.18, 3e4});
  CHECK(whole.values(2) == std::vector<double>{0, 0, 1, 2e4});
  REQUIRE(whole.parameters().size() == 4);
  CHECK(whole.parameters()[2].name == "ball.z");
  CHECK(whole.parameters()[2].unit == "m");
  CHECK(whole.parameters()[3].unit == "N/m");

  const Study component = study(R"("grid": {"ball.z": {"from": "170 mm", "to": "190 mm", "count": 3}})");
  CHECK(component.values(1) == std::vector<double>{0.18});
}

TEST_CASE_FIXTURE(PointStudies, "values for all variants may be points") {
  const Study fixed = study(R"("parameters": {"ball": [1, "2 mm", 3]}, "grid": {"rate": [1, 2]})");
  REQUIRE(fixed.size() == 2);
  CHECK(mistakes(R"("parameters": {"ball": [1, 2, "3 kg"]}, "grid": {"rate": [1, 2]})")
            .find("found a number in kg; expected a number in m") != std::string::npos);
}

TEST_CASE_FIXTURE(PointStudies, "units of what varies are checked against the model's") {
  CHECK(mistakes(R"("grid": {"rate": ["20 N", "30 N"]})").find("/grid/rate\n  found a number in N; expected a number in N/m") !=
        std::string::npos);
  CHECK(mistakes(R"("grid": {"ball": [[1, 2, 3], 4]})").find("found 4; expected a vector [x, y, z], as the first one is") !=
        std::string::npos);
  CHECK(mistakes(R"("grid": {"bal": [[1, 2, 3]]})").find("did you mean \"ball.x\"?") != std::string::npos);
}
