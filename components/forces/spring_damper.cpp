#include "arthron/components/forces/spring_damper.hpp"

namespace arthron {

SpringDamperForce SpringDamperForce::parse(const JsonReader& in) {
  in.handle({"from", "", "point A: [body, point]"});
  in.handle({"to", "", "point B: [body, point]"});
  SpringDamperForce force{in.number_or({"stiffness", "N/m", "spring rate"}, 0, Range::non_negative()),
                          in.number_or({"damping", "N s/m", "damper rate"}, 0, Range::non_negative()),
                          in.number_or({"free_length", "m", "length where the spring is relaxed"}, 0, Range::non_negative()),
                          in.number_or({"preload", "N", "constant pull added to the spring"}, 0),
                          in.table_or_empty({"spring_law", "m, N", "pull over extension, instead of stiffness"}),
                          in.table_or_empty({"damper_law", "m/s, N", "pull over rate of extension, instead of damping"})};
  return force;
}

SpringDamperForce::Line SpringDamperForce::line(const HandleState* h) {
  const Vec3 p_AB = h[1].position - h[0].position;
  const double length = norm(p_AB);
  const Vec3 direction = length > 1e-9 ? (1 / length) * p_AB : Vec3{};
  return {direction, length, dot(direction, h[1].velocity.linear - h[0].velocity.linear)};
}

double SpringDamperForce::tension(const Line& line) const {
  const double extension = line.length - free_length;
  const double spring = spring_law.empty() ? stiffness * extension : spring_law.at(extension).value;
  const double damper = damper_law.empty() ? damping * line.rate : damper_law.at(line.rate).value;
  return spring + damper + preload;
}

void SpringDamperForce::load(double, const HandleState* h, Spatial6* wrench) const {
  const Line l = line(h);
  const Vec3 pull = tension(l) * l.direction;
  wrench[0] = {pull, {}};
  wrench[1] = {-pull, {}};
}

double SpringDamperForce::energy(double, const HandleState* h) const {
  const double length = line(h).length, extension = length - free_length;
  const double spring = spring_law.empty() ? stiffness * extension * extension / 2 : spring_law.integral(extension);
  return spring + preload * length;
}

void SpringDamperForce::measure(double, const HandleState* h, double* values) const {
  const Line l = line(h);
  values[0] = tension(l), values[1] = l.length, values[2] = l.rate;
}

}  // namespace arthron
