#include <doctest/doctest.h>

#include "apps/program.hpp"
#include "support/corrupt.hpp"
#include "support/full_model.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

struct Counts {
  int refused = 0, ran = 0, failed = 0;

  void add(const Outcome& outcome) {
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
};

Outcome run_briefly(const std::string& model) {
  return program({"run", model, "--until", "0.01", "--output-step", "0.001", "--max-steps", "2000"});
}

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("two thousand damaged models run or are refused with a place in the file") {
  const Folder folder;
  testing::Corruptor corruptor(20240607);
  Counts counts;
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    counts.add(run_briefly(folder.write("model.json", corruptor.damage(i % 2 == 0 ? testing::full_model : double_pendulum))));
  }
  CHECK(counts.refused > 500);
  CHECK(counts.ran > 50);
  CHECK(counts.failed == 0);
  MESSAGE("refused " << counts.refused << ", ran " << counts.ran);
}

TEST_CASE("a composed model with a damaged file runs or is refused with a place in a file") {
  const Folder folder;
  testing::Corruptor corruptor(20261116);
  const std::string examples = ARTHRON_SOURCE_DIR "/examples/four_post/";
  const std::vector<std::string> files{"corner.json", "axle.json", "four_post.json"};
  Counts counts;
  for (std::size_t i = 0; i < 600; ++i) {
    CAPTURE(i);
    for (const std::string& file : files) folder.write(file, text_of(examples + file));
    const std::string& damaged = files[i % files.size()];
    folder.write(damaged, corruptor.damage(text_of(examples + damaged)));
    counts.add(run_briefly(folder.file("four_post.json")));
  }
  CHECK(counts.refused > 150);
  CHECK(counts.ran > 20);
  // One damage puts a body 3e8 m away, which leaves no digits for its inertia: that run may stop, with a place.
  CHECK(counts.failed <= 1);
  MESSAGE("refused " << counts.refused << ", ran " << counts.ran);
}
