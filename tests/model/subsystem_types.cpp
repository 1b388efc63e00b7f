#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <stdexcept>

#include "arthron/model/builder.hpp"
#include "arthron/model/describe.hpp"
#include "arthron/model/find.hpp"
#include "model/loading.hpp"
#include "support/folder.hpp"
#include "support/published_schema.hpp"
#include "support/rope.hpp"

using namespace arthron;
using arthron::test::Folder;
using arthron::test::types_with_rope;

namespace {

/// A type that builds whatever a test wants.
template <class Tag>
struct Whatever {
  static constexpr std::string_view type = Tag::type;
  double number;
  static Whatever parse(const JsonReader& in) { return {Tag::read(in)}; }
  void build(SubsystemBuilder& out) const { Tag::build(number, out); }
};

double one_number(const JsonReader& in) { return in.number_or({"size", "m", "of it"}, 1, Range::positive()); }

void pendulum(SubsystemBuilder& out, const std::string& axis = "axis") {
  out.body("arm").mass(1).com({1, 0, 0}).inertia({1, 1, 1});
  out.joint("hinge", "revolute").parent("ground").child("arm").at({0, 0, 0}).set(axis, {0, 1, 0});
}

/// Two ropes, one of them the mirror image, on a beam; another type within a type.
struct Swing {
  static constexpr std::string_view type = "acme/swing";
  static double read(const JsonReader& in) { return in.number({"width", "m", "between the ropes"}); }
  static void build(double width, SubsystemBuilder& out) {
    out.mount("beam");
    out.subsystem("near", "acme/rope").set("links", 3).set("length", 1.5).at({0, width / 2, 0}).connect("start", "beam");
    out.subsystem("far", "acme/rope").set("links", 3).set("length", 1.5).at({0, -width / 2, 0}).mirror('y').connect("start", "beam");
    out.output("seat", "near.end");
  }
};
struct Misspelt {
  static constexpr std::string_view type = "acme/misspelt";
  static double read(const JsonReader& in) { return one_number(in); }
  static void build(double, SubsystemBuilder& out) { pendulum(out, "axes"); }
};
struct Loose {
  static constexpr std::string_view type = "acme/loose";
  static double read(const JsonReader& in) { return one_number(in); }
  static void build(double, SubsystemBuilder& out) { out.body("stone").mass(1).inertia({1, 1, 1}); }
};
struct Infinite {
  static constexpr std::string_view type = "acme/infinite";
  static double read(const JsonReader& in) { return one_number(in); }
  static void build(double size, SubsystemBuilder& out) {
    pendulum(out);
    out.body("arm").mass(size / 0.0);
  }
};
struct Throws {
  static constexpr std::string_view type = "acme/throws";
  static double read(const JsonReader& in) {
    const double size = one_number(in);
    if (size > 5) throw std::out_of_range("too large for me");
    return size;
  }
  static void build(double size, SubsystemBuilder& out) {
    if (size > 2) throw 42;
    out.json()["bodies"] = 3;
    (void)out.json()["bodies"]["arm"];
  }
};
struct Endless {
  static constexpr std::string_view type = "acme/endless";
  static double read(const JsonReader& in) { return one_number(in); }
  static void build(double size, SubsystemBuilder& out) { out.subsystem("inner", "acme/between").set("size", size + 1); }
};
struct Between {
  static constexpr std::string_view type = "acme/between";
  static double read(const JsonReader& in) { return one_number(in); }
  static void build(double size, SubsystemBuilder& out) { out.subsystem("back", "acme/endless").set("size", size); }
};
struct ListNotObject {
  static constexpr std::string_view type = "acme/list";
  static double read(const JsonReader& in) { return one_number(in); }
  static void build(double, SubsystemBuilder& out) { out.json() = {1, 2}; }
};
struct Deep {
  static constexpr std::string_view type = "acme/deep";
  static double read(const JsonReader& in) { return one_number(in); }
  static void build(double, SubsystemBuilder& out) {
    Json nested = 1;
    for (int i = 0; i < 100; ++i) nested = {nested, 1};
    out.set("description", nested);
  }
};
struct Clash {
  static constexpr std::string_view type = "acme/clash";
  static double read(const JsonReader& in) { return one_number(in); }
  static void build(double size, SubsystemBuilder& out) {
    out.parameter("size", size);
    pendulum(out);
  }
};
struct OfFile {
  static constexpr std::string_view type = "acme/of_file";
  static double read(const JsonReader& in) { return one_number(in); }
  static void build(double, SubsystemBuilder& out) { out.use("inner", "inner.json"); }
};
/// Keys that cannot be asked for.
struct Placed {
  static constexpr std::string_view type = "acme/placed";
  static double read(const JsonReader& in) { return in.number({"at"}); }
  static void build(double, SubsystemBuilder&) {}
};
struct Attached {
  static constexpr std::string_view type = "acme/attached";
  static double read(const JsonReader& in) { return in.object({"end"}).point({"where"}).x; }
  static void build(double, SubsystemBuilder&) {}
};

const Registry& types() {
  static const Registry registry = [] {
    Registry filled = types_with_rope();
    filled.add_subsystem<Whatever<Swing>>();
    filled.add_subsystem<Whatever<Misspelt>>();
    filled.add_subsystem<Whatever<Loose>>();
    filled.add_subsystem<Whatever<Infinite>>();
    filled.add_subsystem<Whatever<Throws>>();
    filled.add_subsystem<Whatever<Endless>>();
    filled.add_subsystem<Whatever<Between>>();
    filled.add_subsystem<Whatever<ListNotObject>>();
    filled.add_subsystem<Whatever<Deep>>();
    filled.add_subsystem<Whatever<Clash>>();
    filled.add_subsystem<Whatever<OfFile>>();
    return filled;
  }();
  return registry;
}

/// A model file whose line 2 holds the subsystems.
std::string with(const std::string& subsystems, const std::string& sections = "") {
  return R"({"arthron": 1, "name": "m",)" + (sections.empty() ? "" : " " + sections + ",") + "\n\"subsystems\": {" + subsystems + "}}";
}

Model load(const std::string& text, const std::vector<ParameterOverride>& overrides = {}) {
  return parse_model(text, "m.json", types(), overrides);
}

std::string refused(const std::string& text, const std::vector<ParameterOverride>& overrides = {}) {
  try {
    (void)load(text, overrides);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

std::string hex(std::initializer_list<double> numbers) {
  std::string text;
  for (const double number : numbers) {
    char digits[40];
    std::snprintf(digits, sizeof digits, " %a", number);
    text += digits;
  }
  return text + '\n';
}
std::string hex(const Vec3& v) { return hex({v.x, v.y, v.z}); }
std::string hex(const Mat3& R) { return hex(R.c0) + hex(R.c1) + hex(R.c2); }

/// Every number of the geometry with all its bits, with paths and connections.
std::string bits(const Model& model) {
  std::string text;
  for (const Body& b : model.bodies) {
    const Sym3& I = b.inertia;
    text += b.path + hex({b.mass, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}) + hex(b.com) + hex(b.frame.p) + hex(b.frame.R);
  }
  for (const Joint& j : model.joints)
    text += j.path + hex({double(j.parent.value), double(j.child.value), double(j.parent_port), double(j.mirrored)}) + hex(j.frame.p) +
            hex(j.frame.R);
  for (const Force& f : model.forces)
    text += f.path + hex({double(f.handles[0].body.value), f.placement.sign}) + hex(f.handles[0].point) + hex(f.placement.X.p);
  for (const Port& p : model.ports)
    text +=
        p.path + hex({double(p.kind), double(p.body.value), double(p.connected), p.signal.value(0)}) + hex(p.at) + hex(p.axis) + p.channel;
  return text;
}

constexpr auto rope = R"("type": "acme/rope", "links": 3, "length": 1.5)";
constexpr auto placed =
    R"(, "at": [1, 2, 3], "rotation": {"axis": [1, 2, 3], "angle": 0.5}, "connect": {"start": "ground", "pull": "=2 + t"})";

}  // namespace

TEST_CASE("a subsystem built in C++ is the one its file describes, to the last bit, mirrored and turned too") {
  const Folder folder;
  folder.write("rope.json", test::rope_file);
  for (const std::string mirror : {"none", "x", "y", "z"}) {
    const std::string rest = std::string(placed) + R"(, "mirror": ")" + mirror + "\"}";
    const Model built = load(with(R"("a": {)" + std::string(rope) + rest));
    folder.write("m.json", with(R"("a": {"use": "rope.json")" + rest));
    const Model read = load_model(folder.file("m.json"), types());
    CHECK(bits(built) == bits(read));
    CHECK(built.subsystems[1].name == "acme/rope");
  }
}

TEST_CASE("types are nested in types, and outputs passed on") {
  const Model built = load(with(R"("swing": {"type": "acme/swing", "width": 0.5, "connect": {"beam": "ground"}})"));
  const Folder folder;
  folder.write("rope.json", test::rope_file);
  folder.write("swing.json", R"({"arthron": 1, "name": "swing",
    "ports": {"beam": {"mount": true}, "seat": {"output": "near.end"}},
    "subsystems": {"near": {"use": "rope.json", "at": [0, 0.25, 0], "connect": {"start": "beam"}},
                   "far": {"use": "rope.json", "at": [0, -0.25, 0], "mirror": "y", "connect": {"start": "beam"}}}})");
  folder.write("m.json", with(R"("swing": {"use": "swing.json", "connect": {"beam": "ground"}})"));
  CHECK(bits(built) == bits(load_model(folder.file("m.json"), types())));
  CHECK(built.ports[find_port(built, "swing.seat")].at == Vec3{0, 1.75, 0});
}

