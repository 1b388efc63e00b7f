#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "support/folder.hpp"
#include "support/loaded.hpp"

using namespace arthron;

namespace {

struct Evaluated {
  std::shared_ptr<const Plan> plan;
  std::unique_ptr<Workspace> work;
  State state;
  explicit Evaluated(const std::string& file)
      : plan(compile(std::make_shared<const Model>(load_model(file, test::builtins())))), work(make_workspace(*plan)) {
    REQUIRE(initial_state(*plan, *work, state).ok());
  }
};

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("released closures: the rates are those of the model without its cut joint") {
  const std::string file = ARTHRON_SOURCE_DIR "/examples/loop4/loop4.json";
  Evaluated closed(file);
  REQUIRE(closed.plan->cuts == 1);
  const std::string cut = closed.plan->model->joints[closed.plan->closures[0].joint].path;
  std::string text = text_of(file);
  const std::size_t line = text.find("    \"" + cut + "\": {");
  REQUIRE(line != std::string::npos);
  text.erase(line, text.find('\n', line) + 1 - line);
  const test::Folder folder;
  Evaluated open(folder.write("open.json", text));
  REQUIRE(open.plan->closures.empty());
  REQUIRE(open.plan->nq == closed.plan->nq);
  const std::vector<double> q = {0.3, -0.5, 0.2, 0.7}, p = {1.1, -0.4, 0.9, 2};  // anywhere
  std::vector<double> qdot(4), pdot(4), qdot_open(4), pdot_open(4);
  REQUIRE(evaluate_released(*closed.plan, 0, q.data(), p.data(), qdot.data(), pdot.data(), *closed.work).ok());
  REQUIRE(evaluate(*open.plan, 0, q.data(), p.data(), qdot_open.data(), pdot_open.data(), *open.work).ok());
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(qdot[i] == doctest::Approx(qdot_open[i]).epsilon(1e-13));
    CHECK(pdot[i] == doctest::Approx(pdot_open[i]).epsilon(1e-13));
  }
  // And the closures are back.
  REQUIRE(evaluate(*closed.plan, 0, closed.state.q.data(), p.data(), qdot.data(), pdot.data(), *closed.work).ok());
  REQUIRE(evaluate_released(*closed.plan, 0, closed.state.q.data(), p.data(), qdot_open.data(), pdot_open.data(), *closed.work).ok());
  CHECK(std::abs(qdot[0] - qdot_open[0]) > 1e-3);
}

TEST_CASE("opening momenta open a loop with the rate that is asked for: finite differences of its openings") {
  Evaluated loop(ARTHRON_SOURCE_DIR "/examples/rssr/rssr.json");
  REQUIRE(loop.plan->closures.size() == 1);
  const int nq = loop.plan->nq, nu = loop.plan->nu;
  std::vector<double> p(nu), pdot(p), qdot(nq);
  REQUIRE(loop.plan->closures[0].rows == 3);
  // Of a ball joint only the displacement is held.
  std::vector<Spatial6> rates = {{{0.3, -0.2, 0.5}, {1, 2, 3}}};
  REQUIRE(opening_momenta(*loop.plan, 0, loop.state.q.data(), rates, p.data(), *loop.work).ok());
  CHECK(norm(rates[0].angular) < 1e-12);
  CHECK(norm(rates[0].linear - Vec3{0.3, -0.2, 0.5}) < 1e-12);
  REQUIRE(evaluate_released(*loop.plan, 0, loop.state.q.data(), p.data(), qdot.data(), pdot.data(), *loop.work).ok());
  constexpr double h = 1e-6;
  const auto moved = [&](double dt) {
    std::vector<double> q = loop.state.q;
    for (int i = 0; i < nq; ++i) q[i] += dt * qdot[i];
    return openings(*loop.plan, 0, q.data(), *loop.work)[0].linear;
  };
  const Vec3 change = (1 / (2 * h)) * (moved(h) - moved(-h));
  CHECK(norm(change - rates[0].linear) < 1e-8);  // h^2 and eps / h
}
