#pragma once
#include <numeric>

#include "arthron/component/joint_motion.hpp"

namespace arthron {

/// x with the least |A x - b|, A by rows: rows x columns <= 8 x 6, of full column rank. Allocates nothing.
void solve_least_squares(const double* A, int rows, int columns, const double* b, double* x);

/// The user coordinates of a joint type J: q itself where nq = nu, else what the author's from_chart and to_chart say; their rates by the
/// author's closed forms, or by differentiating these two.
template <class J>
struct JointChart {
  using Motion = JointMotion<J>;
  static constexpr bool plain = J::nq == J::nu && !requires(const J& joint, double* q) { joint.from_chart(q, q); };
  static_assert(
      plain || requires(const J& joint, double* q) { joint.from_chart(q, q), joint.to_chart(q, q); },
      "a joint with nq != nu gives from_chart(chart, q) and to_chart(q, chart)");

  template <class T>
  static void from(const J& joint, const T* chart, T* q) {
    if constexpr (plain)
      std::copy_n(chart, J::nu, q);
    else
      joint.from_chart(chart, q);
  }
  template <class T>
  static void to(const J& joint, const T* q, T* chart) {
    if constexpr (plain)
      std::copy_n(q, J::nu, chart);
    else
      joint.to_chart(q, chart);
  }

  /// u and its rate while the chart moves in time.
  static void motion(const J& joint, const TimeFunction::Sample* chart, double* u, double* udot) {
    if constexpr (requires { joint.chart_motion(chart, u, udot); })
      joint.chart_motion(chart, u, udot);
    else if constexpr (plain && Motion::plain_coordinates)
      for (int i = 0; i < J::nu; ++i) u[i] = chart[i].rate, udot[i] = chart[i].acceleration;
    else
      derived_motion(joint, chart, u, udot);
  }

  static void rate(const J& joint, const double* q, const double* u, double* rate) {
    if constexpr (requires { joint.chart_rate(q, u, rate); }) {
      joint.chart_rate(q, u, rate);
    } else if constexpr (plain) {
      Motion::coordinate_rate(joint, q, u, rate);
    } else {
      const auto moving = Motion::in_motion(joint, q, u);
      std::array<Dual<double, 1>, Motion::nu> chart;
      to(joint, moving.data(), chart.data());
      for (std::size_t i = 0; i < Motion::nu; ++i) rate[i] = chart[i].d[0];
    }
  }

  /// Efforts along the freedoms that do on u the work of `force` on the rates of the chart.
  static void effort(const J& joint, const double* q, const double* force, double* effort) {
    if constexpr (plain && Motion::plain_coordinates) {
      std::copy_n(force, J::nu, effort);
    } else {
      std::array<double, Motion::nu> unit{}, rates{};
      for (std::size_t i = 0; i < Motion::nu; ++i) {
        unit = {}, unit[i] = 1;
        rate(joint, q, unit.data(), rates.data());
        effort[i] = std::inner_product(rates.begin(), rates.end(), force, 0.0);
      }
    }
  }

 private:
  /// N u = qdot and N udot = qddot - Ndot u, with q, qdot and qddot from the chart as it moves.
  static void derived_motion(const J& joint, const TimeFunction::Sample* chart, double* u, double* udot) {
    using Rate = Dual<double, 1>;
    std::array<Dual<Rate, 1>, Motion::nu> moving;
    for (std::size_t i = 0; i < Motion::nu; ++i) {
      moving[i].value.value = chart[i].value, moving[i].value.d[0] = chart[i].rate;
      moving[i].d[0].value = chart[i].rate, moving[i].d[0].d[0] = chart[i].acceleration;
    }
    std::array<Dual<Rate, 1>, Motion::nq> coordinates;
    from(joint, static_cast<const Dual<Rate, 1>*>(moving.data()), coordinates.data());
    std::array<double, Motion::nq> q, qdot, rest, column;
    for (std::size_t i = 0; i < Motion::nq; ++i) q[i] = coordinates[i].value.value, qdot[i] = coordinates[i].d[0].value;

    std::array<double, Motion::nq * Motion::nu> N;
    for (std::size_t j = 0; j < Motion::nu; ++j) {
      std::array<double, Motion::nu> unit{};
      unit[j] = 1;
      Motion::coordinate_rate(joint, q.data(), unit.data(), column.data());
      for (std::size_t i = 0; i < Motion::nq; ++i) N[i * Motion::nu + j] = column[i];
    }
    solve_least_squares(N.data(), J::nq, J::nu, qdot.data(), u);
    const auto q_moving = Motion::in_motion(joint, q.data(), u);
    std::array<Rate, Motion::nu> u_held;
    std::copy_n(u, J::nu, u_held.begin());
    std::array<Rate, Motion::nq> qdot_moving;
    Motion::coordinate_rate(joint, q_moving.data(), u_held.data(), qdot_moving.data());
    for (std::size_t i = 0; i < Motion::nq; ++i) rest[i] = coordinates[i].d[0].d[0] - qdot_moving[i].d[0];
    solve_least_squares(N.data(), J::nq, J::nu, rest.data(), udot);
  }
};

}  // namespace arthron
