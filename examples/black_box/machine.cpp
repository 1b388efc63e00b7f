// machine BOOM.so LOAD.so MODEL.json: moves a machine of two libraries, which were compiled each by itself and tell nothing but their
// handle equations, and holds its motion against that of the same machine as one model.
#include <dlfcn.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include "arthron/components/builtins.hpp"
#include "arthron/dynamics/handle_machine.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"

namespace {

using namespace arthron;

std::unique_ptr<HandleBox> load_box(const char* library) {
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw std::runtime_error(dlerror());
  void* const symbol = dlsym(handle, "arthron_handle_box");
  if (!symbol) throw std::runtime_error(std::string(library) + ": no handle box");
  return std::unique_ptr<HandleBox>(reinterpret_cast<HandleBox* (*)()>(symbol)());
}

/// The classical method of Runge and Kutta.
void step(HandleMachine& machine, double t, double h, std::vector<double>& y) {
  const std::size_t n = y.size();
  std::vector<double> k(n), sum(n, 0), at = y;
  const double before[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (std::size_t stage = 0; stage < 4; ++stage) {
    for (std::size_t i = 0; i < n; ++i) at[i] = y[i] + before[stage] * h * k[i];
    machine.rates(t + before[stage] * h, at.data(), k.data());
    for (std::size_t i = 0; i < n; ++i) sum[i] += weight[stage] * k[i];
  }
  for (std::size_t i = 0; i < n; ++i) y[i] += h * sum[i];
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  std::vector<std::unique_ptr<HandleBox>> boxes;
  boxes.push_back(load_box(arguments[1])), boxes.push_back(load_box(arguments[2]));
  HandleMachine machine(std::move(boxes), {Mat3::identity(), {0, 0, 1}});
  std::vector<double> y = machine.start();

  Simulation whole(std::make_shared<const Model>(load_model(arguments[3], builtin_registry())));
  if (!whole.start().ok()) return 1;
  constexpr double h = 5e-4;
  double worst = 0;
  for (int row = 1; row <= 30; ++row) {
    for (int i = 0; i < 200; ++i) step(machine, 0.1 * (row - 1) + h * i, h, y);
    if (!whole.advance_to(0.1 * row).ok()) return 1;
    const std::vector<double>& q = whole.state().q;
    worst = std::max({worst, std::abs(y[0] - q[0]), std::abs(y[2] - q[1])});
  }
  std::printf("after %.1f s the boom is at %.9f rad, the load at %.9f rad; from one model at most %.1g rad\n", whole.state().t, y[0], y[2],
              worst);
  return worst < 1e-9 ? 0 : 1;
}
