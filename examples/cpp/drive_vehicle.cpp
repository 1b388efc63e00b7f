// A driver: every 10 ms he looks where the car of examples/vehicle is, and turns the steering wheel towards the lane he wants.
#include <algorithm>
#include <arthron/components/builtins.hpp>
#include <arthron/model/load.hpp>
#include <arthron/simulation/simulation.hpp>
#include <cmath>
#include <cstdio>

/// Middle of the lane at x: a change to the left by 3.5 m, and back.
double lane(double x) {
  const auto smooth = [](double s) { return s <= 0 ? 0 : s >= 1 ? 1 : s * s * (3 - 2 * s); };
  return 3.5 * (smooth((x - 20) / 40) - smooth((x - 80) / 40));
}

int main() {
  const arthron::Registry types = arthron::builtin_registry();
  arthron::Model model = arthron::load_model("examples/vehicle/vehicle.json", types);
  model.simulation.until = 8;
  model.simulation.integrator.type = "rk4";
  arthron::Simulation simulation(std::make_shared<const arthron::Model>(std::move(model)));

  const arthron::Input wheel = simulation.input("steering_wheel");
  arthron::Channel position = simulation.channel("body.position"), velocity = simulation.channel("body.velocity");
  if (!simulation.start().ok() || !simulation.observe().ok()) return 1;

  const double step = 0.01, preview = 0.6;  // [s]
  double angle = 0, worst = 0;
  for (int i = 1; i <= 700; ++i) {
    // Where the car will be if it goes straight on, against where the lane will be.
    const double x = position.value(0) + preview * velocity.value(0), y = position.value(1) + preview * velocity.value(1);
    const double wanted = std::clamp(0.5 * (lane(x) - y), -1.5, 1.5);
    const double rate = std::clamp((wanted - angle) / 0.05, -8.0, 8.0);  // hands are not infinitely fast [rad/s]
    wheel.set(angle, rate);
    if (!simulation.advance_to(step * i).ok() || !simulation.observe().ok()) return 1;
    angle = wheel.value();
    const double off = position.value(1) - lane(position.value(0));
    worst = std::max(worst, std::abs(off));
    if (i % 50 == 0)
      std::printf("%.1f s  x %6.1f m  y %6.3f m  off the lane %6.3f m  steering wheel %6.1f degrees\n", simulation.state().t,
                  position.value(0), position.value(1), off, angle * 180 / 3.14159265358979);
  }
  std::printf("at most %.2f m off the lane\n", worst);
  return worst < 1 ? 0 : 1;
}
