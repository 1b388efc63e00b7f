#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include "arthron/simulation/run.hpp"
#include "support/loaded.hpp"
#include "support/rows.hpp"

/// Legs of the library, the quadruped made of them and the car of the block-module paper. Source of truth: Newton's law for the whole
/// robot, the geometry of a parallelogram, symmetry, and the order of the method.
using namespace arthron;
using arthron::test::Rows;
using arthron::test::rows_of;

namespace {

constexpr const char* quadruped = ARTHRON_SOURCE_DIR "/examples/quadruped_walk/quadruped_walk.json";
constexpr const char* car = ARTHRON_SOURCE_DIR "/examples/block_module_car/block_module_car.json";

Model quadruped_on(const std::string& leg) {
  std::ifstream stream(quadruped);
  std::stringstream text;
  text << stream.rdbuf();
  std::string json = text.str();
  const std::string used = "../../subsystems/leg3/leg3.json", other = ARTHRON_SOURCE_DIR "/subsystems/" + leg + "/" + leg + ".json";
  int legs = 0;
  for (std::size_t at = json.find(used); at != std::string::npos; at = json.find(used, at + other.size()), ++legs)
    json.replace(at, used.size(), other);
  REQUIRE(legs == 4);
  return parse_model(json, "quadruped.json", test::builtins());
}

double height_of_car(double step, Rows* rows = nullptr) {
  Model model = load_model(car, test::builtins());
  if (step > 0)
    model.simulation.integrator.step = step;
  else
    model.simulation.integrator = {"dopri5", 1e-12, 1e-12};
  const Rows run = rows_of(std::move(model), {"body.body.position.z", "left_wheel.ring.position.z", "right_wheel.ring.position.z"});
  if (rows) *rows = run;
  return run.values.back()[0];
}

}  // namespace

TEST_CASE("the quadruped stands, trots and takes a push without falling; its feet carry its weight and the change of its momentum") {
  Model model = load_model(quadruped, test::builtins());
  std::vector<std::string> paths = {"front_left.load", "front_right.load", "rear_left.load", "rear_right.load", "float.position"};
  constexpr std::size_t position = 4, accelerations = 10;
  std::vector<double> masses;
  for (const Body& body : model.bodies) {
    if (body.ground) continue;
    paths.push_back(body.path + ".acceleration.z");
    masses.push_back(body.mass);
  }
  REQUIRE(masses.size() == 13);
  const double weight = 9.81 * std::accumulate(masses.begin(), masses.end(), 0.0);
  double lightest = weight, heaviest = 0;
  const Rows rows = rows_of(std::move(model), paths);
  for (const auto& row : rows.values) {
    const double load = row[0] + row[1] + row[2] + row[3];
    const double change = std::inner_product(masses.begin(), masses.end(), row.begin() + accelerations, 0.0);
    CHECK(std::abs(load - weight - change) < 1e-9 * weight);
    lightest = std::fmin(lightest, load);
    heaviest = std::fmax(heaviest, load);
    CHECK(std::abs(row[position + 2]) < 0.05);
    for (std::size_t i = position + 3; i < position + 6; ++i) CHECK(std::abs(row[i]) < 0.15);
  }
  CHECK(lightest < 0.8 * weight);
  CHECK(heaviest > 1.2 * weight);
  // Level again after the push.
  CHECK(std::abs(rows.values.back()[position + 3]) < 0.005);
  CHECK(std::abs(rows.values.back()[position + 4]) < 0.005);
}

TEST_CASE("the quadruped settles with a quarter of its weight on each foot, on either kind of leg") {
  for (const char* leg : {"leg3", "leg_fourbar"}) {
    CAPTURE(leg);
    Model model = quadruped_on(leg);
    model.simulation.until = 1.9;
    const double quarter = 26.8 * 9.81 / 4;
    const Rows rows = rows_of(std::move(model), {"front_left.load", "front_right.load", "rear_left.load", "rear_right.load"});
    for (const double load : rows.values.back()) CHECK(load == doctest::Approx(quarter).epsilon(1e-3));
  }
}

TEST_CASE("the four-bar leg is a parallelogram: the knee bends by the difference of motor and hip") {
  const Rows rows =
      rows_of(load_model(ARTHRON_SOURCE_DIR "/subsystems/leg_fourbar/leg_fourbar.json", test::builtins()), {"knee", "knee_motor", "pitch"});
  for (const auto& row : rows.values)
    for (const std::size_t i : {0u, 1u}) CHECK(std::abs(row[i] - row[2 + i] + row[4 + i]) < 1e-11);
}

TEST_CASE("the block-module car converges with the order of its method, stays closed and moves alike on both sides") {
  Rows rows;
  const double exact = height_of_car(0), coarse = height_of_car(0.01, &rows) - exact, fine = height_of_car(0.005) - exact;
  CHECK(coarse / fine == doctest::Approx(4).epsilon(0.1));
  CHECK(rows.values.size() == 131);
  CHECK(rows.summary.loop_opening < 1e-12);
  for (const auto& row : rows.values) CHECK(std::abs(row[1] - row[2]) < 1e-11);
}
