#include <doctest/doctest.h>

#include "simulation/models.hpp"

using namespace arthron;

TEST_CASE("every wrong setting is reported at once, each with its place") {
  SimulationSettings settings;
  settings.until = -1;
  settings.output_step = 0;
  settings.integrator = {"rk5", std::nan(""), 0, -1};
  settings.formulation = "hdcaa";
  settings.elimination = "folds";
  settings.loops.tolerance = -1;
  settings.threads = 0;
  const std::vector<Diagnostic> mistakes = check_settings(settings, 1000);
  CHECK(mistakes.size() == 10);
  for (const Diagnostic& mistake : mistakes) CHECK(mistake.pointer.starts_with("/simulate/"));
}

TEST_CASE("Baumgarte's terms are refused where velocities cannot drift") {
  SimulationSettings settings;
  settings.loops.baumgarte = 5;
  REQUIRE(check_settings(settings, 1000).size() == 1);
  CHECK(check_settings(settings, 1000).front().pointer == "/simulate/loops/baumgarte");
  settings.formulation = "dca";
  CHECK(check_settings(settings, 1000).empty());
}

TEST_CASE("more rows or fixed steps than allowed are refused before the run") {
  SimulationSettings settings;
  CHECK(check_settings(settings, 1000).empty());
  settings.output_step = 1e-8;
  REQUIRE(check_settings(settings, 1000).size() == 1);
  CHECK(check_settings(settings, 1000).front().pointer == "/simulate/output/step");
  settings.output_step = 0.01;
  settings.integrator.type = "rk4";
  REQUIRE(check_settings(settings, 1000).size() == 1);
  CHECK(check_settings(settings, 1000).front().pointer == "/simulate/integrator/step");
}

TEST_CASE("a failure is told with the names of its joint and body") {
  const Simulation simulation(test::model_of(test::double_pendulum));
  const std::string words = describe({Status::Code::singular_joint, 1}, simulation.plan(), simulation.workspace(), 1.25);
  CHECK(words.find("\"elbow\"") != std::string::npos);
  CHECK(words.find("\"lower\"") != std::string::npos);
  CHECK(words.find("1.25 s") != std::string::npos);
}
