#include "arthron/component/json_reader.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "arthron/component/json_source.hpp"

using namespace arthron;

namespace {

/// A reader of the text, in a scope with a parameter, two points and two bodies.
struct Fixture {
  std::vector<Diagnostic> diagnostics;
  JsonDocument document;
  ReaderScope scope;
  JsonReader in;

  explicit Fixture(const std::string& text)
      : document(text, "file.json", diagnostics),
        scope{document,
              diagnostics,
              {{"track", 1.5}, {"broken", std::nan("")}},
              {{"a", Vec3{1, 0, 0}}, {"b", Vec3{1, 2, 0}}, {"lost", std::nullopt}},
              {{"ground", BodyIndex{0}}, {"arm", BodyIndex{1}}}},
        in(std::make_shared<JsonReader::Source>(scope, document.root(), "")) {}

  [[nodiscard]] std::string report() const {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) text += to_string(diagnostic) + "\n";
    return text;
  }
};

}  // namespace

TEST_CASE("a number may be an expression of parameters") {
  const Fixture f(R"({"a": 2, "b": "=track/2"})");
  CHECK(f.in.number({"a"}) == 2);
  CHECK(f.in.number({"b"}) == 0.75);
  CHECK(f.in.number_or({"c"}, 7) == 7);
  CHECK(f.diagnostics.empty());
}

TEST_CASE("a number out of its range is reported with unit and range") {
  const Fixture f(R"({"k": -3, "e": "=-track"})");
  f.in.number({"k", "N/m"}, Range::non_negative());
  f.in.number({"e", "m"}, Range::positive());
  CHECK(f.report() ==
        "file.json:1: /k\n  found -3; expected a number in N/m, >= 0\n"
        "file.json:1: /e\n  found \"=-track\", which is -1.5; expected a number in m, > 0\n");
}

TEST_CASE("mistakes in expressions are explained") {
  const Fixture f(R"({"a": "=trak", "b": "=1+", "c": "3", "d": "=1/0", "e": "=2*t", "f": true})");
  for (const char* key : {"a", "b", "c", "d", "e", "f"}) f.in.number({key});
  REQUIRE(f.diagnostics.size() == 6);
  CHECK(f.diagnostics[0].suggestion == "track");
  CHECK(f.diagnostics[1].expected == "a number; it ends too early");
  CHECK(f.diagnostics[2].expected == "a number or an expression \"=...\"");
  CHECK(f.diagnostics[3].found == "\"=1/0\", a division by zero");
  CHECK(f.diagnostics[4].expected.find("functions of time only") != std::string::npos);
  CHECK(f.diagnostics[5].expected == "a number");
}

TEST_CASE("what follows from a reported mistake is not reported again") {
  const Fixture f(R"({"a": "=broken*2", "at": "lost", "effort": "=broken*t"})");
  f.in.number({"a"}, Range::positive());
  f.in.point({"at"});
  f.in.time_function({"effort"});
  CHECK(f.diagnostics.empty());
  CHECK(f.in.failed());
}

TEST_CASE("missing keys are reported, misspelt ones once") {
  const Fixture f(R"({"mas": 1, "extra": 2})");
  f.in.number({"mass", "kg", "mass of the body"});
  f.in.number({"radius", "m", "outer radius"});
  f.in.reject_unknown_keys();
  CHECK(f.report() ==
        "file.json:1: /mas\n  found the unknown key \"mas\"; expected no such key here; did you mean \"mass\"?\n"
        "file.json:1: /extra\n  found the unknown key \"extra\"; expected one of mass, radius\n"
        "file.json:1: /radius\n  found nothing; expected \"radius\", outer radius [m]\n");
}

TEST_CASE("points and directions go by coordinates or by names") {
  const Fixture f(R"({"p": [1, "=track", 3], "q": "b", "d": [0, 0, 5], "e": ["a", "b"]})");
  CHECK(f.in.point({"p"}) == Vec3{1, 1.5, 3});
  CHECK(f.in.point({"q"}) == Vec3{1, 2, 0});
  CHECK(f.in.unit_vector({"d"}) == Vec3{0, 0, 1});
  CHECK(f.in.unit_vector({"e"}) == Vec3{0, 1, 0});
  CHECK(f.diagnostics.empty());
}

