#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <ctime>

#include "arthron/component/json_document.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/channels.hpp"
#include "arthron/simulation/simulation.hpp"

/// From the file to a simulation that is ready: large models take as much a part as small ones do.
using namespace arthron;

namespace {

const Registry& types() {
  static const Registry registry = builtin_registry();
  return registry;
}

double kilobytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / 1e3;
}

struct Cost {
  double seconds = 1e300, kilobytes = 0;
};

Cost set_up(int cars) {
  const std::clock_t start = std::clock();
  const double before = kilobytes_in_use();
  Model model = load_model(ARTHRON_SOURCE_DIR "/examples/convoy/convoy.json", types(), {{"cars", static_cast<double>(cars)}});
  model.simulation.threads = 1;
  Simulation simulation(std::make_shared<const Model>(std::move(model)));
  const ChannelSet channels(simulation.plan(), {{"car_0.body.position", "", ""}, {"energy", "", ""}});
  return {static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, kilobytes_in_use() - before};
}

}  // namespace

TEST_CASE("a convoy is set up in time and memory that grow with the number of cars, and no faster") {
  Cost few, many;
  for (int turn = 0; turn < 3; ++turn) {
    const Cost a = set_up(100), b = set_up(400);
    few = {std::min(few.seconds, a.seconds), a.kilobytes}, many = {std::min(many.seconds, b.seconds), b.kilobytes};
  }
  // Four times the cars: a search of everything for every car would make it sixteen.
  CHECK(many.seconds < 9 * few.seconds);
  CHECK(many.kilobytes < 4.8 * few.kilobytes);
  CHECK(many.kilobytes < 400 * 480.0);
}

TEST_CASE("cars of one repeated entry move, to the last bit, as the same cars written one by one") {
  const auto end_of_run = [](const Json& subsystems) {
    const Json convoy{{"arthron", 1}, {"name", "convoy"}, {"subsystems", subsystems}, {"road", {{"height", "=0.01*sin(x)"}}}};
    Model model = build_model(convoy, ARTHRON_SOURCE_DIR "/examples/convoy/here.json", types());
    model.simulation.integrator = {"rk4", 1e-6, 1e-6, 1e-3};
    Simulation simulation(std::make_shared<const Model>(std::move(model)));
    REQUIRE(simulation.start().ok());
    REQUIRE(simulation.advance_to(0.02).ok());
    return simulation.state();
  };
  const auto car = [](const std::string& i) {
    return Json{
        {"use", "../vehicle/vehicle.json"}, {"at", {"=-12.1*" + i, 0, 0}}, {"connect", {{"steering_wheel", "=0.5*t*(1 + " + i + ")"}}}};
  };
  Json repeated = car("i");
  repeated["repeat"] = 3;
  const State copies = end_of_run({{"car", repeated}}),
              single = end_of_run({{"car_0", car("0")}, {"car_1", car("1")}, {"car_2", car("2")}});
  CHECK(copies.q == single.q);
  CHECK(copies.p == single.p);
}
