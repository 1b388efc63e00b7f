#include <doctest/doctest.h>

#include <cmath>
#include <csignal>
#include <cstring>

#include "apps/live_client.hpp"
#include "apps/process.hpp"

using namespace arthron::test;

namespace {

/// A mass on a spring without gravity, whose motion is known: x = x0 cos(w t) + v0/w sin(w t), w = sqrt(rate/mass).
constexpr auto oscillator = R"json({
  "arthron": 1, "name": "oscillator", "gravity": [0, 0, 0],
  "parameters": {
    "rate": { "value": 40, "unit": "N/m", "range": [1, 1000], "tunable": true },
    "mass": { "value": 1, "unit": "kg", "range": [0.1, 100], "tunable": true },
    "width": { "value": 0.1, "unit": "m", "tunable": true },
    "start": 0.5
  },
  "bodies": { "block": { "mass": "=mass", "com": [0, 0, 0], "inertia": [0.1, 0.1, 0.1] } },
  "joints": {
    "slide": { "type": "prismatic", "parent": "ground", "child": "block", "at": [0, 0, 0], "axis": [1, 0, 0],
               "spring": { "stiffness": "=rate" }, "initial": { "position": "=start" } }
  },
  "markers": { "corner": { "body": "block", "at": ["=width", 0, 0] } },
  "simulate": { "until": 3, "integrator": { "type": "dopri5", "relative_tolerance": 1e-10, "absolute_tolerance": 1e-10 },
                "output": { "step": 0.05, "channels": ["slide.position", "slide.velocity"] } }
})json";

const nlohmann::json as_fast_as_it_can = {{"type", "speed"}, {"value", nullptr}};
const nlohmann::json pause_it = {{"type", "pause"}}, resume_it = {{"type", "resume"}}, restart_it = {{"type", "restart"}},
                     stop_it = {{"type", "stop"}};

nlohmann::json set(const std::string& parameter, double value) { return {{"type", "set"}, {"parameter", parameter}, {"value", value}}; }
bool ended(const nlohmann::json& status) { return status.at("ended"); }
bool paused(const nlohmann::json& status) { return status.at("paused"); }

/// The real program with --live, on a port that it has found.
class LiveProgram {
 public:
  LiveProgram(const Folder& folder, std::vector<std::string> arguments) : folder_(folder) {
    arguments.insert(arguments.begin(), "run");
    arguments.push_back("--live");
    std::filesystem::remove(folder.file("err"));  // of an earlier run
    child_ = start(folder, arguments);
    const std::string before = "http://127.0.0.1:";
    const bool listening = comes_true([&] { return folder.read("err").find("/ (Ctrl-C") != std::string::npos; });
    REQUIRE_MESSAGE(listening, folder.read("err"));
    const std::string said = folder.read("err");
    port_ = std::stoi(said.substr(said.find(before) + before.size()));
  }
  LiveProgram(const LiveProgram&) = delete;
  LiveProgram& operator=(const LiveProgram&) = delete;
  ~LiveProgram() {
    if (child_ > 0) kill(child_, SIGKILL), exit_code(child_);
  }

  [[nodiscard]] int port() const { return port_; }
  int end(int signal = 0) {
    if (signal != 0) kill(child_, signal);
    return exit_code(std::exchange(child_, 0));
  }

 private:
  const Folder& folder_;
  pid_t child_ = 0;
  int port_ = 0;
};

/// Columns t, position, velocity of rows.csv.
std::vector<std::array<double, 3>> rows(const Folder& folder) {
  std::vector<std::array<double, 3>> list;
  std::istringstream in(folder.read("rows.csv"));
  std::string line;
  for (std::getline(in, line); std::getline(in, line);) {
    std::array<double, 3> row{};
    std::istringstream fields(line);
    for (double& value : row) {
      std::string field;
      std::getline(fields, field, ',');
      value = std::stod(field);
    }
    list.push_back(row);
  }
  return list;
}

/// Motion of the oscillator from a state on.
double position(double x0, double v0, double w, double t) { return x0 * std::cos(w * t) + v0 / w * std::sin(w * t); }
double velocity(double x0, double v0, double w, double t) { return v0 * std::cos(w * t) - x0 * w * std::sin(w * t); }

/// Rows of a plain run with the same arguments.
std::string plain(const Folder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.insert(arguments.end(), {"--output", folder.file("plain.csv"), "--quiet"});
  REQUIRE(program(arguments).code == 0);
  return folder.read("plain.csv");
}

}  // namespace

