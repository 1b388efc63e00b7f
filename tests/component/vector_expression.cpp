#include "arthron/component/vector_expression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "arthron/spatial/pose.hpp"

using namespace arthron;

namespace {

const Vec3 at_p{1, -2, 3}, at_q{0.5, 4, -1};
const NamedVectors named_vectors{{"p", at_p}, {"q", at_q}};

Vec3 vector_of(const std::string& text, const std::map<std::string, double>& constants = {}) {
  const VectorExpression parsed = VectorExpression::parse(text, {}, constants, named_vectors);
  REQUIRE(parsed.is_vector());
  const auto component = [&](std::size_t i) { return parsed.components[i].evaluate<double>(nullptr); };
  return {component(0), component(1), component(2)};
}

double number_of(const std::string& text) { return VectorExpression::parse_number(text, {}, {}, named_vectors).evaluate<double>(nullptr); }

std::string vector_mistake(const std::string& text) {
  try {
    (void)VectorExpression::parse_number(text, {"t"}, {}, named_vectors);
  } catch (const ExpressionError& error) {
    return error.what() + (error.position() > 0 ? " at " + std::to_string(error.position()) : "");
  }
  return "";
}

void check_same(const Vec3& a, const Vec3& b) { CHECK(norm(a - b) <= 1e-15 * (norm(a) + norm(b))); }

}  // namespace

TEST_CASE("vectors are added and scaled by components") {
  check_same(vector_of("p + q"), at_p + at_q);
  check_same(vector_of("p - 2*q"), at_p - 2 * at_q);
  check_same(vector_of("-(p + q)/4"), -0.25 * (at_p + at_q));
  check_same(vector_of("q*2"), 2 * at_q);
  check_same(vector_of("p + [0, 0, dz]", {{"dz", 0.5}}), at_p + Vec3{0, 0, 0.5});
  check_same(vector_of("[1, 2*3, -(4)]"), {1, 6, -4});
  check_same(vector_of("[p.z, [1, 2, 3].y, (p + q).x]"), {3, 2, 1.5});
  check_same(vector_of("if(1 < 2, p, q)"), at_p);
}

TEST_CASE("components and products are numbers") {
  CHECK(number_of("p.x + 10*p.y + 100*p.z") == at_p.x + 10 * at_p.y + 100 * at_p.z);
  CHECK(number_of("dot(p, q)") == dot(at_p, at_q));
  CHECK(number_of("norm(p)") == norm(at_p));
  CHECK(number_of("cross(p, q).y") == cross(at_p, at_q).y);
  CHECK(number_of("p.x*2 - p.y*p.z") == at_p.x * 2 - at_p.y * at_p.z);
}

TEST_CASE("functions of vectors are those of geometry") {
  check_same(vector_of("cross(p, q)"), cross(at_p, at_q));
  check_same(vector_of("unit(p)"), normalized(at_p));
  const double angle = 0.7;
  check_same(vector_of("rotate(p, q, 0.7)"), axis_rotation(normalized(at_q), angle) * at_p);
  CHECK(norm(vector_of("rotate([1, 0, 0], [0, 0, 2], pi/2)") - Vec3{0, 1, 0}) < 1e-15);
  // Across a plane of the axes a mirror image is a change of sign, to the last bit.
  const Vec3 image = vector_of("mirror(p, [0, 1, 0])");
  CHECK(image.x == at_p.x);
  CHECK(image.y == -at_p.y);
  CHECK(image.z == at_p.z);
  const Vec3 n = normalized(at_q);
  check_same(vector_of("mirror(p, q)"), at_p - 2 * dot(n, at_p) * n);
  check_same(vector_of("mirror(mirror(p, q), q)"), at_p);
}

TEST_CASE("numbers may have units") {
  CHECK(number_of("5 mm") == 0.005);
  CHECK(number_of("2*30 deg") == doctest::Approx(std::numbers::pi / 3).epsilon(1e-15));
  CHECK(number_of("30deg") == doctest::Approx(std::numbers::pi / 6).epsilon(1e-15));
  CHECK(number_of("5 mm^2") == 5e-6);
  CHECK(number_of("3 kN/2") == 1500);
  check_same(vector_of("p + [0, 0, 5 mm]"), at_p + Vec3{0, 0, 0.005});
}

TEST_CASE("a name may be a number here and a vector there") {
  CHECK(Expression::parse("2*p", {}, {{"p", 4}}).evaluate<double>(nullptr) == 8);
  check_same(vector_of("2*p"), 2 * at_p);
  CHECK(Expression::parse("2*p", {}, {{"p", 5}}).evaluate<double>(nullptr) == 10);
  CHECK(VectorExpression::parse_number("p.x", {}, {}, named_vectors).evaluate<double>(nullptr) == 1);
  CHECK_THROWS_AS((void)Expression::parse("p.x", {}, {{"p", 5}}), ExpressionError);
}

TEST_CASE("vectors may depend on time") {
  const VectorExpression parsed = VectorExpression::parse("p + t*q", {"t"}, {}, named_vectors);
  REQUIRE(parsed.is_vector());
  const double t = 3;
  CHECK(parsed.components[1].evaluate<double>(&t) == at_p.y + t * at_q.y);
}

TEST_CASE("mistakes with vectors are named in words") {
  CHECK(vector_mistake("p") == "a vector where a number is wanted (.x, .y and .z are its components)");
  CHECK(vector_mistake("sin(p)") == "a vector where a number is wanted (.x, .y and .z are its components)");
  CHECK(vector_mistake("p + 1") == "a number and a vector can be neither added nor subtracted");
  CHECK(vector_mistake("p*q") == "vectors have two products: write dot(a, b) or cross(a, b)");
  CHECK(vector_mistake("2/p") == "a division by a vector");
  CHECK(vector_mistake("dot(p, 2)") == "a number where a vector is wanted");
  CHECK(vector_mistake("[1, 2]") == "a vector has three components [x, y, z], not 2 at 1");
  CHECK(vector_mistake("p.z + [1, 2, 3") == "missing \"]\" at 7");
  CHECK(vector_mistake("(2).x") == ".x, .y and .z are components of vectors");
  CHECK(vector_mistake("p.w") != "");
  CHECK(vector_mistake("[1, $, 3].x") == "unexpected \"$\" at 5");
  CHECK(vector_mistake("[1, [1, 2, 3], 3].x") == "a vector where a number is wanted (.x, .y and .z are its components)");
  CHECK(vector_mistake("2 t") == "unexpected \"t\" (a product is written *, as in 2*t) at 3");
}
