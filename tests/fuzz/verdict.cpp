#include "support/fuzz/verdict.hpp"

#include <doctest/doctest.h>

#include "support/folder.hpp"
#include "support/fuzz/files.hpp"

using namespace arthron::fuzz;

namespace {

/// A working folder with an empty folder `out`.
struct Judged {
  arthron::test::Folder folder;
  std::filesystem::path before = std::filesystem::current_path();
  std::vector<std::string> run{"run", "model.json", "--output", "out/rows.csv"};

  Judged() {
    std::filesystem::current_path(folder.file("."));
    std::filesystem::create_directory("out");
  }
  ~Judged() { std::filesystem::current_path(before); }
  Judged(const Judged&) = delete;
  Judged& operator=(const Judged&) = delete;
};

}  // namespace

TEST_CASE_FIXTURE(Judged, "whole rows and finite numbers are no fault") {
  write_file("out/rows.csv", "t [s],banana.infinity [m]\n0,1\n1,-2e-3\n");
  CHECK(fault_of(run, {0, "energy drift 1e-9 J\n", ""}, false).empty());
}

TEST_CASE_FIXTURE(Judged, "exit code 0 with a number that is not finite is a fault") {
  for (const char* word : {"nan", "-nan", "inf", "-inf"}) {
    write_file("out/rows.csv", std::string("t [s],x [m]\n0,") + word + "\n");
    CHECK(fault_of(run, {0, "", ""}, false).starts_with("exit code 0 with a number that is not finite"));
  }
  write_file("out/rows.csv", "t [s],x [m]\n0,1\n");
  CHECK(fault_of(run, {0, "energy drift nan J\n", ""}, false).starts_with("exit code 0 with a number that is not finite"));
}

TEST_CASE_FIXTURE(Judged, "exit codes that are not documented for the command are faults") {
  for (const int code : {1, 70, 130, 134, -1})
    CHECK(fault_of(run, {code, "", "internal error: what\n"}, false) == "exit code " + std::to_string(code));
  CHECK(fault_of({"sweep", "study.json"}, {130, "", ""}, true).empty());
  CHECK(fault_of({"check-plugin", "lib.so"}, {1, "", ""}, false).empty());
}

TEST_CASE_FIXTURE(Judged, "a message names a place and tells what is wrong there") {
  write_file("model.json", "{}");
  write_file("list.csv", "a\n1\n");
  for (const char* good : {"model.json:3: /bodies/a/mass\n  found 0; expected a number above 0\n",
                           "--until\n  found x; expected a number\n", "list.csv:2\n  found x; expected a number\n",
                           "list.csv:2: mass\n  found x; expected a number\n", "gone.json\n  found no such file; expected a model\n",
                           "model.json:3: /bodies\n  found a; expected b\nmodel.json:5: /joints\n  found a; expected b\n"})
    CHECK(fault_of(run, {2, "", good}, false).empty());
  for (const char* bad :
       {"", "something is wrong\n", "something is wrong\n  here\n", "  found 0; expected 1\n", "model.json\n  found 0; expected 1\n",
        "model.json:3\n  found 0; expected 1\n", "model.json: /bodies\n  found 0; expected 1\n", "gone.json:3: /a\n  found 0; expected 1\n",
        "model.json:3: /a\n  is wrong\n", "model.json:3: /a\n  found ; expected 1\n", "model.json:3: /a\n  found 1; expected \n",
        "model.json:3: /bodies\n  found a; expected b\nno place\n  found 1; expected 2\n", "model.json:3: /bodies\n"})
    CHECK_FALSE(fault_of(run, {2, "", bad}, false).empty());
}

TEST_CASE_FIXTURE(Judged, "a computation that fails names a place too, and says what happened") {
  write_file("model.json", "{}");
  CHECK(fault_of(run, {3, "", "model.json:3: /joints/a\n  no inertia resists the motion of a joint at t = 1 s\n"}, false).empty());
  CHECK_FALSE(fault_of(run, {3, "", "model.json\n  the motion ceases to be finite\n"}, false).empty());
  CHECK_FALSE(fault_of(run, {3, "", "model.json:3: /joints/a\n"}, false).empty());
}

TEST_CASE_FIXTURE(Judged, "half a file is a fault, and so is one that nobody asked for") {
  write_file("model.json", "{}");
  const auto fault = [&](const std::string& file, const std::string& text) {
    write_file(file, text);
    const std::string found = fault_of(run, {3, "", "model.json:3: /joints/a\n  at t = 1\n"}, false);
    std::filesystem::remove(file);
    return found;
  };
  CHECK(fault("out/rows.csv", "t,x\n0,1\n").empty());
  for (const char* half : {"t,x\n0,", "t,x\n0,1\n1\n", "t,x\n0,1"}) CHECK(fault("out/rows.csv", half).starts_with("half a file"));
  CHECK(fault("out/state.json", "{\"a\":[1]}").empty());
  CHECK_FALSE(fault("out/state.json", "{\"a\":[1").empty());
  CHECK_FALSE(fault("out/rows.csv.partial-12", "t,x\n0,1\n").empty());
}

TEST_CASE_FIXTURE(Judged, "exit code 0 without the file that was asked for is a fault") {
  CHECK(fault_of(run, {0, "", ""}, false) == "exit code 0 without out/rows.csv");
}
