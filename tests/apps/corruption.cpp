#include <doctest/doctest.h>

#include "apps/program.hpp"
#include "support/corrupt.hpp"
#include "support/full_model.hpp"

using namespace arthron;
using namespace arthron::test;

TEST_CASE("two thousand damaged models run or are refused with a place in the file") {
  const Folder folder;
  testing::Corruptor corruptor(20240607);
  int refused = 0, ran = 0, failed = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string text = corruptor.damage(i % 2 == 0 ? testing::full_model : double_pendulum);
    const std::string model = folder.write("model.json", text);
    const Outcome outcome = program({"run", model, "--until", "0.01", "--output-step", "0.001", "--max-steps", "2000"});
    CAPTURE(i);
    CAPTURE(outcome.err.substr(0, 2000));
    switch (outcome.code) {
      case cli::ExitCode::success: ++ran; break;
      case cli::ExitCode::user_mistake:
        ++refused;
        CHECK(outcome.complains_of(": /"));
        break;
      case cli::ExitCode::numerical_failure:
        ++failed;
        CHECK(outcome.complains_of(": /"));
        break;
      default: CHECK(outcome.code == cli::ExitCode::success);
    }
  }
  CHECK(refused > 500);
  CHECK(ran > 50);
  CHECK(failed <= 2);  // a joint drawn a million metres off its body leaves no digit of its inertia
  MESSAGE("refused " << refused << ", ran " << ran << ", could not be computed " << failed);
}
