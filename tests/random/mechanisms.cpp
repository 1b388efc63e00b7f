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

constexpr unsigned first = 1;

}  // namespace

TEST_CASE("random mechanisms obey the laws of mechanics, and runs get better with the tolerance") {
  check_mechanisms(first, 42, {"freedom", "balance", "work", "energy", "momentum", "closure", "tolerance"});
}

TEST_CASE("random mechanisms move the same wherever their loops are cut, without joints that add nothing, and however files are written") {
  check_mechanisms(first, 80, {"cut", "redundant", "root", "order"});
}

TEST_CASE("random mechanisms move the same in other units, at other places, mirrored and on a moving ground") {
  check_mechanisms(first, 80, {"units", "place", "mirror", "common velocity"});
}

TEST_CASE(
    "random mechanisms move the same with all formulations, eliminations and integrators, with rows at other times, and to the last bit "
    "with more workers") {
  check_mechanisms(first, 30, {"formulation", "elimination", "integrator", "output step", "threads"});
}

TEST_CASE("mechanisms in which something was wrong once") {
  // Momenta of light bodies in loops, and on a ground that moves; the energy of what is at rest; springs that turn over.
  for (const unsigned seed : {554, 1301, 1633, 2107, 2524, 2585, 2810, 3983}) {
    const Report report = check_mechanism(builtins(), seed);
    for (const Failure& failure : report.failures) FAIL_CHECK("seed " << seed << ": " << failure.check << ": " << failure.detail);
  }
}