TEST_CASE("directions without length and unknown points are reported") {
  const Fixture f(R"({"d": [0, 0, 0], "e": ["a", "a"], "p": "bb", "q": [1, 2]})");
  f.in.unit_vector({"d"}), f.in.unit_vector({"e"}), f.in.point({"p"}), f.in.point({"q"});
  REQUIRE(f.diagnostics.size() == 4);
  CHECK(f.diagnostics[2].suggestion == "b");
}

TEST_CASE("in a frame, lists are local and names are not") {
  const Fixture f(R"({"p": [1, 0, 0], "q": "b", "d": [1, 0, 0], "e": ["a", "b"]})");
  // x to y, y to -x, origin at (0, 0, 1).
  const JsonReader local = f.in.in_frame({{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}, {0, 0, 1}});
  CHECK(local.point({"p"}) == Vec3{0, 1, 1});
  CHECK(local.point({"q"}) == Vec3{1, 2, 0});
  CHECK(local.unit_vector({"d"}) == Vec3{1, 0, 0});
  CHECK(local.unit_vector({"e"}) == Vec3{1, 0, 0});
}

TEST_CASE("handles name a body and a point, in the order of asking") {
  const Fixture f(R"({"to": ["arm", "a"], "from": ["ground", [0, 0, 1]], "bad": ["amr", "a"]})");
  f.in.handle({"from"}), f.in.handle({"to"});
  REQUIRE(f.in.handles().size() == 2);
  CHECK(f.in.handles()[0].body == BodyIndex{0});
  CHECK(f.in.handles()[1].body == BodyIndex{1});
  CHECK(f.in.handles()[1].point == Vec3{1, 0, 0});
  CHECK_FALSE(f.in.handle({"bad"}).body.valid());
  CHECK(f.diagnostics.at(0).pointer == "/bad/0");
  CHECK(f.diagnostics.at(0).suggestion == "arm");
}

TEST_CASE("a list of handles has any length but none") {
  const Fixture f(R"({"points": [["ground", [0, 0, 1]], ["arm", "a"], ["arm", "b"]], "first": ["ground", "b"]})");
  f.in.handle({"first"});
  const std::vector<Handle> list = f.in.handle_list({"points"});
  REQUIRE(list.size() == 3);
  CHECK(list[0].body == BodyIndex{0});
  CHECK(list[2].point == Vec3{1, 2, 0});
  REQUIRE(f.in.handles().size() == 4);
  CHECK(f.in.handles()[2].point == Vec3{1, 0, 0});
  CHECK(f.diagnostics.empty());

  const Fixture bad(R"({"none": [], "word": "arm", "list": [["arm", "a"], ["arms", "a"], ["arm"]]})");
  for (const char* key : {"none", "word", "list", "absent"}) CHECK_FALSE(bad.in.handle_list({key}).empty());
  bad.in.reject_unknown_keys();
  REQUIRE(bad.diagnostics.size() == 5);
  CHECK(bad.diagnostics[0].pointer == "/none");
  CHECK(bad.diagnostics[1].pointer == "/word");
  CHECK(bad.diagnostics[2].pointer == "/list/1/0");
  CHECK(bad.diagnostics[2].suggestion == "arm");
  CHECK(bad.diagnostics[3].pointer == "/list/2");
  CHECK(bad.diagnostics[4].expected.find("absent") != std::string::npos);
}

TEST_CASE("functions of time are numbers, expressions or tables") {
  const Fixture f(R"({"a": 3, "b": "=track*t", "c": {"table": [[0, 0], [1, 2]], "interpolation": "linear"}, "d": [1, "=t"]})");
  CHECK(f.in.time_function({"a"}).value(9) == 3);
  CHECK(f.in.time_function({"b"}).value(2) == 3);
  CHECK(f.in.time_function({"c"}).value(0.5) == 1);
  CHECK(f.in.time_function_or({"x"}, 4).value(0) == 4);
  CHECK(f.in.time_functions({"d"}, 2).at(1).value(7) == 7);
  CHECK(f.in.time_functions({"a"}, 1).size() == 1);
  CHECK(f.in.time_functions({"x"}, 3).empty());
  CHECK(f.diagnostics.empty());
  CHECK(f.in.time_functions({"d"}, 3).empty());
  CHECK(f.diagnostics.at(0).expected == "a list of 3");
}

