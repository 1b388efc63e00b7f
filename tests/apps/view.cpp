#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "apps/program.hpp"
#include "pages/pages.hpp"

using namespace arthron;
using namespace arthron::test;
using Json = nlohmann::json;

namespace {

/// The data that a page carries under an id.
std::string data_of(const std::string& page, const std::string& id) {
  const std::size_t tag = page.find("id=\"" + id + "\">"), begin = page.find('>', tag) + 1;
  REQUIRE(tag != std::string::npos);
  return page.substr(begin, page.find("</script>", begin) - begin);
}

}  // namespace

TEST_CASE("view writes a page with the model and a frame every sixtieth of a second") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const Outcome outcome = program({"view", model, "--output", folder.file("page.html"), "--plot", "energy.total", "--trace", "tip"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  const std::string page = folder.read("page.html");
  CHECK(page.starts_with("<!doctype html>"));
  const Json scene = Json::parse(data_of(page, "arthron-scene")), options = Json::parse(data_of(page, "arthron-options"));
  CHECK(scene["name"] == "double_pendulum");
  CHECK(scene["frames"]["count"] == 61);
  CHECK(options["plot"] == Json({"energy.total"}));
  CHECK(options["live"] == false);
  CHECK(data_of(page, "arthron-frames").size() > 1000);
}

TEST_CASE("a page fetches nothing") {
  const std::string page(cli::view_page());
  REQUIRE(!page.empty());
  for (const char* way : {"rel=\"stylesheet", "<script src", "@import", "src=\"http", "href=\"http", "href=\"/"})
    CHECK(page.find(way) == std::string::npos);
}

TEST_CASE("a recording makes the same page as the run") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum), step = "0.05";
  const auto channels = {"--channel", "tip.position"};
  std::vector<std::string> run = {"run", model, "--output-step", step, "--recording", folder.file("r.json"), "--quiet"};
  std::vector<std::string> view = {"view", model, "--output-step", step, "--output", folder.file("a.html"), "--quiet"};
  run.insert(run.end(), channels.begin(), channels.end()), view.insert(view.end(), channels.begin(), channels.end());
  REQUIRE(program(run).code == 0);
  REQUIRE(program(view).code == 0);
  const Outcome outcome = program({"view", folder.file("r.json"), "--output", folder.file("b.html")});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("21 frames") != std::string::npos);
  CHECK(folder.read("a.html") == folder.read("b.html"));
}

TEST_CASE("recording changes no number of a run") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  REQUIRE(program({"run", model, "--output", folder.file("a.csv"), "--quiet"}).code == 0);
  REQUIRE(program({"run", model, "--output", folder.file("b.csv"), "--recording", folder.file("r.json"), "--quiet"}).code == 0);
  CHECK(folder.read("a.csv") == folder.read("b.csv"));
}

TEST_CASE("names in a model cannot become part of a page") {
  const Folder folder;
  Json model = Json::parse(double_pendulum);
  model["name"] = "</script><script>alert(1)</script>";
  const std::string file = folder.write("model.json", model.dump());
  REQUIRE(program({"view", file, "--output", folder.file("page.html"), "--quiet"}).code == 0);
  const std::string page = folder.read("page.html");
  CHECK(page.find("<script>alert") == std::string::npos);
  CHECK(Json::parse(data_of(page, "arthron-scene"))["name"] == model["name"]);
}

TEST_CASE("mistakes of view are told with exit code 2 and leave no page") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum), page = folder.file("page.html");
  const auto refused = [&](std::vector<std::string> options, const std::string& words) {
    options.insert(options.begin(), {"view", model});
    const Outcome outcome = program(options);
    CHECK(outcome.code == 2);
    CHECK_MESSAGE(outcome.complains_of(words), outcome.err);
    CHECK(folder.read("page.html").empty());
  };
  refused({}, "--output");
  refused({"--output", page, "--follow", "uper"}, "did you mean \"upper\"?");
  refused({"--output", page, "--trace", "tp"}, "a marker or a body");
  refused({"--output", page, "--plot", "energy"}, "--plot");
  refused({"--output", page, "--until", "-1"}, "--until");
  refused({"--output", model}, "FILE.html");
  refused({"--output", folder.file("none/page.html")}, "--output");
  CHECK(folder.names().size() == 1);
  const Outcome cut = program({"view", folder.write("cut.json", "{\"arthron_recording\":1,\"scene\":{}"), "--output", page});
  CHECK(cut.code == 2);
  CHECK(cut.complains_of("cut.json:1: /scene\n  found end of input; expected '}'"));
  REQUIRE(program({"run", model, "--recording", folder.file("r.json"), "--quiet"}).code == 0);
  const Outcome fixed = program({"view", folder.file("r.json"), "--until", "1", "--set", "length=2", "--output", page});
  CHECK(fixed.code == 2);
  CHECK(fixed.complains_of("--until"));
  CHECK(fixed.complains_of("--set"));
}

TEST_CASE("a run that fails gives a page of what was computed") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const Outcome outcome = program({"view", model, "--max-steps", "20", "--output", folder.file("page.html")});
  CHECK(outcome.code == 2);
  const Json scene = Json::parse(data_of(folder.read("page.html"), "arthron-scene"));
  CHECK(scene["frames"]["count"] > 1);
  CHECK(scene["frames"]["count"] < 61);
  CHECK(Json::parse(data_of(folder.read("page.html"), "arthron-options"))["message"].get<std::string>().find("no steps left") !=
        std::string::npos);
}
