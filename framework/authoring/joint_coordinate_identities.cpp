#include "arthron/authoring/joint_identities.hpp"
#include "arthron/authoring/measures.hpp"

namespace arthron {

namespace {

constexpr Identity rates_are_linear{"coordinate_rate is linear in u", rounding_error};
constexpr Identity rates_stay_on_manifold{"coordinate_rate moves along what normalise keeps", difference_error};
constexpr Identity charts_come_back{"user coordinates survive the way to q and back", rounding_error};
constexpr Identity chart_motion_holds{"chart_motion gives the u that follows the chart", difference_error};
constexpr Identity chart_acceleration_holds{"chart_motion gives the rate of that u", difference_error};
constexpr Identity chart_rate_holds{"chart_rate is the rate of to_chart", difference_error};
constexpr Identity chart_effort_works{"forces along user coordinates do their work on u", rounding_error};

std::vector<double> first(const double* values, std::size_t count) { return {values, values + count}; }

std::vector<double> coordinate_rate(const SingleJoint& joint, const SingleJoint::Velocities& u) {
  SingleJoint::Coordinates qdot{};
  joint.batch->coordinate_rate({0, 1}, joint.q.data(), u.data(), qdot.data());
  return first(qdot.data(), joint.nq());
}

void examine_rates(const SingleJoint& joint, Examination& examination) {
  const auto place = [&] { return joint.words(); };
  SingleJoint::Velocities a{}, b{}, sum{};
  for (std::size_t i = 0; i < joint.nu(); ++i) a[i] = joint.u[i], b[i] = 1.0 / (2.0 + static_cast<double>(i)), sum[i] = 2 * a[i] - 3 * b[i];
  const std::vector<double> of_a = coordinate_rate(joint, a), of_b = coordinate_rate(joint, b);
  std::vector<double> expected(of_a.size());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 2 * of_a[i] - 3 * of_b[i];
  examination.note(rates_are_linear, deviation(expected, coordinate_rate(joint, sum)), place);
  const Derivative along = derivative([&](double t) { return first(joint.moved(t).data(), joint.nq()); });
  note_derivative(examination, rates_stay_on_manifold, along, of_a, place);
}

/// A motion of the user coordinates: from those of the joint's state on, with its velocities and some acceleration.
class ChartMotion {
 public:
  explicit ChartMotion(const SingleJoint& joint) : joint_(joint), start_(joint.chart_of(joint.q)) {}

  [[nodiscard]] SingleJoint::Coordinates q(double t) const {
    SingleJoint::Velocities chart{};
    for (std::size_t i = 0; i < joint_.nu(); ++i) chart[i] = at(i, t).value;
    SingleJoint::Coordinates coordinates{};
    joint_.type.from_chart(joint_.definition, chart.data(), coordinates.data());
    return coordinates;
  }
  /// u and its rate as chart_motion has them.
  [[nodiscard]] std::pair<SingleJoint::Velocities, SingleJoint::Velocities> motion(double t) const {
    std::array<TimeFunction::Sample, 6> samples;
    for (std::size_t i = 0; i < joint_.nu(); ++i) samples[i] = at(i, t);
    std::pair<SingleJoint::Velocities, SingleJoint::Velocities> result{};
    joint_.type.chart_motion(joint_.definition, samples.data(), result.first.data(), result.second.data());
    return result;
  }

 private:
  [[nodiscard]] TimeFunction::Sample at(std::size_t i, double t) const {
    const double rate = joint_.u[i], curve = joint_.u[joint_.nu() - 1 - i];
    return {start_[i] + t * rate + t * t * curve, rate + 2 * t * curve, 2 * curve};
  }

  const SingleJoint& joint_;
  SingleJoint::Velocities start_;
};

void examine_chart_motion(const SingleJoint& joint, Examination& examination) {
  const auto place = [&] { return joint.words(); };
  const ChartMotion chart(joint);
  const auto motion = chart.motion(0);
  const SingleJoint::Coordinates q = chart.q(0);
  // Two motions of the pose with the same rate: along the chart, and along u.
  const Derivative along_chart = derivative([&](double t) { return numbers_of(joint.at(chart.q(t)).X); });
  const Derivative along_u = derivative([&](double t) { return numbers_of(joint.at(joint.moved(q, t, motion.first)).X); });
  note_derivative(examination, chart_motion_holds, along_chart, along_u.value, place);
  // Velocities H u, for u itself may be written in a frame that differs from chart to chart: H udot + Hdot u must be their rate. Column
  // rates are differences too, so that this says nothing of Hdot.
  const auto velocity = [&](const SingleJoint::Coordinates& at, const SingleJoint::Velocities& u) {
    const auto H = joint.at(at).H;
    Spatial6 V;
    for (std::size_t i = 0; i < joint.nu(); ++i) V += u[i] * H[i];
    std::vector<double> values;
    append(values, V);
    return values;
  };
  const Derivative truth = derivative([&](double t) { return velocity(chart.q(t), chart.motion(t).first); });
  const Derivative of_columns = derivative([&](double t) { return velocity(joint.moved(q, t, motion.first), motion.first); });
  std::vector<double> rate = velocity(q, motion.second);
  for (std::size_t i = 0; i < rate.size(); ++i) rate[i] += of_columns.value[i];
  note_derivative(examination, chart_acceleration_holds, truth, rate, place);
}

void examine_charts(const SingleJoint& joint, Examination& examination) {
  const auto place = [&] { return joint.words(); };
  const SingleJoint::Velocities chart = joint.chart_of(joint.q);
  SingleJoint::Coordinates q{};
  joint.type.from_chart(joint.definition, chart.data(), q.data());
  examination.note(charts_come_back, deviation(first(chart.data(), joint.nu()), first(joint.chart_of(q).data(), joint.nu())), place);
  // What a chart leaves open (a distance joint's frame of velocities) does not show in the pose.
  examination.note(charts_come_back, deviation(numbers_of(joint.at(joint.q).X), numbers_of(joint.at(q).X)), place);

  SingleJoint::Velocities rate{}, effort{};
  joint.type.chart_rate(joint.definition, joint.q.data(), joint.u.data(), rate.data());
  const Derivative truth = derivative([&](double t) { return first(joint.chart_of(joint.moved(t)).data(), joint.nu()); });
  note_derivative(examination, chart_rate_holds, truth, first(rate.data(), joint.nu()), place);
  const SingleJoint::Velocities force{0.3, -0.7, 1.1, 0.2, -0.5, 0.9};
  joint.type.chart_effort(joint.definition, joint.q.data(), force.data(), effort.data());
  double work_of_force = 0, work_of_effort = 0;
  for (std::size_t i = 0; i < joint.nu(); ++i) work_of_force += force[i] * rate[i], work_of_effort += effort[i] * joint.u[i];
  examination.note(chart_effort_works, deviation({work_of_force}, {work_of_effort}), place);
}

}  // namespace

void examine_coordinates(const SingleJoint& joint, Examination& examination) {
  if (joint.nu() == 0) return;
  examine_rates(joint, examination);
  examine_charts(joint, examination);
  examine_chart_motion(joint, examination);
}

}  // namespace arthron
