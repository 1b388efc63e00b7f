#include "arthron/components/forces/spring_damper.hpp"

#include "arthron/spatial/dual.hpp"

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

template <class T>
SpringDamperForce::On<T>::On(const PerLane<const SpringDamperForce*>& forces, LaneTimeFunctions&)
    : springs_([&](std::size_t lane) { return &forces[lane]->spring_law; }),
      dampers_([&](std::size_t lane) { return &forces[lane]->damper_law; }) {
  const auto number = [&](double SpringDamperForce::*which) { return number_of_lanes<T>([&](int lane) { return forces[lane]->*which; }); };
  stiffness_ = number(&SpringDamperForce::stiffness), damping_ = number(&SpringDamperForce::damping);
  free_length_ = number(&SpringDamperForce::free_length), preload_ = number(&SpringDamperForce::preload);
}

template <class T>
ARTHRON_FLATTEN void SpringDamperForce::On<T>::load(const LaneInstant&, const HandleStateOf<T>* h, Spatial<T>* wrench) const {
  const LineOf<T> line = LineOf<T>::between(h);
  const T extension = line.length - free_length_;
  const T spring = springs_.at_or(extension, stiffness_ * extension), damper = dampers_.at_or(line.rate, damping_ * line.rate);
  line.pull(spring + damper + preload_, wrench);
}

template class SpringDamperForce::On<Lanes>;
template class SpringDamperForce::On<Dual<double, 1>>;

}  // namespace arthron
