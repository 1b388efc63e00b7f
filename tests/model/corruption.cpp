#include <doctest/doctest.h>

#include "model/loading.hpp"
#include "support/corrupt.hpp"
#include "support/full_model.hpp"

using namespace arthron;
using namespace arthron::testing;

TEST_CASE("2,000 damaged models load or are refused with a place for every mistake") {
  Corruptor corruptor(20240601);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string text = corruptor.damage(i % 2 == 0 ? std::string(full_model) : pendulum());
    try {
      (void)parse(text);
    } catch (const ModelError& error) {
      ++refused;
      CHECK_FALSE(error.diagnostics().empty());
      for (const Diagnostic& diagnostic : error.diagnostics()) {
        CHECK_MESSAGE(diagnostic.line > 0, to_string(diagnostic));
        CHECK_FALSE(diagnostic.found.empty());
        CHECK_FALSE(diagnostic.expected.empty());
      }
    }
  }
  CHECK(refused > 1000);
}
