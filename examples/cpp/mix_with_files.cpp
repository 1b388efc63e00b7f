// A body on two corners of the library, one the mirror image of the other, with a wheel each: files, and what is built here, in one model.
#include <arthron/components/builtins.hpp>
#include <arthron/model/builder.hpp>
#include <arthron/simulation/simulation.hpp>
#include <cmath>
#include <cstdio>

int main() {
  const double weight = 600 * 9.81;  // that the springs are preloaded for [N]
  arthron::ModelBuilder cart("cart");
  cart.body("body").mass(529).com({0, 0, 0.5}).inertia({100, 100, 100});
  cart.joint("heave", "prismatic").parent("ground").child("body").at({0, 0, 0}).axis({0, 0, 1}).set("initial", {{"position", 0.03}});
  cart.set("road", {{"height", 0}});

  for (const char* side : {"left", "right"}) {
    const std::string corner = side, wheel = "wheel_" + corner;
    auto suspension = cart.use(corner, "double_wishbone/double_wishbone.json").connect("chassis", "body").connect("rack", "body");
    suspension.parameter("load", weight / 2).at({0, 0, 0.315 - weight / 2 / 200000 - 0.3});
    auto rolling = cart.use(wheel, "wheel/wheel.json").at(corner + ".hub").connect("hub", corner + ".hub").parameter("spin", 0);
    if (corner == "right") suspension.mirror('y'), rolling.mirror('y');
  }
  cart.simulate().set("until", 3).set("integrator", {{"type", "rk4"}, {"step", 0.0005}});

  const arthron::Registry types = arthron::builtin_registry();
  const auto model = std::make_shared<const arthron::Model>(cart.build(types, "subsystems"));
  double mass = 0;
  for (const arthron::Body& body : model->bodies) mass += body.mass;
  arthron::Simulation simulation(model);
  arthron::Channel heave = simulation.channel("heave.position"), loads = simulation.channel("wheel_*.load");
  if (!simulation.start().ok()) return 1;
  for (int i = 0; i <= 15; ++i) {
    if (!simulation.advance_to(0.2 * i).ok() || !simulation.observe().ok()) return 1;
    std::printf("%.1f s  body up by %6.2f mm  wheel loads %6.1f %6.1f N\n", simulation.state().t, 1e3 * heave.value(), loads.value(0),
                loads.value(1));
  }
  // Dropped from 30 mm it has settled, and the wheels carry the weight between them.
  return std::abs(loads.value(0) + loads.value(1) - 9.81 * mass) < 1 ? 0 : 1;
}
