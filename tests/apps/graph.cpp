#include <doctest/doctest.h>

#include <algorithm>
#include <regex>

#include "apps/program.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/model/hierarchy.hpp"
#include "arthron/model/load.hpp"
#include "arthron/plan/plan.hpp"

/// What `graph` draws. Source of truth: the Model and the Plan of the same file.
using namespace arthron;
using namespace arthron::test;

namespace {

const std::string project = std::string(ARTHRON_SOURCE_DIR) + "/";

std::shared_ptr<const Plan> planned(const std::string& file) {
  static const Registry types = builtin_registry();
  return compile(std::make_shared<const Model>(load_model(file, types)));
}

std::string graph(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"graph"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Outcome outcome = program(all);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return outcome.out;
}

std::vector<std::string> lines_with(const std::string& text, const std::string& words) {
  std::vector<std::string> found;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.find(words) != std::string::npos) found.push_back(line);
  return found;
}

bool contains(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

/// Models of the repository that need no plug-in.
std::vector<std::string> models_of_the_repository() {
  std::vector<std::string> files;
  for (const char* folder : {"examples", "subsystems"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(project + folder)) {
      const std::string file = entry.path().string();
      if (file.ends_with(".json") && !contains(file, "/plugins/") && !file.ends_with("_study.json")) files.push_back(file);
    }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("the graph has every body and joint by its path, and just the cut joints are dashed") {
  for (const std::string name : {"fourbar_ladder/fourbar_ladder", "vehicle/vehicle", "rssr/rssr", "block_module_car/block_module_car"}) {
    CAPTURE(name);
    const std::string file = project + "examples/" + name + ".json";
    const auto plan = planned(file);
    const std::string dot = graph({file, "--depth", "9"});
    for (const Body& body : plan->model->bodies)
      if (!body.ground) CHECK(contains(dot, "tooltip=\"" + body.path + "\"];"));
    for (std::size_t j = 0; j < plan->model->joints.size(); ++j) {
      const std::string& path = plan->model->joints[j].path;
      CAPTURE(path);
      const auto lines = lines_with(dot, "tooltip=\"" + path + "\"];");
      REQUIRE(!lines.empty());
      CHECK(contains(lines.front(), path.substr(path.rfind('.') + 1)));
      CHECK(contains(lines.front(), std::string(plan->model->joints[j].definition->type().name())));
      CHECK(contains(lines.front(), "style=dashed") == (plan->joints[j].closure >= 0));
    }
    CHECK(plan->cuts > 0);
    CHECK(lines_with(dot, "style=dashed").size() == static_cast<std::size_t>(plan->cuts));
  }
}

TEST_CASE("boxes of the graph are nested as subsystems are") {
  const std::string file = project + "examples/vehicle/step_steer.json";
  const auto plan = planned(file);
  std::istringstream dot(graph({file, "--depth", "9"}));
  std::vector<int> parent(plan->model->subsystems.size(), -2), open{-1};
  for (std::string line; std::getline(dot, line);) {
    std::smatch found;
    if (std::regex_search(line, found, std::regex("^ *subgraph cluster_([0-9]+) \\{$"))) {
      const int number = std::stoi(found[1]);
      parent.at(number) = open.back();
      open.push_back(number);
    } else if (line.ends_with("}") && line.starts_with("  ")) {
      open.pop_back();
    }
  }
  for (std::size_t s = 0; s < parent.size(); ++s) {
    CAPTURE(plan->model->subsystems[s].path);
    CHECK(parent[s] == plan->model->subsystems[s].parent);
  }
}

TEST_CASE("a mount is drawn between what carries it and what it carries") {
  const std::string file = project + "examples/vehicle/vehicle.json";
  const auto plan = planned(file);
  const std::string dot = graph({file, "--depth", "9"});
  const auto node = [&](const auto& elements, const std::string& path, char letter) {
    const auto at = std::find_if(elements.begin(), elements.end(), [&](const auto& element) { return element.path == path; });
    REQUIRE(at != elements.end());
    return letter + std::to_string(at - elements.begin());
  };
  const std::string body = node(plan->model->bodies, "body", 'b'), axle = node(plan->model->ports, "front.chassis", 'p'),
                    corner = node(plan->model->ports, "front.left.chassis", 'p'),
                    arm = node(plan->model->bodies, "front.left.lower_arm", 'b');
  CHECK(contains(dot, body + "->" + axle + " ["));
  CHECK(contains(dot, axle + "->" + corner + " ["));
  CHECK(contains(dot, corner + "->" + arm + " ["));
}

TEST_CASE("Graphviz draws every model of the repository") {
  const Folder folder;
  for (const std::string& file : models_of_the_repository()) {
    CAPTURE(file);
    const Outcome outcome = program({"graph", file, "--forces", "--output", folder.file("graph.svg")});
    CAPTURE(outcome.err);
    CHECK(outcome.code == 0);
    const std::string svg = folder.read("graph.svg");
    CHECK(contains(svg, "<svg"));
    CHECK(svg.ends_with("</svg>\n"));
    std::filesystem::remove(folder.file("graph.svg"));
  }
}

TEST_CASE("subsystems below the depth asked for are boxes, and the picture says so") {
  const std::string file = project + "examples/vehicle/vehicle.json";
  const auto plan = planned(file);
  const std::string dot = graph({file, "--depth", "0"});
  CHECK(lines_with(dot, "subgraph cluster_").size() == 1);
  CHECK(lines_with(dot, "peripheries=2").size() == children_of(*plan->model, 0).size());
  CHECK(contains(dot, "Subsystems are drawn as boxes; arthron graph --depth "));
  CHECK(!contains(graph({file, "--depth", "9"}), "are drawn as boxes"));
}

TEST_CASE("a model too large for a picture is drawn in part unless a depth is asked for") {
  const Folder folder;
  std::string bodies, joints;
  for (int i = 0; i < 1000; ++i) {
    const std::string n = std::to_string(i), comma = i > 0 ? "," : "";
    bodies += comma + R"("b)" + n + R"(": { "mass": 1, "inertia": [1, 1, 1] })";
    joints += comma + R"("j)" + n + R"(": { "type": "revolute", "parent": ")" + (i > 0 ? "b" + std::to_string(i - 1) : "ground") +
              R"(", "child": "b)" + n + R"(", "at": [)" + n + R"(, 0, 0], "axis": [0, 1, 0] })";
  }
  const std::string file =
      folder.write("long.json", R"({ "arthron": 1, "name": "long", "bodies": {)" + bodies + "}, \"joints\": {" + joints + "} }");
  const std::string dot = graph({file});
  CHECK(lines_with(dot, "1 kg").size() < 200);
  CHECK(contains(dot, "more bodies\""));
  CHECK(contains(dot, "Too large to be drawn whole; arthron graph --depth 0 draws it nevertheless."));
  CHECK(lines_with(graph({file, "--depth", "0"}), "1 kg").size() == 1000);
}

