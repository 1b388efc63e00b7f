#include "arthron/scene/recording.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstring>

#include "arthron/scene/packed_text.hpp"
#include "arthron/scene/scene.hpp"
#include "arthron/simulation/run.hpp"
#include "model/loading.hpp"
#include "support/folder.hpp"

using namespace arthron;
using namespace arthron::testing;

namespace {

/// A spring pulls a pendulum: joints, a force between two bodies, a marker.
constexpr auto sprung = R"json({
  "arthron": 1, "name": "sprung", "parameters": { "rate": { "value": 50, "unit": "N/m", "range": [10, 90], "tunable": true }, "still": 1 },
  "bodies": { "a": { "mass": 1, "com": [0.5, 0, 0], "inertia": [0.01, 0.1, 0.1] }, "b": { "mass": 2, "com": [1.5, 0, 0], "inertia": [0.01, 0.2, 0.2] } },
  "joints": { "j": { "type": "revolute", "parent": "ground", "child": "a", "at": [0, 0, 0], "axis": [0, 1, 0] },
              "k": { "type": "spherical", "parent": "a", "child": "b", "at": [1, 0, 0], "initial": { "velocity": [1, 2, 3] } } },
  "forces": { "s": { "type": "spring_damper", "from": ["ground", [0, 1, 1]], "to": ["b", [2, 0, 0]], "stiffness": "=rate", "free_length": 1 } },
  "markers": { "tip": { "body": "b", "at": [2, 0, 0] } },
  "simulate": { "until": 0.5, "output": { "step": 0.05, "channels": ["*"] } } })json";

struct Recorded {
  std::unique_ptr<Simulation> simulation;
  nlohmann::ordered_json scene;
  Recording recording;
  std::vector<Frame> frames;
  std::vector<ChannelColumn> columns;
};

Recorded record(const char* text) {
  Recorded all;
  all.simulation = std::make_unique<Simulation>(std::make_shared<const Model>(parse(text)));
  ChannelSet channels(all.simulation->plan(), {{"*", "", ""}});
  all.columns = channels.columns();
  RunObserver observer;
  observer.accelerations = true;
  observer.row = [&](double, std::span<const double> row) {
    Frame frame;
    read_frame(*all.simulation, row, frame);
    if (all.frames.empty()) all.scene = scene_json(*all.simulation, all.columns);
    all.recording.add(frame);
    all.frames.push_back(frame);
  };
  REQUIRE(run(*all.simulation, channels, observer).status.ok());
  all.scene = all.recording.scene(all.scene);
  return all;
}

double column(const Recorded& all, const Frame& frame, const std::string& name) {
  for (std::size_t i = 0; i < all.columns.size(); ++i)
    if (all.columns[i].name == name) return frame.channels[i];
  FAIL("no column ", name);
  return 0;
}

/// The number of a block that docs/view.md says is there.
template <class Number, class Bits>
Number decoded(const std::string& bytes, std::size_t offset, std::size_t count, std::size_t column, std::size_t row) {
  Bits value = 0;
  for (std::size_t r = 0; r <= row; ++r) {
    Bits difference = 0;
    for (std::size_t byte = 0; byte < sizeof(Bits); ++byte)
      difference |= static_cast<Bits>(static_cast<unsigned char>(bytes[offset + column * count * sizeof(Bits) + byte * count + r]))
                    << (8 * byte);
    value ^= difference;
  }
  return std::bit_cast<Number>(value);
}

}  // namespace

TEST_CASE("poses and loads of a frame are those of the channels") {
  const Recorded all = record(sprung);
  const Frame& frame = all.frames.back();
  // Body 2 is b; a body's pose is seven numbers.
  const float* pose = frame.poses.data() + 7 * 2;
  CHECK(pose[0] == static_cast<float>(column(all, frame, "b.position.x")));
  CHECK(pose[2] == static_cast<float>(column(all, frame, "b.position.z")));
  const double w = column(all, frame, "b.orientation.w");
  CHECK(std::abs(pose[3]) == static_cast<float>(std::abs(w)));
  CHECK(pose[4] * std::copysign(1.0f, static_cast<float>(w)) == static_cast<float>(column(all, frame, "b.orientation.x")));
  // Joint 1 is k.
  CHECK(frame.loads[6] == static_cast<float>(column(all, frame, "k.reaction.force.x")));
  CHECK(frame.loads[6 + 2] == static_cast<float>(column(all, frame, "k.reaction.force.z")));
  // The spring pulls both of its ends with the force it reports, towards each other.
  const float* from = frame.loads.data() + 12;
  const float* to = from + 6;
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    CHECK(from[i] == -to[i]);
    square += static_cast<double>(to[i]) * static_cast<double>(to[i]);
  }
  CHECK(std::sqrt(square) == doctest::Approx(std::abs(column(all, frame, "s.force"))).epsilon(1e-6));
  CHECK(frame.loads.size() == 6u * (2 + 2));
}

TEST_CASE("points of the scene move with their bodies as the markers do") {
  const Recorded all = record(sprung);
  const auto& marker = all.scene["markers"][0];
  CHECK(marker["path"] == "tip");
  CHECK(marker["body"] == 2);
  for (const Frame& frame : all.frames) {
    const float* pose = frame.poses.data() + 7 * marker["body"].get<std::size_t>();
    const std::vector<double> numbers(pose, pose + 7);
    const double w = numbers[3], x = numbers[4], y = numbers[5], z = numbers[6];
    const Vec3 v{marker["at"][0], marker["at"][1], marker["at"][2]}, q{x, y, z};
    const Vec3 turned = v + 2 * w * cross(q, v) + 2.0 * cross(q, cross(q, v));  // rotation by a unit quaternion
    CHECK(numbers[0] + turned.x == doctest::Approx(column(all, frame, "tip.position.x")).epsilon(1e-6));
    CHECK(numbers[1] + turned.y == doctest::Approx(column(all, frame, "tip.position.y")).epsilon(1e-6));
    CHECK(numbers[2] + turned.z == doctest::Approx(column(all, frame, "tip.position.z")).epsilon(1e-6));
  }
}

