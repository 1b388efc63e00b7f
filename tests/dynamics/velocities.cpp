#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/loaded.hpp"
#include "support/repository.hpp"

using namespace arthron;
using namespace arthron::test;

TEST_CASE("every model of the repository: velocities alone are those of an evaluation, and leave its loads") {
  int models = 0, grouped = 0, divided = 0, looped = 0;
  for (const std::string& file : model_files({"examples", "subsystems"}))
    for (const Grain& grain : {Grain{}, fine_grain}) {
      CAPTURE(file);
      Model given = load_model(file, builtins());
      if (given.simulation.formulation != "hdca") continue;
      const Loaded model(std::move(given), grain);
      const Plan& plan = *model.plan;
      Workspace& work = *model.work;
      std::vector<double> p = model.state.p, qdot(model.state.q.size()), pdot(p.size());
      for (std::size_t i = 0; i < p.size(); ++i) p[i] += 0.1 * std::sin(static_cast<double>(i));
      const std::vector<double> sought = work.q;  // where cut joints are looked for
      REQUIRE(evaluate_rates(plan, 0.1, model.state.q.data(), p.data(), qdot.data(), pdot.data(), work).ok());
      const std::vector<double> u = work.u, xdot = work.xdot;
      std::fill(work.u.begin(), work.u.begin() + plan.nu, std::nan(""));
      work.q = sought;
      REQUIRE(find_velocities(plan, 0.1, model.state.q.data(), p.data(), work).ok());
      CHECK(std::equal(u.begin(), u.begin() + plan.nu, work.u.begin()));
      CHECK(xdot == work.xdot);
      ++models, divided += plan.parts.size() > 2, looped += !plan.closures.empty();
      grouped += std::any_of(work.part.begin(), work.part.end(), [](const PartWork& part) { return part.grouped; });
    }
  CHECK(models > 40);
  CHECK(grouped > 4);
  CHECK(divided > 10);
  CHECK(looped > 20);
}