TEST_CASE("forces on one body are drawn only when asked for, those between two always, couplings dotted between their joints") {
  const Folder folder;
  const std::string file = folder.write("model.json", R"({ "arthron": 1, "name": "forces",
    "bodies": { "a": { "mass": 1, "inertia": [1, 1, 1] }, "b": { "mass": 1, "inertia": [1, 1, 1] } },
    "joints": { "ja": { "type": "revolute", "parent": "ground", "child": "a", "at": [0, 0, 0], "axis": [0, 1, 0] },
                "jb": { "type": "revolute", "parent": "ground", "child": "b", "at": [1, 0, 0], "axis": [0, 1, 0] } },
    "couplings": { "gear": { "terms": { "ja": 1, "jb": 2 } } },
    "forces": { "spring": { "type": "spring_damper", "from": ["a", [0, 0, 1]], "to": ["b", [1, 0, 1]], "stiffness": 1 },
                "push": { "type": "force", "on": ["a", [0, 0, 1]], "force": [1, 0, 0] } } })");
  const std::string plain = graph({file}), all = graph({file, "--forces"});
  CHECK(lines_with(plain, "tooltip=\"spring\"];").size() == 1);
  CHECK(!contains(plain, "tooltip=\"push\""));
  CHECK(contains(plain, "1 force on single bodies not drawn"));
  CHECK(contains(all, "tooltip=\"push\""));
  const auto gear = lines_with(plain, "tooltip=\"gear\"];");
  REQUIRE(gear.size() == 1);
  CHECK(contains(gear[0], "j0->j1 ["));
  CHECK(contains(gear[0], "style=dotted"));
}