TEST_CASE("the scene names what can be tuned, with its range, and nothing else") {
  const Recorded all = record(sprung);
  REQUIRE(all.scene["parameters"].size() == 1);
  CHECK(all.scene["parameters"][0]["path"] == "rate");
  CHECK(all.scene["parameters"][0]["range"] == nlohmann::ordered_json({10.0, 90.0}));
  CHECK(all.scene["joints"][1]["freedoms"].size() == 3);
  CHECK(all.scene["forces"][0]["look"] == "coil");
}

TEST_CASE("every bit of the frames comes back from their text") {
  const Recorded all = record(sprung);
  const std::size_t count = all.frames.size(), poses = all.frames[0].poses.size(), loads = all.frames[0].loads.size();
  std::string bytes;
  REQUIRE(unpack_text(all.recording.frames(), 1 << 20, bytes));
  REQUIRE(bytes.size() == count * (8 + 4 * poses + 4 * loads + 8 * all.columns.size()));
  const std::size_t after_time = 8 * count, after_poses = after_time + 4 * count * poses, after_loads = after_poses + 4 * count * loads;
  for (const std::size_t row : {std::size_t{0}, count / 2, count - 1}) {
    CHECK(decoded<double, std::uint64_t>(bytes, 0, count, 0, row) == all.frames[row].t);
    for (std::size_t c = 0; c < poses; ++c)
      CHECK(decoded<float, std::uint32_t>(bytes, after_time, count, c, row) == all.frames[row].poses[c]);
    for (std::size_t c = 0; c < all.columns.size(); ++c)
      CHECK(decoded<double, std::uint64_t>(bytes, after_loads, count, c, row) == all.frames[row].channels[c]);
  }
}

TEST_CASE("a recording is read as it was written, and a damaged one is refused") {
  const Recorded all = record(sprung);
  const test::Folder folder;
  const std::string text = to_text(SavedRecording{all.scene, all.recording.frames()});
  const std::string file = folder.write("r.json", text);
  CHECK(is_recording(file));
  CHECK(to_text(read_recording(file)) == text);
  for (const std::size_t length : {std::size_t{0}, std::size_t{10}, text.size() / 2, text.size() - 3})
    CHECK_THROWS_AS((void)read_recording(folder.write("cut.json", text.substr(0, length))), ModelError);
  std::string wrong = text;
  wrong[text.rfind("\"frames\":\"") + 40] = '!';
  CHECK_THROWS_AS((void)read_recording(folder.write("wrong.json", wrong)), ModelError);
  std::string many = text;
  many.replace(many.find("\"count\":11"), 10, "\"count\":99999999999");
  CHECK_THROWS_AS((void)read_recording(folder.write("many.json", many)), ModelError);
  CHECK(!is_recording(folder.write("model.json", sprung)));
}

TEST_CASE("a recording that lacks what a page needs is refused with the place in the file") {
  const Recorded all = record(sprung);
  const test::Folder folder;
  const auto refusal = [&](auto damage) {
    SavedRecording saved{all.scene, all.recording.frames()};
    damage(saved);
    try {
      (void)read_recording(folder.write("r.json", to_text(saved)));
    } catch (const ModelError& error) {
      return error.diagnostics().at(0).pointer;
    }
    return std::string("none");
  };
  CHECK(refusal([](SavedRecording&) {}) == "none");
  CHECK(refusal([](SavedRecording& saved) { saved.scene.erase("bodies"); }) == "/scene");
  CHECK(refusal([](SavedRecording& saved) { saved.scene["markers"] = 1; }) == "/scene/markers");
  CHECK(refusal([](SavedRecording& saved) { saved.scene["bodies"][0].erase("path"); }) == "/scene/bodies/0");
  CHECK(refusal([](SavedRecording& saved) { saved.scene["format"] = 2; }) == "/scene/format");
  CHECK(refusal([](SavedRecording& saved) { saved.scene["frames"]["count"] = -1; }) == "/scene/frames/count");
  CHECK(refusal([](SavedRecording& saved) { saved.scene["frames"]["blocks"][0]["type"] = "f16"; }) == "/scene/frames/blocks/0/type");
  CHECK(refusal([](SavedRecording& saved) { saved.frames.resize(8); }) == "/frames");
}

TEST_CASE("a recording that an editor has laid out anew is still one") {
  const Recorded all = record(sprung);
  const test::Folder folder;
  const std::string text = to_text(SavedRecording{all.scene, all.recording.frames()});
  const std::string file = folder.write("r.json", nlohmann::ordered_json::parse(text).dump(2));
  CHECK(is_recording(file));
  CHECK(to_text(read_recording(file)) == text);
}

TEST_CASE("bytes of a live frame are time, channels, poses and loads") {
  const Recorded all = record(sprung);
  const Frame& frame = all.frames[3];
  const std::string bytes = frame_bytes(frame);
  REQUIRE(bytes.size() == 8 * (1 + frame.channels.size()) + 4 * (frame.poses.size() + frame.loads.size()));
  double t = 0, last = 0;
  std::memcpy(&t, bytes.data(), 8);
  std::memcpy(&last, bytes.data() + 8 * frame.channels.size(), 8);
  CHECK(t == frame.t);
  CHECK(last == frame.channels.back());
}