TEST_CASE("a run that 200 clients trouble has the rows of a run that nobody looks at, to the last bit") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const std::vector<std::string> options = {model, "--until", "4", "--output-step", "0.05", "--tolerance", "1e-9"};
  std::vector<std::string> live = options;
  live.insert(live.end(), {"--output", folder.file("rows.csv")});
  LiveProgram run(folder, live);
  Viewer viewer(run.port());
  storm(run.port(), 200);
  for (const char* nonsense : {"", "{", "[]", "null", "{\"type\":7}", "{\"type\":\"set\"}", "{\"type\":\"speed\",\"value\":-1}"})
    viewer.send(std::string(nonsense));
  Viewer(run.port()).send(std::string("\xff\xfe"));  // no text at all: that socket is closed
  viewer.send(as_fast_as_it_can);
  (void)viewer.text("status", ended);
  viewer.send(stop_it);
  CHECK(run.end() == 0);
  CHECK(folder.read("rows.csv") == plain(folder, options));
  CHECK(folder.read("out").find("simulated time      4 s in 81 rows") != std::string::npos);
}

TEST_CASE("looking at a run changes no bit of its rows, whatever the method") {
  const Folder folder;
  const std::string model = folder.write("model.json", double_pendulum);
  const std::string car = std::string(ARTHRON_SOURCE_DIR) + "/examples/vehicle/step_steer.json";
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{model, "--integrator", "rk4", "--step", "0.003"},
                                             {model, "--integrator", "rkf78", "--tolerance", "1e-8"},
                                             {model, "--integrator", "implicit_midpoint", "--step", "0.004"},
                                             {model, "--formulation", "sslm"},
                                             {car, "--until", "0.3"}}) {
    CAPTURE(options.back());
    std::vector<std::string> live = options;
    live.insert(live.end(), {"--output", folder.file("rows.csv")});
    LiveProgram run(folder, live);
    Viewer viewer(run.port());
    (void)viewer.frame();
    viewer.send(as_fast_as_it_can);
    (void)viewer.text("status", ended);
    CHECK(run.end(SIGINT) == 0);  // it had ended
    CHECK(folder.read("rows.csv") == plain(folder, options));
  }
}

TEST_CASE("the page, its scene and the frames of a run fit together") {
  const Folder folder;
  LiveProgram run(folder, {folder.write("model.json", oscillator)});
  CHECK(is(get(run.port()), 200));
  CHECK(is(get(run.port(), "/", "evil.example"), 403));
  Viewer viewer(run.port());
  CHECK(viewer.text("restart").is_object());
  const nlohmann::json status = viewer.text("status");
  CHECK(status.at("until") == 3);
  CHECK(status.at("speed") == 1);
  CHECK(status.at("parameters").size() == 3);
  // Two bodies of seven numbers, a reaction of six; channels are as many as fill the rest, each a double.
  const std::string frame = viewer.frame();
  CHECK(frame.size() % 4 == 0);
  CHECK(frame.size() > sizeof(double) + (2 * 7 + 6) * sizeof(float));
  double t = -1;
  std::memcpy(&t, frame.data(), sizeof t);
  CHECK(t == 0);
  double later = 0;
  std::memcpy(&later, viewer.frame().data(), sizeof later);
  CHECK(later > 0);
}

TEST_CASE("pause stops time, resume lets it go on, and speed is simulated over real time") {
  const Folder folder;
  LiveProgram run(folder, {folder.write("model.json", oscillator), "--until", "1000"});
  Viewer viewer(run.port());
  viewer.send(pause_it);
  const double t = viewer.text("status", paused).at("t");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  viewer.send({{"type", "speed"}, {"value", 20}});  // is answered, and time still stands
  CHECK(viewer.text("status", [](const auto& status) { return status.at("speed") == 20; }).at("t") == t);
  viewer.send(resume_it);
  const auto begin = std::chrono::steady_clock::now();
  const auto wall = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  double rate = 0, now = t;
  for (int i = 0; i < 20 && rate < 20 * 0.2; ++i) {  // time lost to other work is not made up for: a busy machine has more tries
    const double from = now, start = wall();
    now = viewer.text("status", [&](const auto& status) { return status.at("t") > from + 10; }).at("t");
    rate = (now - from) / (wall() - start);
    CHECK(now - t < 20 * wall() + 2);  // what was due, and a frame or a debt of 0.1 s
  }
  CHECK(rate > 20 * 0.2);
  viewer.send({{"type", "speed"}, {"value", 1000}});
  CHECK(viewer.text("error").at("message").get<std::string>().find("0.01 to 100") != std::string::npos);
  viewer.send(stop_it);
  CHECK(run.end() == 130);
}

