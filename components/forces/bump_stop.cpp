#include "arthron/components/forces/bump_stop.hpp"

#include <algorithm>

#include "arthron/component/contact_law.hpp"
#include "arthron/component/numbers_on.hpp"
#include "arthron/components/forces/line.hpp"
#include "arthron/spatial/dual.hpp"

namespace arthron {

BumpStopForce BumpStopForce::parse(const JsonReader& in) {
  in.handle({"from", "", "point A: [body, point]"});
  in.handle({"to", "", "point B: [body, point]"});
  BumpStopForce stop{in.number({"length", "m", "distance of the points where the stop touches"}, Range::non_negative()),
                     in.number_or({"stiffness", "N/m", "spring rate at touching"}, 0, Range::non_negative()),
                     in.number_or({"cubic", "N/m^3", "progression: rate of the cubic part"}, 0, Range::non_negative()),
                     in.number_or({"damping", "s/m", "share added to the force per unit of impact speed"}, 0, Range::non_negative()),
                     in.table_or_empty({"law", "m, N", "force over compression, instead of stiffness and cubic"}),
                     in.choice({"acts", "", "when the points are nearer, or farther apart than length"}, {"bump", "rebound"}) == "rebound"};
  if (!stop.law.empty() && stop.law.at(0).value != 0) in.complain("law", "a force at no compression", "a law through [0, 0]");
  return stop;
}

struct BumpStopForce::Contact {
  Line line;
  double compression, rate, force;
};

BumpStopForce::Contact BumpStopForce::contact(const HandleState* h) const {
  const Line line = Line::between(h);
  const double d = rebound ? line.length - length : length - line.length, rate = rebound ? line.rate : -line.rate;
  if (d <= 0) return {line, d, rate, 0};
  const double elastic = law.empty() ? d * (stiffness + cubic * d * d) : std::max(0.0, law.at(d).value);
  return {line, d, rate, damped_contact(elastic, damping, rate)};
}

void BumpStopForce::load(double, const HandleState* h, Spatial6* wrench) const {
  const Contact now = contact(h);
  now.line.pull(rebound ? now.force : -now.force, wrench);
}

double BumpStopForce::energy(double, const HandleState* h) const {
  const double d = contact(h).compression;
  if (d <= 0) return 0;
  return law.empty() ? d * d * (stiffness / 2 + cubic * d * d / 4) : law.integral(d);
}

void BumpStopForce::measure(double, const HandleState* h, double* values) const {
  const Contact now = contact(h);
  values[0] = now.force, values[1] = now.compression, values[2] = now.rate;
}

template <class T>
BumpStopForce::On<T>::On(const PerLane<const BumpStopForce*>& forces, LaneTimeFunctions&) {
  const auto number = [&](double BumpStopForce::*which) { return number_of_lanes<T>([&](int lane) { return forces[lane]->*which; }); };
  length_ = number(&BumpStopForce::length), stiffness_ = number(&BumpStopForce::stiffness);
  cubic_ = number(&BumpStopForce::cubic), damping_ = number(&BumpStopForce::damping);
  sign_ = number_of_lanes<T>([&](int lane) { return forces[lane]->rebound ? -1.0 : 1.0; });
  tables_ = std::any_of(forces.begin(), forces.end(), [](const BumpStopForce* stop) { return !stop->law.empty(); });
}

template <class T>
ARTHRON_FLATTEN void BumpStopForce::On<T>::load(const LaneInstant&, const HandleStateOf<T>* h, Spatial<T>* wrench) const {
  const LineOf<T> line = LineOf<T>::between(h);
  const T d = sign_ * (length_ - line.length), impact = 1.0 - damping_ * (sign_ * line.rate);
  const T force = d * (stiffness_ + cubic_ * d * d) * select(impact > T(0.0), impact, T(0.0));
  line.pull(select(d > T(0.0), -(sign_ * force), T(0.0)), wrench);
}

template class BumpStopForce::On<Lanes>;
template class BumpStopForce::On<Dual<double, 1>>;

}  // namespace arthron
