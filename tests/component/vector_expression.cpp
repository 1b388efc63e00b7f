#include "arthron/component/vector_expression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "arthron/spatial/pose.hpp"

using namespace arthron;

namespace {

const Vec3 p{1, -2, 3}, q{0.5, 4, -1};
const NamedVectors vectors{{"p", p}, {"q", q}};

Vec3 vector(const std::string& text, const std::map<std::string, double>& constants = {}) {
  const VectorExpression parsed = VectorExpression::parse(text, {}, constants, vectors);
  REQUIRE(parsed.is_vector());
  const auto component = [&](std::size_t i) { return parsed.components[i].evaluate<double>(nullptr); };
  return {component(0), component(1), component(2)};
}

double number(const std::string& text) { return VectorExpression::parse_number(text, {}, {}, vectors).evaluate<double>(nullptr); }

std::string mistake(const std::string& text) {
  try {
    (void)VectorExpression::parse_number(text, {"t"}, {}, vectors);
  } catch (const ExpressionError& error) {
    return error.what() + (error.position() > 0 ? " at " + std::to_string(error.position()) : "");
  }
  return "";
}

void check_same(const Vec3& a, const Vec3& b) { CHECK(norm(a - b) <= 1e-15 * (norm(a) + norm(b))); }

}  // namespace

TEST_CASE("vectors are added and scaled by components") {
  check_same(vector("p + q"), p + q);
  check_same(vector("p - 2*q"), p - 2 * q);
  check_same(vector("-(p + q)/4"), -0.25 * (p + q));
  check_same(vector("q*2"), 2 * q);
  check_same(vector("p + [0, 0, dz]", {{"dz", 0.5}}), p + Vec3{0, 0, 0.5});
  check_same(vector("[1, 2*3, -(4)]"), {1, 6, -4});
  check_same(vector("[p.z, [1, 2, 3].y, (p + q).x]"), {3, 2, 1.5});
  check_same(vector("if(1 < 2, p, q)"), p);
}

TEST_CASE("components and products are numbers") {
  CHECK(number("p.x + 10*p.y + 100*p.z") == p.x + 10 * p.y + 100 * p.z);
  CHECK(number("dot(p, q)") == dot(p, q));
  CHECK(number("norm(p)") == norm(p));
  CHECK(number("cross(p, q).y") == cross(p, q).y);
  CHECK(number("p.x*2 - p.y*p.z") == p.x * 2 - p.y * p.z);
}

TEST_CASE("functions of vectors are those of geometry") {
  check_same(vector("cross(p, q)"), cross(p, q));
  check_same(vector("unit(p)"), normalized(p));
  const double angle = 0.7;
  check_same(vector("rotate(p, q, 0.7)"), axis_rotation(normalized(q), angle) * p);
  CHECK(norm(vector("rotate([1, 0, 0], [0, 0, 2], pi/2)") - Vec3{0, 1, 0}) < 1e-15);
  // Across a plane of the axes a mirror image is a change of sign, to the last bit.
  const Vec3 image = vector("mirror(p, [0, 3, 0])");
  CHECK(image.x == p.x);
  CHECK(image.y == -p.y);
  CHECK(image.z == p.z);
  const Vec3 n = normalized(q);
  check_same(vector("mirror(p, q)"), p - 2 * dot(n, p) * n);
  check_same(vector("mirror(mirror(p, q), q)"), p);
}

TEST_CASE("numbers may have units") {
  CHECK(number("5 mm") == 0.005);
  CHECK(number("2*30 deg") == doctest::Approx(std::numbers::pi / 3).epsilon(1e-15));
  CHECK(number("30deg") == doctest::Approx(std::numbers::pi / 6).epsilon(1e-15));
  CHECK(number("5 mm^2") == 5e-6);
  CHECK(number("3 kN/2") == 1500);
  check_same(vector("p + [0, 0, 5 mm]"), p + Vec3{0, 0, 0.005});
}

TEST_CASE("a name may be a number here and a vector there") {
  CHECK(Expression::parse("2*p", {}, {{"p", 4}}).evaluate<double>(nullptr) == 8);
  check_same(vector("2*p"), 2 * p);
  CHECK(Expression::parse("2*p", {}, {{"p", 5}}).evaluate<double>(nullptr) == 10);
  CHECK(VectorExpression::parse_number("p.x", {}, {}, vectors).evaluate<double>(nullptr) == 1);
  CHECK_THROWS_AS((void)Expression::parse("p.x", {}, {{"p", 5}}), ExpressionError);
}

TEST_CASE("vectors may depend on time") {
  const VectorExpression parsed = VectorExpression::parse("p + t*q", {"t"}, {}, vectors);
  REQUIRE(parsed.is_vector());
  const double t = 3;
  CHECK(parsed.components[1].evaluate<double>(&t) == p.y + t * q.y);
}

TEST_CASE("mistakes with vectors are named in words") {
  CHECK(mistake("p") == "a vector where a number is wanted (.x, .y and .z are its components)");
  CHECK(mistake("sin(p)") == "a vector where a number is wanted (.x, .y and .z are its components)");
  CHECK(mistake("p + 1") == "a number and a vector can be neither added nor subtracted");
  CHECK(mistake("p*q") == "vectors have two products: write dot(a, b) or cross(a, b)");
  CHECK(mistake("2/p") == "a division by a vector");
  CHECK(mistake("dot(p, 2)") == "a number where a vector is wanted");
  CHECK(mistake("[1, 2]") == "a vector has three components [x, y, z], not 2 at 1");
  CHECK(mistake("p.z + [1, 2, 3") == "missing \"]\" at 7");
  CHECK(mistake("(2).x") == ".x, .y and .z are components of vectors");
  CHECK(mistake("p.w") != "");
  CHECK(mistake("[1, $, 3].x") == "unexpected \"$\" at 5");
  CHECK(mistake("[1, [1, 2, 3], 3].x") == "a vector where a number is wanted (.x, .y and .z are its components)");
  CHECK(mistake("2 t") == "unexpected \"t\" (a product is written *, as in 2*t) at 3");
}