TEST_CASE("another value of a parameter takes effect at once: position and velocity go on, as the closed form has it") {
  for (const auto& [parameter, value, w] : {std::tuple{"rate", 90.0, std::sqrt(90.0)}, {"mass", 4.0, std::sqrt(40.0 / 4)}}) {
    CAPTURE(parameter);
    const Folder folder;
    LiveProgram run(folder, {folder.write("model.json", oscillator), "--output", folder.file("rows.csv")});
    Viewer viewer(run.port());
    (void)viewer.text("status", [](const auto& status) { return status.at("t") > 0.2; });
    viewer.send(pause_it);
    const double t1 = viewer.text("status", paused).at("t");
    viewer.send(set(parameter, value));
    (void)viewer.text("status", [&](const auto& status) {
      for (const auto& known : status.at("parameters"))
        if (known.at("path") == parameter) return known.at("value") == value;
      return false;
    });
    viewer.send(as_fast_as_it_can);
    viewer.send(resume_it);
    (void)viewer.text("status", ended);
    viewer.send(stop_it);
    REQUIRE(run.end() == 0);
    const double w1 = std::sqrt(40.0), x1 = position(0.5, 0, w1, t1), v1 = velocity(0.5, 0, w1, t1);
    REQUIRE(rows(folder).size() == 61);
    for (const auto& [t, x, v] : rows(folder)) {
      CHECK(x == doctest::Approx(t <= t1 ? position(0.5, 0, w1, t) : position(x1, v1, w, t - t1)).epsilon(1e-7).scale(1));
      CHECK(v == doctest::Approx(t <= t1 ? velocity(0.5, 0, w1, t) : velocity(x1, v1, w, t - t1)).epsilon(1e-7).scale(1));
    }
  }
}

TEST_CASE("a value that is refused is told to who sent it, and the motion goes on as it was") {
  const Folder folder;
  const std::string model = folder.write("model.json", oscillator);
  LiveProgram run(folder, {model, "--output", folder.file("rows.csv")});
  Viewer viewer(run.port());
  const auto refused = [&](const nlohmann::json& message, const std::string& words) {
    viewer.send(message);
    const std::string told = viewer.text("error").at("message");
    CHECK_MESSAGE(told.find(words) != std::string::npos, told);
  };
  refused(set("rate", 2000), "1000");
  refused(set("mass", -1), "mass");
  refused(set("start", 1), "tunable");
  refused(set("rat", 50), "did you mean \"rate\"?");
  refused({{"type", "pauze"}}, "did you mean \"pause\"?");
  viewer.send(as_fast_as_it_can);
  const nlohmann::json last = viewer.text("status", ended);
  CHECK(last.at("parameters")[0].at("value") == 40);
  viewer.send(stop_it);
  CHECK(run.end() == 0);
  CHECK(folder.read("rows.csv") == plain(folder, {model}));
}

TEST_CASE("a parameter that changes what is drawn sends the scene, others do not") {
  const Folder folder;
  LiveProgram run(folder, {folder.write("model.json", oscillator), "--until", "1000"});
  Viewer viewer(run.port());
  viewer.send(set("rate", 50));
  viewer.send(pause_it);
  for (;;) {
    const std::optional<Viewer::Message> message = viewer.next();
    REQUIRE(message);
    if (!message->text) continue;
    const nlohmann::json json = nlohmann::json::parse(message->bytes);
    CHECK(json.at("type") != "scene");
    if (json.at("type") == "status" && paused(json)) break;
  }
  viewer.send(set("width", 0.3));
  const nlohmann::json scene = viewer.text("scene").at("scene");
  CHECK(scene.at("markers")[0].at("at")[0] == doctest::Approx(0.3));
  CHECK(run.end(SIGTERM) == 130);
}

TEST_CASE("a restart begins at time 0 with the values as they are, and so do the rows") {
  const Folder folder;
  const std::string model = folder.write("model.json", oscillator);
  LiveProgram run(folder, {model, "--output", folder.file("rows.csv")});
  Viewer viewer(run.port());
  viewer.send(as_fast_as_it_can);
  (void)viewer.text("status", ended);
  viewer.send(set("rate", 60));
  viewer.send(restart_it);
  (void)viewer.text("restart");
  (void)viewer.text("status", [](const auto& status) { return !ended(status); });
  (void)viewer.text("status", ended);
  viewer.send(stop_it);
  CHECK(run.end() == 0);
  CHECK(folder.read("rows.csv") == plain(folder, {model, "--set", "rate=60"}));
}

TEST_CASE("Ctrl-C ends a live run as any other: rows so far, a summary, exit code 130, no file besides") {
  const Folder folder;
  LiveProgram run(folder, {folder.write("model.json", oscillator), "--until", "1000", "--output", folder.file("rows.csv")});
  Viewer viewer(run.port());
  (void)viewer.text("status", [](const auto& status) { return status.at("t") > 0.2; });
  CHECK(run.end(SIGINT) == 130);
  CHECK(rows(folder).size() > 4);
  CHECK(folder.read("out").find("simulated time") != std::string::npos);
  CHECK(folder.read("err").find("interrupted") != std::string::npos);
  CHECK(folder.names().size() == 4);
}

TEST_CASE("options of live runs that do not fit are mistakes") {
  const Folder folder;
  const std::string model = folder.write("model.json", oscillator);
  CHECK(program({"run", model, "--port", "8000"}).complains_of("--live as well"));
  for (const char* port : {"-1", "70000", "web"}) CHECK(program({"run", model, "--live", "--port", port}).code == 2);
  CHECK(program({"run", model, "--live", "--recording", folder.file("r.json")}).complains_of("--recording"));
  CHECK(folder.names().size() == 1);
}