TEST_CASE("tables are checked row by row") {
  const Fixture f(
      R"({"a": [[0, 0], [1, 1]], "b": [[0, 0], [0, 1]], "c": [[0, 0], [1]], "d": [[0, 0]], "e": {"tabel": []}, "f": {"table": [[0,0],[1,1]], "interpolation": "smoth"}})");
  CHECK(f.in.table_or_empty({"a"}).at(0.5).value == 0.5);
  CHECK(f.in.table_or_empty({"x"}).empty());
  CHECK(f.diagnostics.empty());
  for (const char* key : {"b", "c", "d", "e", "f"}) CHECK(f.in.table_or_empty({key}).empty());
  REQUIRE(f.diagnostics.size() == 5);
  CHECK(f.diagnostics[0].pointer == "/b/1/0");
  CHECK(f.diagnostics[1].pointer == "/c/1");
  CHECK(f.diagnostics[3].suggestion == "table");
  CHECK(f.diagnostics[4].suggestion == "smooth");
}

TEST_CASE("lists of numbers have the wanted length or one number for all") {
  const Fixture f(R"({"a": [1, 2], "b": 3})");
  CHECK(f.in.numbers({"a"}, 2) == std::vector<double>{1, 2});
  CHECK(f.in.numbers({"b"}, 2) == std::vector<double>{3, 3});
  CHECK(f.in.coordinates({"b"}, 1) == std::vector<double>{3});
  CHECK(f.diagnostics.empty());
  f.in.coordinates({"b"}, 2);
  f.in.numbers({"a"}, 3);
  CHECK(f.diagnostics.size() == 2);
}

TEST_CASE("words are checked against the choice") {
  const Fixture f(R"({"a": "body", "b": "wrld", "c": 3})");
  CHECK(f.in.choice({"a"}, {"world", "body"}) == "body");
  CHECK(f.in.choice({"x"}, {"world", "body"}) == "world");
  CHECK(f.diagnostics.empty());
  CHECK(f.in.choice({"b"}, {"world", "body"}) == "world");
  f.in.choice({"c"}, {"world", "body"});
  CHECK(f.diagnostics.size() == 2);
  CHECK(f.diagnostics[0].suggestion == "world");
}

TEST_CASE("an absent object complains of nothing, a wrong one once") {
  const Fixture f(R"({"b": 3, "c": {"x": 1, "z": 2}})");
  CHECK(f.in.object({"a"}).number({"x"}) == 1);
  CHECK_FALSE(f.in.object({"a"}).has("x"));
  CHECK(f.diagnostics.empty());
  f.in.object({"b"}).number({"x"});
  CHECK(f.diagnostics.size() == 1);
  f.in.object({"c"}).number({"x"});
  f.in.reject_unknown_keys();
  REQUIRE(f.diagnostics.size() == 2);
  CHECK(f.diagnostics[1].pointer == "/c/z");
}

TEST_CASE("an author's complaint waits until the values are good") {
  const Fixture bad(R"({"axis": [0, 0, 0]})");
  bad.in.unit_vector({"axis"});
  bad.in.complain("axis", "one thing", "another");
  CHECK(bad.diagnostics.size() == 1);
  const Fixture good(R"({"axis": [0, 0, 1]})");
  good.in.complain("axis", "one thing", "another");
  CHECK(good.diagnostics.size() == 1);
}

TEST_CASE("in describe mode questions become descriptions") {
  const JsonReader in = JsonReader::describe();
  in.number({"mass", "kg", "mass of it"}, Range::positive());
  in.choice({"axes", "", "which"}, {"world", "body"});
  in.object({"spring"}).numbers({"stiffness", "N/m"}, 2);
  const std::vector<KeyDescription> keys = in.description();
  REQUIRE(keys.size() == 3);
  CHECK(keys[0].name == "mass");
  CHECK(keys[0].unit == "kg");
  CHECK(keys[0].required);
  CHECK(keys[0].range.open_low);
  CHECK(keys[1].fallback == "world");
  CHECK(keys[1].choices.size() == 2);
  REQUIRE(keys[2].keys.size() == 1);
  CHECK(keys[2].keys[0].count == 2);
}
