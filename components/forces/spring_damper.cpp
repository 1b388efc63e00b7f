#include "arthron/components/forces/spring_damper.hpp"

#include <algorithm>

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

double SpringDamperForce::tension(const Line& line) const {
  const double extension = line.length - free_length;
  const double spring = spring_law.empty() ? stiffness * extension : spring_law.at(extension).value;
  const double damper = damper_law.empty() ? damping * line.rate : damper_law.at(line.rate).value;
  return spring + damper + preload;
}

void SpringDamperForce::load(double, const HandleState* h, Spatial6* wrench) const {
  const Line line = Line::between(h);
  line.pull(tension(line), wrench);
}

double SpringDamperForce::energy(double, const HandleState* h) const {
  const double length = Line::between(h).length, extension = length - free_length;
  const double spring = spring_law.empty() ? stiffness * extension * extension / 2 : spring_law.integral(extension);
  return spring + preload * length;
}

void SpringDamperForce::measure(double, const HandleState* h, double* values) const {
  const Line line = Line::between(h);
  values[0] = tension(line), values[1] = line.length, values[2] = line.rate;
}

SpringDamperForce::OnLanes::OnLanes(const PerLane<const SpringDamperForce*>& forces, LaneTimeFunctions&) : forces_(forces) {
  const auto number = [&](double SpringDamperForce::*which) { return Lanes::each([&](int lane) { return forces[lane]->*which; }); };
  stiffness_ = number(&SpringDamperForce::stiffness), damping_ = number(&SpringDamperForce::damping);
  free_length_ = number(&SpringDamperForce::free_length), preload_ = number(&SpringDamperForce::preload);
  const auto some = [&](Table SpringDamperForce::*law) {
    return std::any_of(forces.begin(), forces.end(), [&](const SpringDamperForce* force) { return !(force->*law).empty(); });
  };
  spring_tables_ = some(&SpringDamperForce::spring_law), damper_tables_ = some(&SpringDamperForce::damper_law);
}

void SpringDamperForce::OnLanes::load(const LaneInstant&, const HandleStateOf<Lanes>* h, Spatial<Lanes>* wrench) const {
  const LineOf<Lanes> line = LineOf<Lanes>::between(h);
  const Lanes extension = line.length - free_length_;
  Lanes spring = stiffness_ * extension, damper = damping_ * line.rate;
  for (int lane = 0; (spring_tables_ || damper_tables_) && lane < lane_count; ++lane) {
    const SpringDamperForce& force = *forces_[lane];
    if (!force.spring_law.empty()) spring.set(lane, force.spring_law.at(extension[lane]).value);
    if (!force.damper_law.empty()) damper.set(lane, force.damper_law.at(line.rate[lane]).value);
  }
  line.pull(spring + damper + preload_, wrench);
}

}  // namespace arthron
