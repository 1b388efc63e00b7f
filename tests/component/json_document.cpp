#include "arthron/component/json_document.hpp"

#include <doctest/doctest.h>

using namespace arthron;

namespace {

struct Reading {
  std::vector<Diagnostic> diagnostics;
  JsonDocument document;
  explicit Reading(const std::string& text) : document(text, "file.json", diagnostics) {}
};

}  // namespace

TEST_CASE("every value knows its line") {
  const Reading reading("{\n \"a\": 1,\n \"b\": [10,\n  20,\n  30\n ],\n \"c\": { \"d\":\n \"text\" }\n}");
  const JsonDocument& document = reading.document;
  REQUIRE(document.complete());
  CHECK(document.root()["b"][2] == 30);
  CHECK(document.line("") == 1);
  CHECK(document.line("/a") == 2);
  CHECK(document.line("/b") == 3);
  CHECK(document.line("/b/0") == 3);
  CHECK(document.line("/b/1") == 4);
  CHECK(document.line("/b/2") == 5);
  CHECK(document.line("/c/d") == 7);
}

TEST_CASE("a pointer that leads nowhere has the line of what encloses it") {
  const Reading reading("{\n \"a\": { }\n}");
  CHECK(reading.document.line("/a/missing/deeper") == 2);
}

TEST_CASE("members keep the order of the text") {
  const Reading reading(R"({"z": 1, "a": 2, "m": 3})");
  std::string order;
  for (const auto& [key, value] : reading.document.root().items()) order += key;
  CHECK(order == "zam");
}

TEST_CASE("a repeated key is an error that names both lines, and reading goes on") {
  const Reading reading("{\n\"a\": 1,\n\"a\": { \"b\": 1, \"b\": [1, {\"c\": 2, \"c\": {}}] },\n\"d\": 2 }");
  CHECK(reading.document.complete());
  REQUIRE(reading.diagnostics.size() == 3);
  CHECK(reading.diagnostics[0].line == 3);
  CHECK(reading.diagnostics[0].pointer == "/a");
  CHECK(reading.diagnostics[0].expected == "each key once; the first one is in line 2");
  CHECK(reading.document.root()["a"] == 1);
  CHECK(reading.document.root()["d"] == 2);
}

TEST_CASE("a syntax error has its line, its place and what was found") {
  const Reading reading("{\n \"a\": 1\n \"b\": 2 }");
  CHECK_FALSE(reading.document.complete());
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics[0].line == 3);
  CHECK(reading.diagnostics[0].pointer == "/a");
  CHECK(reading.diagnostics[0].found == "no comma before \"\\\"b\\\"\"");
  CHECK(reading.diagnostics[0].expected == "a comma between two values");
}

TEST_CASE("comments and commas before closing brackets are no mistakes, and lines stay what they are") {
  const Reading reading(
      "// a model\n{ /* two\nlines */ \"a\": [1, 2, // two\n ], \"b\": \"// none, ]\\\" /* none */\",\n \"c\": {\"d\": 1,},\n}\n/* end */");
  REQUIRE(reading.diagnostics.empty());
  const Json& root = reading.document.root();
  CHECK(root["a"] == Json::array({1, 2}));
  CHECK(root["b"] == "// none, ]\" /* none */");
  CHECK(root["c"]["d"] == 1);
  CHECK(reading.document.line("/a") == 3);
  CHECK(reading.document.line("/b") == 4);
  CHECK(reading.document.line("/c/d") == 5);
}

TEST_CASE("commas that stand for nothing, and comments without an end, stay mistakes") {
  for (const char* text : {"[,]", "{,}", "[1,,]", "[1,,2]", "{\"a\":,}", "{\"a\": 1}\n/* no end", "{\"a\": /"}) {
    CAPTURE(text);
    CHECK(Reading(text).diagnostics.size() == 1);
  }
  const Reading open("{\"a\": 1}\n/* no end");
  CHECK(open.diagnostics[0].line == 2);
  CHECK(open.diagnostics[0].found == "a comment without an end");
  CHECK(Reading("// nothing but words").diagnostics.at(0).found == "an empty file");
}

TEST_CASE("mistakes that people make in JSON are named for what they are") {
  struct Mistake {
    const char *text, *found, *expected;
  };
  for (const auto& [text, found, expected] : std::initializer_list<Mistake>{
           {"{'a': 1}", "a single quote", "double quotes: JSON knows no others"},
           {"{\"a\": 'b'}", "a single quote", "double quotes: JSON knows no others"},
           {"{a: 1}", "a name without quotes", "names in double quotes"},
           {"{\"a\": True}", "a word that JSON does not know", "true, false, null, a number, or text in double quotes"},
           {"{\"a\": None}", "a word that JSON does not know", "true, false, null, a number, or text in double quotes"},
           {"{\"a\": +1}", "a plus sign", "a number without it"},
           {"{\"a\": .5}", "a number that begins with a point", "a digit before the point, as in 0.5"},
           {"[1 2]", "no comma before \"2\"", "a comma between two values"},
           {"{\"a\": {} \"b\": 1}", "no comma before \"\\\"b\\\"\"", "a comma between two values"}}) {
    CAPTURE(text);
    const Reading reading(text);
    REQUIRE(reading.diagnostics.size() == 1);
    CHECK(reading.diagnostics[0].found == found);
    CHECK(reading.diagnostics[0].expected == expected);
  }
}

TEST_CASE("NaN is no JSON") {
  const Reading reading("{ \"a\":\n NaN }");
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics[0].line == 2);
  CHECK(reading.diagnostics[0].pointer == "/a");
}

TEST_CASE("a number beyond double is reported at its place") {
  const Reading reading("{ \"a\": [1,\n 1e999] }");
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(to_string(reading.diagnostics[0]) == "file.json:2: /a/1\n  found 1e999; expected a number that a double can hold");
}

TEST_CASE("text that ends too early is reported") {
  for (const char* text : {"{", "{ \"a\"", "{ \"a\": [1, 2", "{ \"a\": \"te"}) {
    const Reading reading(text);
    CAPTURE(text);
    CHECK_FALSE(reading.document.complete());
    CHECK(reading.diagnostics.size() == 1);
  }
}

TEST_CASE("an empty file is reported") {
  for (const char* text : {"", " \n\t"}) CHECK(Reading(text).diagnostics.at(0).found == "an empty file");
}

TEST_CASE("hostile nesting is refused") {
  const Reading lists(std::string(1'000'000, '['));
  REQUIRE(lists.diagnostics.size() == 1);
  CHECK(lists.diagnostics[0].found == "nesting deeper than 64");
  std::string objects;
  for (int i = 0; i < 1000; ++i) objects += "{\"a\":";
  CHECK(Reading(objects).diagnostics.at(0).found == "nesting deeper than 64");
}

TEST_CASE("quoted values fit on a line and are text whatever the bytes") {
  CHECK(quote(Json(0.5)) == "0.5");
  CHECK(quote(Json("a\nb")) == "\"a\\nb\"");
  CHECK(quote(Json::array({1, 2})) == "[1,2]");
  CHECK(quote(Json::object()) == "an object");
  CHECK(quote_text(std::string(1000, 'x')).size() < 100);
  CHECK(quote_text("\xff\xfe").find('\xff') == std::string::npos);
}

TEST_CASE("pointers escape what RFC 6901 asks for") { CHECK(join_pointer("/a", "b/c~d") == "/a/b~1c~0d"); }
