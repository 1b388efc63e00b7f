#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>

#include "arthron/simulation/channels.hpp"
#include "arthron/simulation/simulation.hpp"
#include "support/loaded.hpp"

/// The car of examples/vehicle and the suspensions of subsystems/. Sources of truth: balance of forces and moments of the whole car,
/// kinematics of a steady turn, and left-right symmetry.
using namespace arthron;
using arthron::test::builtins;

namespace {

constexpr double weight = 1200 * 9.81;  // [N]
const std::string root = std::string(ARTHRON_SOURCE_DIR) + "/";
const std::vector<std::string> wheels{"front_left", "front_right", "rear_left", "rear_right"};

std::string text_of(const std::string& file) {
  std::ifstream in(root + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A model under way, and its results by name.
class Run {
 public:
  Run(const std::string& text, const std::string& file) : simulation_(load(text, root + file)) {
    REQUIRE(simulation_.start().ok());
    REQUIRE(simulation_.observe(true).ok());
  }
  explicit Run(const std::string& file) : Run(text_of(file), file) {}

  void advance_to(double t) {
    REQUIRE(simulation_.advance_to(t).ok());
    REQUIRE(simulation_.observe(true).ok());
  }
  double operator()(const std::string& channel) const {
    ChannelSet set(simulation_.plan(), {{channel, "", ""}});
    double value = 0;
    set.read(simulation_.plan(), simulation_.workspace(), {&value, 1});
    return value;
  }
  /// Of the four tyres.
  double sum(const std::string& car, const std::string& quantity) const {
    double total = 0;
    for (const std::string& wheel : wheels) total += (*this)(car + wheel + ".tyre." + quantity);
    return total;
  }

 private:
  static std::shared_ptr<const Model> load(const std::string& text, const std::string& file) {
    Model model = parse_model(text, file, builtins());
    model.simulation.integrator.type = "rk4";
    model.simulation.integrator.step = 0.001;
    return std::make_shared<const Model>(std::move(model));
  }
  Simulation simulation_;
};

}  // namespace

TEST_CASE("a car that coasts stays on its line, and its wheels carry its weight") {
  Run car("examples/vehicle/vehicle.json");
  CHECK(car.sum("", "normal_force") == doctest::Approx(weight).epsilon(1e-9));  // drawn so
  car.advance_to(0.5);
  CHECK(car.sum("", "normal_force") == doctest::Approx(weight).epsilon(1e-3));
  CHECK(std::abs(car("body.position.y")) < 1e-9);
  CHECK(std::abs(car("body.angular_velocity.z")) < 1e-9);
  CHECK(car("body.velocity.x") == doctest::Approx(20).epsilon(1e-3));
  CHECK(car("body.position.z") == doctest::Approx(0.55).epsilon(1e-3));
}

TEST_CASE("a step steer to the left ends in a turn to the left with forces in balance") {
  Run run("examples/vehicle/step_steer.json");
  run.advance_to(3);
  const double speed = std::hypot(run("car.body.velocity.x"), run("car.body.velocity.y"));
  const double yaw_rate = run("car.body.angular_velocity.z");
  const double along_x = run("car.body.velocity.x") / speed, along_y = run("car.body.velocity.y") / speed;
  const double across = along_x * run("car.body.acceleration.y") - along_y * run("car.body.acceleration.x");
  CHECK(yaw_rate > 0.1);
  // In a steady turn across = speed * yaw rate. The tyres slow the car by 0.2 m/s a second, 1 % of its speed, and the path tightens as
  // slowly.
  CHECK(across == doctest::Approx(speed * yaw_rate).epsilon(0.01));
  CHECK(run.sum("car.", "normal_force") == doctest::Approx(weight).epsilon(1e-3));
  // Outside wheels carry more: the moment of the load transfer holds that of the forces at the height of the centre of mass, 0.518 m as
  // drawn; it sinks and moves sideways by a few per cent of that as the body rolls.
  double transfer = 0, front = 0, rear = 0;
  for (const std::string& wheel : wheels) {
    const bool left = wheel.find("left") != std::string::npos, forward = wheel.find("front") != std::string::npos;
    transfer += (left ? -0.75 : 0.75) * run("car." + wheel + ".load");
    (forward ? front : rear) += run("car." + wheel + ".tyre.lateral_force");
  }
  CHECK(transfer == doctest::Approx(weight / 9.81 * across * 0.518).epsilon(0.1));
  // Yaw balance about the centre of mass, 1.13 m behind the front axle and 1.37 m before the rear one; aligning torques act on top.
  CHECK(front * 1.13 == doctest::Approx(rear * 1.37).epsilon(0.1));
}

TEST_CASE("any suspension of the library carries the car in place of the double wishbones, by one line") {
  const std::string file = "examples/vehicle/vehicle.json", text = text_of(file), line = "double_wishbone/double_wishbone_axle";
  for (const std::string other : {"double_wishbone_bushed/double_wishbone_bushed_axle", "macpherson/macpherson_axle",
                                  "five_link/five_link_axle", "trailing_arm/trailing_arm_axle", "solid_axle/solid_axle"})
    for (const std::size_t place : {text.find(line), text.rfind(line)}) {
      CAPTURE(other);
      CAPTURE(place);
      Run car(std::string(text).replace(place, line.size(), other), file);
      car.advance_to(0.2);
      // The heaviest of them, the solid axle, takes 154 N more of the wheel load than the wishbones do: 7.7 mm on a spring of 20 kN/m.
      CHECK(std::abs(car("body.position.z") - 0.55) < 0.0077);
      CHECK(std::abs(car("body.position.y")) < 1e-9);
    }
}

TEST_CASE("the right corner of every axle moves as the mirror image of the left one") {
  for (const std::string name : {"double_wishbone", "double_wishbone_bushed", "macpherson", "five_link", "trailing_arm"}) {
    CAPTURE(name);
    Run axle("subsystems/" + name + "/" + name + "_axle.json");
    axle.advance_to(0.1);
    CHECK(axle("left.centre.position.z") < 0.29);  // it does move
    for (const std::string quantity : {"centre.position", "centre.velocity"})
      for (const std::string component : {".x", ".y", ".z"}) {
        const double sign = component == ".y" ? -1 : 1;
        CHECK(std::abs(axle("left." + quantity + component) - sign * axle("right." + quantity + component)) < 1e-12);
      }
    CHECK(std::abs(axle("left.strut.spring.length") - axle("right.strut.spring.length")) < 1e-12);
  }
}
