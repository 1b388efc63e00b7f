#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "arthron/model/hierarchy.hpp"
#include "arthron/model/loading.hpp"
#include "arthron/model/parse_component.hpp"

namespace arthron {

namespace {

std::string numbers_text(const std::array<double, 3>& numbers) {
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "(%.4g, %.4g, %.4g)", numbers[0], numbers[1], numbers[2]);
  return text.data();
}

/// Principal moments in decreasing order.
std::array<double, 3> principal_moments(const Sym3& I) {
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  return {moments[2], moments[1], moments[0]};
}

/// What is wrong with principal moments; "" when nothing is. A tolerance on the triangle inequality lets flat bodies pass whose numbers are
/// rounded to six digits.
std::string refusal(const std::array<double, 3>& moments) {
  constexpr double rounding = 1e-6, smallest = 1e-30, most_slender = 1e-10;
  if (!(moments[2] > std::max(smallest, most_slender * moments[0])))
    return "each > 0 (kg m^2), the smallest not below 1e-10 of the largest";
  if (moments[0] > (1 + rounding) * (moments[1] + moments[2])) return "each <= the sum of the other two (kg m^2): no rigid body has these";
  return "";
}

/// Besides, a plain body may have no mass at all.
constexpr Range mass_range{1e-12, 1e12};

/// Mass, centre and inertia as the file says them. The centre is in the file's frame, the inertia in the axes of X_FB.
BodyProperties read_plain(const JsonReader& in, const Pose<double>& X_FB) {
  BodyProperties body;
  body.mass = in.number({"mass", "kg", "mass"}, {0, mass_range.high});
  if (body.mass > 0 && body.mass < mass_range.low)
    in.complain("mass", number_text(body.mass), number_words("kg", mass_range) + ", or 0 for a body without mass");
  body.com = in.in_frame(X_FB).point_or({"com", "m", "centre of mass"}, {0, 0, 0});
  if (body.mass > 0 || in.has("inertia"))
    body.inertia = in.inertia({"inertia", "kg m^2", "about the centre of mass: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]"});
  if (in.describing() || !in.has("inertia")) return body;
  const std::array<double, 3> moments = principal_moments(body.inertia);
  if (body.mass == 0) {
    if (moments[0] != 0 || moments[2] != 0)
      in.source().report("inertia", "an inertia of a body without mass", "none, or [0, 0, 0]; or a mass");
    return body;
  }
  if (const std::string expected = refusal(moments); !expected.empty())
    in.source().report("inertia", "principal moments " + numbers_text(moments), expected);
  return body;
}

/// A type's properties are of its making: what is wrong with them is told with its name.
void check_properties(const JsonReader& in, const std::string& type, const BodyProperties& body) {
  const auto complain = [&](const std::string& what, const std::string& expected) {
    in.source().report("", what + " by the type " + quote_text(type), expected);
  };
  const Sym3& I = body.inertia;
  const double numbers[] = {body.com.x, body.com.y, body.com.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  if (!contains(mass_range, body.mass)) return complain("a mass of " + number_text(body.mass), number_words("kg", mass_range));
  if (!std::all_of(std::begin(numbers), std::end(numbers), [](double x) { return std::abs(x) <= JsonReader::Source::largest; }))
    return complain("numbers that are not finite", "a centre of mass and an inertia");
  const std::array<double, 3> moments = principal_moments(body.inertia);
  if (const std::string expected = refusal(moments); !expected.empty()) complain("principal moments " + numbers_text(moments), expected);
}

/// The same by one of the types.
BodyProperties read_typed(const JsonReader& in, const Pose<double>& X_FB, const std::vector<std::string>& types, const Registry& registry) {
  const std::string name = in.one_of({"type", "", "shape of the body, from which its mass and inertia follow"}, types, "a body type");
  BodyProperties body;
  if (in.describing()) return (void)registry.body(types.front())->read(in), body;
  const BodyType* type = registry.body(name);
  const auto read = [&] { body = type->read(in.within_frame(X_FB)); };
  if (!type || !run_author(in, *type, "parse() or properties()", read))
    for (const std::string& key : in.names()) in.source().know(key);
  else if (!in.failed_within())
    check_properties(in, name, body);
  body.com = X_FB * body.com;
  return body;
}

std::optional<Vec3> read_motion(const JsonReader& in, const Key& key) {
  const std::vector<double> v = in.coordinates(key, 3);
  return v.size() == 3 ? std::optional<Vec3>({v[0], v[1], v[2]}) : std::nullopt;
}

DrawnBody draw_ground(const JsonReader& in, BodyIndex body, const Loading& loading) {
  DrawnBody drawn;
  drawn.body = body;
  const JsonReader motion =
      in.object({"motion", "", "movement from the design position, about the origin of the frame; fixed when absent"});
  PrescribedMotion prescribed{motion.time_functions({"translation", "m", "displacement along the file's axes"}, 3),
                              motion.time_functions({"rotation", "rad", "rotation vector (axis times angle)"}, 3)};
  drawn.X_FB = drawn.frame = loading.frames.at(body.value);
  drawn.shapes = read_shapes(in, drawn.X_FB, loading);
  if (motion.describing() || !in.holds_object("motion")) return drawn;
  refuse_measured(motion, "translation", prescribed.translation);
  refuse_measured(motion, "rotation", prescribed.rotation);
  for (auto* functions : {&prescribed.translation, &prescribed.rotation}) functions->resize(3);
  drawn.motion = std::move(prescribed);
  return drawn;
}

/// `type` is the one to describe, "*" for none.
DrawnBody draw_body(const JsonReader& in, BodyIndex body, const std::string& type, const Loading& loading) {
  DrawnBody drawn;
  drawn.body = body;
  const auto frame = loading.frames.find(body.value);
  const bool framed = frame != loading.frames.end();
  if (framed) drawn.X_FB = frame->second;
  BodyProperties& read = drawn.properties;
  if (in.describing())
    read = type == "*" ? read_plain(in, drawn.X_FB) : read_typed(in, drawn.X_FB, {type}, loading.registry);
  else
    read = in.has("type") ? read_typed(in, drawn.X_FB, names_of(loading.registry.bodies()), loading.registry) : read_plain(in, drawn.X_FB);
  const JsonReader initial = in.object({"initial", "", "state at t = 0, as near as the joints admit; that of the joints when absent"});
  drawn.velocity.linear = read_motion(initial, {"velocity", "m/s", "of the centre of mass, along the file's axes"});
  drawn.velocity.angular = read_motion(initial, {"angular_velocity", "rad/s", "about the file's axes"});
  drawn.frame = framed ? drawn.X_FB : Pose<double>{Mat3::identity(), read.com};
  drawn.shapes = read_shapes(in, drawn.X_FB, loading);
  if (!drawn.shapes && !read.shapes.empty()) drawn.shapes = std::move(read.shapes);
  return drawn;
}

}  // namespace

void draw_bodies(Loading& loading) {
  const auto index = [&](const Entry& entry) { return loading.scope.bodies.at(entry.name); };
  for (const Entry& entry : loading.grounds)
    loading.drawn_bodies.push_back(
        draw(entry.reader, loading, [&](const JsonReader& in) { return draw_ground(in, index(entry), loading); }));
  for (const Entry& entry : loading.bodies)
    loading.drawn_bodies.push_back(
        draw(entry.reader, loading, [&](const JsonReader& in) { return draw_body(in, index(entry), entry.name, loading); }));
}

void redraw_bodies(Loading& loading) {
  for (Drawn<DrawnBody>& drawn : loading.drawn_bodies) {
    if (!is_outdated(drawn, loading)) continue;
    const BodyIndex body = drawn.element.body;
    const JsonReader in = anew(drawn.in);
    drawn.element = loading.model.bodies[body.value].ground ? draw_ground(in, body, loading) : draw_body(in, body, "", loading);
  }
}

void put_body(const DrawnBody& drawn, const Loading& loading) {
  const Placement& placement = loading.placement;
  Body& body = loading.model.bodies[drawn.body.value];
  body.frame = placement.frame(drawn.frame);
  body.shapes = drawn.shapes;
  if (body.shapes) place_shapes(*body.shapes, drawn.X_FB, placement, body.frame);
  body.motion = drawn.motion;
  if (body.motion) body.motion->placement = placement;
  if (body.ground) return;
  if (drawn.velocity.linear || drawn.velocity.angular)
    loading.model.initial_velocities.push_back(placed({drawn.body, drawn.velocity.linear, drawn.velocity.angular}, placement));
  body.mass = drawn.properties.mass;
  body.com = placement.point(drawn.properties.com);
  body.inertia = rotated(placement.X.R, rotated(drawn.X_FB.R, drawn.properties.inertia));
}

}  // namespace arthron