TEST_CASE("keys of a type are expressions over the file's parameters and the number of a repetition") {
  const std::string ropes = R"x("r": {"repeat": 3, "type": "acme/rope", "links": "=n + i", "length": "=1/(i + 1)",
                                      "connect": {"start": "ground"}})x";
  const Model model = load(with(ropes, R"("parameters": {"n": 2})"), {{"n", 3}});
  CHECK(model.joints.size() == 3 + 4 + 5);
  CHECK(model.ports[find_port(model, "r_1.end")].at == Vec3{0, 0.5, 0});
}

TEST_CASE("the numbers of a type are parameters by their paths, and replacing one builds the subsystem anew") {
  const std::string text = with(R"("o": {"use": {"subsystems": {"r": {)" + std::string(rope) + R"(, "connect": {"start": "ground"}}}}})");
  const Model drawn = load(text);
  REQUIRE(drawn.parameters.size() == 3);
  CHECK(drawn.parameters[0].path == "o.r.links");
  CHECK(drawn.parameters[1].value == 1.5);
  CHECK(drawn.parameters[1].unit() == "m");
  CHECK(drawn.parameters[2].path == "o.r.mass");
  CHECK(drawn.parameters[2].value == 0.75);

  const Model other = load(text, {{"o.r.links", 5}, {"o.r.mass", 10}});
  CHECK(other.joints.size() == 5);
  CHECK(other.bodies[1].mass == 2);
  CHECK(other.parameters[0].value == 5);
  CHECK(refused(text, {{"o.r.links", 2.5}, {"o.r.length", -1}}) ==
        "--set o.r.links\n  found 2.5; expected a whole number\n"
        "--set o.r.length\n  found -1; expected a number in m, > 0");
  CHECK(refused(text, {{"o.r.lenth", 1}}).find("did you mean \"o.r.length\"?") != std::string::npos);
}

