#include "arthron/components/forces/bump_stop.hpp"

#include "arthron/component/contact_law.hpp"
#include "arthron/components/forces/line.hpp"

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

BumpStopForce::OnLanes::OnLanes(const PerLane<const BumpStopForce*>& forces, LaneTimeFunctions&) {
  for (int lane = 0; lane < lane_count; ++lane) {
    const BumpStopForce& stop = *forces[lane];
    length_.set(lane, stop.length), stiffness_.set(lane, stop.stiffness), cubic_.set(lane, stop.cubic), damping_.set(lane, stop.damping);
    sign_.set(lane, stop.rebound ? -1 : 1);
    tables_ = tables_ || !stop.law.empty();
  }
}

void BumpStopForce::OnLanes::load(const LaneInstant&, const HandleStateOf<Lanes>* h, Spatial<Lanes>* wrench) const {
  const LineOf<Lanes> line = LineOf<Lanes>::between(h);
  const Lanes d = sign_ * (length_ - line.length), rate = -(sign_ * line.rate);
  const Lanes force = d * (stiffness_ + cubic_ * d * d) * max(Lanes(0), 1 + damping_ * rate);
  line.pull(select(d > 0, -(sign_ * force), Lanes(0)), wrench);
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

}  // namespace arthron