TEST_CASE("names of models and files cannot break the graph") {
  const Folder folder;
  Outcome outcome{};
  const std::string text = R"json({ "arthron": 1, "name": "</title><script>alert(1)</script>\"];}\\N \u0001 & \u00e9 <b>\\",
    "bodies": { "a": { "mass": 1, "inertia": [1, 1, 1] } },
    "joints": { "j": { "type": "revolute", "parent": "ground", "child": "a", "at": [0, 0, 0], "axis": [0, 1, 0] } } })json";
  const std::string file = folder.write("a\"b<i>&\\.\xff\xed\xa0\x80json", text);
  for (const std::string kind : {"", "--elimination"}) {
    CAPTURE(kind);
    std::vector<std::string> command{"graph", file, "--output", folder.file("graph.svg")};
    if (!kind.empty()) command.push_back(kind);
    outcome = program(command);
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    const std::string svg = folder.read("graph.svg");
    CHECK(!contains(svg, "<script"));
    CHECK(!contains(svg, "syntax error"));
  }
  CHECK(contains(graph({file}), "&lt;script&gt;alert(1)&lt;/script&gt;&quot;];}\\N ?"));
}

TEST_CASE("graph --tasks draws what an evaluation does, by subsystem, and what waits for what") {
  const std::string dot = graph({project + "examples/convoy/convoy.json", "--tasks"});
  for (const char* words : {"digraph", "fold", "momenta", ": car"}) {
    CAPTURE(words);
    CHECK(contains(dot, words));
  }
  CHECK(contains(graph({project + "examples/rope/rope.json", "--tasks"}), "->"));
  CHECK(contains(graph({project + "examples/pendulum/pendulum.json", "--tasks"}), "place bodies"));
}

TEST_CASE("graph --elimination draws the elimination tree") {
  const Folder folder;
  const std::string dot = graph({project + "examples/rope/rope.json", "--elimination"});
  CHECK(dot.starts_with("digraph"));
  CHECK(contains(dot, "join0"));
  CHECK(program({"graph", project + "examples/pendulum/pendulum.json", "--elimination", "--output", folder.file("tree.svg")}).code == 0);
  CHECK(contains(folder.read("tree.svg"), "<svg"));
}

TEST_CASE("mistakes of graph are named and leave no file") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const auto refused = [&](std::vector<std::string> options, const std::string& words) {
    options.insert(options.begin(), {"graph", model});
    const Outcome outcome = program(options);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.complains_of(words));
    CHECK(folder.names().size() == 1);
  };
  refused({"--output", folder.file("graph.png")}, "FILE.dot or FILE.svg");
  refused({"--output", folder.file("none/graph.svg")}, "a file that can be written");
  refused({"--depth", "-1"}, "expected a whole number >= 0");
  refused({"--depth", "1.5"}, "--depth\n  found \"1.5\"");
  refused({"--elimination", "--depth", "1"}, "--depth");
  refused({"--set", "lenght=2"}, "did you mean \"length\"?");
}
