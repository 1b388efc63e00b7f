#include "apps/process.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "suspension/corner.hpp"

using namespace arthron::test;

TEST_CASE("the program in a pipe prints its summary and nothing on the error stream") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  CHECK(exit_code(start(folder, {"run", model})) == 0);
  CHECK(folder.read("out").find("simulated time") != std::string::npos);
  CHECK(folder.read("err").empty());
}

TEST_CASE("an interrupted run exits with 130 and keeps the rows so far") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Folder folder;
    const std::string model = folder.write("model.json", double_pendulum);
    // It could go on for hours.
    const pid_t child = start(folder, {"run", model, "--until", "1e6", "--output-step", "0.2", "--integrator", "rk4", "--step", "0.02",
                                       "--output", folder.file("rows.csv")});
    CHECK(comes_true([&] { return catches(child, signal) && fills(folder, "rows.csv"); }));
    REQUIRE(kill(child, signal) == 0);
    CHECK(exit_code(child) == 130);
    const std::string rows = folder.read("rows.csv");
    CHECK(rows.starts_with("t [s],"));
    CHECK(rows.ends_with('\n'));
    CHECK(std::count(rows.begin(), rows.end(), '\n') > 2);
    CHECK(folder.names().size() == 4);
    CHECK(folder.read("err").find("interrupted") != std::string::npos);
  }
}

TEST_CASE("an interrupted rig exits with 130 and keeps the rows so far") {
  const Folder folder;
  const std::string model = folder.write("corner.json", corner_json().dump());
  const pid_t child = start(folder, {"kc", model, "--output", folder.file("out_folder"), "--step", "1e-5"});
  // It would take minutes.
  CHECK(comes_true([&] { return catches(child, SIGINT); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  REQUIRE(kill(child, SIGINT) == 0);
  CHECK(exit_code(child) == 130);
  const std::string rows = folder.read("out_folder/parallel_bump.csv");
  CHECK(rows.starts_with("wheel_travel [m],"));
  CHECK(rows.ends_with('\n'));
  CHECK(folder.read("err").find("interrupted") != std::string::npos);
  CHECK(folder.read("out").empty());
}