TEST_CASE("mistakes of the user are at the user's keys, and the ports are known") {
  CHECK(refused(with(R"("r": {"type": "acme/rop", "links": 3})")) ==
        "m.json:2: /subsystems/r/type\n  found \"acme/rop\"; expected a subsystem type; did you mean \"acme/rope\"?");
  CHECK(refused(with(R"("r": {"type": "acme/rope", "links": 3, "lenght": 2, "connect": {"start": "ground"}})")) ==
        "m.json:2: /subsystems/r/lenght\n  found the unknown key \"lenght\"; expected no such key here; did you mean \"length\"?");
  CHECK(refused(with(R"("r": {"type": "acme/rope", "links": 0, "length": "=2*x", "connect": {"start": "ground"}})")) ==
        "m.json:2: /subsystems/r/links\n  found 0; expected a number, >= 1 and <= 10000\n"
        "m.json:2: /subsystems/r/length\n  found \"=2*x\"; expected a number in m, > 0; the expression has the unknown name \"x\"");
  CHECK(
      refused(with(R"("r": {)" + std::string(rope) + R"(, "connect": {"strat": "ground"}})")) ==
      "m.json:2: /subsystems/r/connect/strat\n  found \"strat\"; expected a mount or signal input of acme/rope (pull, start); "
      "did you mean \"start\"?\n"
      "m.json:2: /subsystems/r/connect\n  found nothing for the mount \"start\" of acme/rope; expected a body or an output of a subsystem: "
      "\"connect\": { \"start\": \"ground\" }; did you mean \"ground\"?");
  CHECK(refused(with(R"("r": {)" + std::string(rope) + R"(, "use": "rope.json", "connect": {"start": "ground"}})")) ==
        "m.json:2: /subsystems/r/use\n  found \"use\"; expected none: \"type\" says what the subsystem is");
  CHECK(refused(with(R"("r": {"use": "acme/rope", "links": 3})")) ==
        "m.json:2: /subsystems/r/use\n  found \"acme/rope\", which is no file but a subsystem type; expected \"type\": \"acme/rope\" "
        "instead of \"use\"");
}

