#include <doctest/doctest.h>

#include "support/loaded.hpp"
#include "support/mechanisms/trial.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// These checks of the mechanisms of so many seeds. `bench/random --seed SEED --count 1 --folder FOLDER` writes the model of a failure.
void check_mechanisms(unsigned first, unsigned count, const std::vector<std::string>& checks) {
  Report all;
  for (unsigned seed = first; seed < first + count; ++seed) all.add(check_mechanism(builtins(), seed, checks));
  for (const Failure& failure : all.failures) FAIL_CHECK("seed " << failure.seed << ": " << failure.check << ": " << failure.detail);
  // Checks that hardly ever apply would find nothing.
  for (const std::string& check : checks) {
    CAPTURE(check);
    CHECK(all.done[check] >= static_cast<int>(count) / 10);
  }
}

}  // namespace

TEST_CASE("random mechanisms have the degrees of freedom that the rank of their constraints leaves") {
  check_mechanisms(1, 150, {"freedom"});
}

TEST_CASE("random mechanisms: loads, reactions and accelerations of every body are in balance in every row") {
  check_mechanisms(1, 100, {"balance"});
}

TEST_CASE("random mechanisms accelerate so that no work is done on any motion that their joints admit") {
  check_mechanisms(1, 100, {"work"});
}

TEST_CASE("random mechanisms keep their energy and momentum, their loops closed, and converge with the tolerance") {
  check_mechanisms(1, 100, {"energy", "momentum", "closure", "tolerance"});
}

TEST_CASE("random mechanisms move the same wherever their loops are cut, joints begin and files list them") {
  check_mechanisms(201, 60, {"cut", "root", "order"});
}

TEST_CASE("random mechanisms move the same in other units, at other places, mirrored and on a moving ground") {
  check_mechanisms(301, 60, {"units", "place", "mirror", "common velocity"});
}

TEST_CASE("random mechanisms move the same under every formulation, elimination and integrator") {
  check_mechanisms(401, 60, {"formulation", "elimination", "integrator"});
}

TEST_CASE("random mechanisms move the same with rows at other times, and to the last bit with more workers") {
  check_mechanisms(501, 60, {"output step", "threads"});
}
