// A chain of links, built in a loop and swung: the definition is the same as in a file, so it can be saved as one.
#include <arthron/components/builtins.hpp>
#include <arthron/model/builder.hpp>
#include <arthron/simulation/simulation.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>

int main() {
  const int links = 5;
  arthron::ModelBuilder chain("chain");
  chain.parameter("length", 0.4).parameter("mass", 0.5);
  for (int i = 0; i < links; ++i) {
    const std::string n = std::to_string(i), x = "=" + n + "*length";
    chain.body("link" + n).mass("=mass").com({x + " + length/2", 0, 0}).inertia({0.001, "=mass*length^2/12", "=mass*length^2/12"});
    chain.joint("hinge" + n, "revolute")
        .parent(i == 0 ? "ground" : "link" + std::to_string(i - 1))
        .child("link" + n)
        .at({x, 0, 0})
        .axis({0, 1, 0});
  }
  chain.marker("tip", "link" + std::to_string(links - 1)).at({"=" + std::to_string(links) + "*length", 0, 0});
  chain.simulate().set("until", 2).set("integrator", {{"type", "dopri5"}, {"tolerance", 1e-9}});
  const std::string file = (std::filesystem::temp_directory_path() / "chain.json").string();
  chain.save(file);
  std::printf("`arthron run %s` does the same as what follows\n", file.c_str());

  const arthron::Registry types = arthron::builtin_registry();  // outlives every model made with it
  arthron::Simulation simulation(std::make_shared<const arthron::Model>(chain.build(types)));
  arthron::Channel tip = simulation.channel("tip.position"), energy = simulation.channel("energy.total");
  if (!simulation.start().ok() || !simulation.observe().ok()) return 1;
  const double energy_start = energy.value();
  for (int i = 1; i <= 20; ++i) {
    if (!simulation.advance_to(0.1 * i).ok() || !simulation.observe().ok()) return 1;
    std::printf("%.1f s  tip at %7.4f  %7.4f m\n", simulation.state().t, tip.value(0), tip.value(2));
  }
  return std::abs(energy.value() - energy_start) < 1e-6 ? 0 : 1;
}