TEST_CASE("a program without subsystem types says so") {
  CHECK(testing::mistakes(with(R"("r": {"type": "acme/rope"})")) ==
        "m.json:2: /subsystems/r/type\n  found \"acme/rope\"; expected a subsystem type, of which none is known");
}

TEST_CASE("a mistake in what a type builds is named by the type, its place there and the place of use, once for all instances") {
  CHECK(refused(with(R"("a": {"type": "acme/misspelt"}, "b": {"repeat": 2, "type": "acme/misspelt"})")) ==
        "acme/misspelt: /joints/hinge/axes, used as a (m.json:2: /subsystems/a), b_0 (m.json:2: /subsystems/b), "
        "b_1 (m.json:2: /subsystems/b)\n"
        "  found the unknown key \"axes\"; expected no such key here; did you mean \"axis\"?");
  CHECK(refused(with(R"("a": {"type": "acme/loose"})")).starts_with("acme/loose (m.json:2: /subsystems/a): /bodies/stone, used as a\n"));
  CHECK(refused(with(R"("a": {"type": "acme/infinite"})"))
            .starts_with("acme/infinite: /bodies/arm/mass, used as a (m.json:2: /subsystems/a)\n  found null; expected a number in kg"));
  CHECK(refused(with(R"("a": {"type": "acme/clash"})")) ==
        "acme/clash: /parameters/size, used as a (m.json:2: /subsystems/a)\n"
        "  found \"size\"; expected another name: it is a key of acme/clash");
}

TEST_CASE("an exception of a type is a mistake at its use") {
  CHECK(refused(with(R"("a": {"type": "acme/throws", "size": 6})")) ==
        "m.json:2: /subsystems/a/type\n  found \"acme/throws\", whose parse() throws: too large for me; expected a type that throws "
        "nothing");
  CHECK(refused(with(R"("a": {"type": "acme/throws", "size": 3})")) ==
        "m.json:2: /subsystems/a/type\n  found \"acme/throws\", whose build() throws: something that is no std::exception; "
        "expected a type that throws nothing");
  CHECK(refused(with(R"("a": {"type": "acme/throws"})")).find("whose build() throws: [json.exception.type_error") != std::string::npos);
}

TEST_CASE("what is no definition at all is refused") {
  CHECK(refused(with(R"("a": {"type": "acme/list"})")) ==
        "m.json:2: /subsystems/a/type\n  found \"acme/list\", which builds [1,2]; expected an object, as a model file is");
  CHECK(refused(with(R"("a": {"type": "acme/deep"})")) ==
        "m.json:2: /subsystems/a/type\n  found \"acme/deep\", which builds nesting deeper than 64; expected a flatter definition");
}

