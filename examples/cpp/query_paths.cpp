// What can be asked of a simulation: numbers by path, all columns of a pattern, and the kernel's own functions by index.
#include <arthron/components/builtins.hpp>
#include <arthron/core/diagnostic.hpp>
#include <arthron/model/find.hpp>
#include <arthron/model/load.hpp>
#include <arthron/simulation/simulation.hpp>
#include <cmath>
#include <cstdio>

int main() {
  const arthron::Registry types = arthron::builtin_registry();
  arthron::Simulation simulation(
      std::make_shared<const arthron::Model>(arthron::load_model("examples/vehicle/vehicle.json", types, {{"speed", 15}})));

  // Looked up once, read as often as wanted. A channel that needs accelerations makes observe() find them.
  arthron::Channel heading = simulation.channel("body.velocity"), spring = simulation.channel("front.left.strut.spring.force");
  arthron::Channel loads = simulation.channel("*.load"), upward = simulation.channel("body.acceleration.z");
  if (!simulation.start().ok() || !simulation.advance_to(0.5).ok() || !simulation.observe().ok()) return 1;

  std::printf("body moves at %.3f m/s, accelerates upward by %.4f m/s^2; the front left spring pulls with %.1f N\n", heading.value(),
              upward.value(), spring.value());
  double sum = 0;
  for (std::size_t i = 0; i < loads.columns().size(); ++i) {
    std::printf("%-18s %8.2f %s\n", loads.columns()[i].name.c_str(), loads.value(i), loads.columns()[i].unit.c_str());
    sum += loads.value(i);
  }

  // The same as vectors: indices by path, for the functions of dynamics/observe.hpp.
  const arthron::BodyIndex body = arthron::find_body(simulation.model(), "body");
  const arthron::Vec3 place = arthron::frame_pose(simulation.plan(), simulation.workspace(), body).p;
  std::printf("body at (%.3f, %.3f, %.3f) m, kinetic energy %.0f J\n", place.x, place.y, place.z,
              arthron::energy(simulation.plan(), simulation.workspace()).kinetic);

  // A misspelt path is told the nearest there is.
  try {
    (void)simulation.channel("front.left.strut.spring.forse");
  } catch (const arthron::ModelError& error) {
    std::printf("%s\n", error.what());
  }
  return std::abs(sum - 1200 * 9.81) < 0.01 * 1200 * 9.81 ? 0 : 1;
}