TEST_CASE("a type that comes back to itself is refused, through another type and through a file") {
  CHECK(refused(with(R"("a": {"type": "acme/endless"})")) ==
        "acme/between: /subsystems/back/type, used as a.inner (m.json:2: /subsystems/a)\n"
        "  found \"acme/endless\", which comes back to itself: acme/endless -> acme/between -> acme/endless; "
        "expected types that do not use themselves");
  const Folder folder;
  folder.write("inner.json", with(R"("again": {"type": "acme/of_file"})"));
  const std::string model = folder.write("m.json", with(R"("a": {"type": "acme/of_file"})"));
  CHECK_THROWS_WITH_AS((void)load_model(model, types()), doctest::Contains("which comes back to itself"), ModelError);
}

TEST_CASE("files that a type uses are looked for beside the file that uses the type") {
  const Folder folder;
  folder.write("parts/inner.json", testing::pendulum());
  folder.write("parts/outer.json", with(R"("a": {"type": "acme/of_file"})"));
  const std::string model = folder.write("m.json", with(R"("o": {"use": "parts/outer.json"})"));
  CHECK(load_model(model, types()).joints.at(0).path == "o.a.inner.hinge");
}

TEST_CASE("a type that asks for common keys, or for names of the user's file, cannot be registered") {
  Registry registry;
  CHECK_THROWS_WITH_AS(registry.add_subsystem<Whatever<Placed>>(),
                       "component type \"acme/placed\" asks for the key \"at\", which every subsystem has", InternalError);
  CHECK_THROWS_AS(registry.add_subsystem<Whatever<Attached>>(), InternalError);
  registry.add_subsystem<test::Rope>();
  CHECK_THROWS_AS(registry.add_subsystem<test::Rope>(), InternalError);
}

TEST_CASE("the keys kept from types are those that every use may have") {
  for (const KeyDescription& section : describe_file(testing::builtins())) {
    if (section.name != "subsystems") continue;
    std::vector<std::string> keys{"type"}, kept(std::begin(subsystem_keys), std::end(subsystem_keys));
    for (const KeyDescription& key : section.keys.front().keys) keys.push_back(key.name);
    std::sort(keys.begin(), keys.end()), std::sort(kept.begin(), kept.end());
    CHECK(keys == kept);
  }
}

TEST_CASE("the reference has a type's keys and the ports it builds") {
  const std::string reference = describe_types(types());
  const std::size_t at = reference.find("\nsubsystem acme/rope: a type instead of use\n  links ");
  REQUIRE(at != std::string::npos);
  const std::string paragraph = reference.substr(at, reference.find("\n\n", at + 1) - at);
  for (const char* words : {"of the whole rope [m] (required)", "(default 0.75)", "port start: mount", "port pull: signal input",
                            "port end: output", "port height: signal output"})
    CHECK_MESSAGE(paragraph.find(words) != std::string::npos, words);
}

TEST_CASE("subsystems of registered types are valid by the schema, with their own keys and those of every use") {
  const test::PublishedSchema schema(types_with_rope());
  const auto accepts = [&](const std::string& rope) {
    return schema.accepts(nlohmann::json::parse(testing::file(R"("subsystems": {"r": {"connect": {"start": "ground"}, )" + rope + "}}")));
  };
  CHECK(accepts(R"("type": "acme/rope", "links": 3, "length": "=1/2", "mirror": "y", "repeat": 2)"));
  CHECK_FALSE(accepts(R"("type": "acme/rope", "links": 3)"));
  CHECK_FALSE(accepts(R"("type": "acme/rope", "links": 3, "length": 1, "use": "rope.json")"));
  CHECK_FALSE(accepts(R"("type": "acme/rop", "links": 3, "length": 1)"));
  CHECK(accepts(R"("use": "rope.json")"));
  CHECK_FALSE(accepts(R"("use": "rope.json", "links": 3)"));
}

TEST_CASE("models in code use types too") {
  ModelBuilder builder("hall");
  builder.subsystem("r", "acme/rope").set("links", 2).set("length", 1).connect("start", "ground");
  CHECK(builder.build(types()).joints.size() == 2);
  builder.subsystem("r").set("links", -1);
  CHECK_THROWS_WITH_AS((void)builder.build(types()), doctest::Contains("hall: /subsystems/r/links\n  found -1"), ModelError);
}
