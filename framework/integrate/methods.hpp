#pragma once
#include <boost/numeric/odeint/stepper/explicit_error_generic_rk.hpp>
#include <boost/numeric/odeint/stepper/explicit_generic_rk.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <functional>
#include <vector>

#include "arthron/integrate/checked_rhs.hpp"
#include "arthron/integrate/prince_dormand.hpp"

/// Boost.Odeint's explicit Runge-Kutta steppers in one shape: trial() goes from (y, f) over h to y_new with an error estimate where the
/// method has one, and to f_new where the method's last stage is the next step's first. On plain numbers, or on lanes.
namespace arthron::runge_kutta {

namespace odeint = boost::numeric::odeint;
template <class Number>
using VectorOf = std::vector<Number>;
using Vector = VectorOf<double>;

/// The right-hand side in Odeint's signature; remembers where the last stage was written.
struct Stages {
  CheckedRhs& rhs;
  const Vector* last = nullptr;
  void operator()(const Vector& y, Vector& dydt, double t) {
    rhs.evaluate(t, y.data(), dydt.data());
    last = &dydt;
  }
};

/// One step as a method sees it.
template <class Number>
struct TrialOf {
  double t, h;
  const VectorOf<Number>& y;
  const VectorOf<Number>& f;
  VectorOf<Number>& y_new;
  VectorOf<Number>& f_new;
  VectorOf<Number>& error;
};
using Trial = TrialOf<double>;

/// Explicit midpoint rule: the two-stage method of order 2 with the smaller error on oscillations.
template <class Number>
struct MidpointOf {
  static constexpr int order = 2, error_order = 0;
  static constexpr bool adaptive = false, first_same_as_last = false, interpolates = true;
  odeint::explicit_generic_rk<2, 2, VectorOf<Number>> stepper{boost::fusion::make_vector(boost::array<double, 1>{{0.5}}),
                                                              boost::array<double, 2>{{0.0, 1.0}}, boost::array<double, 2>{{0.0, 0.5}}};
  template <class Rhs>
  void trial(Rhs& rhs, const TrialOf<Number>& s) {
    stepper.do_step(std::ref(rhs), s.y, s.f, s.t, s.y_new, s.h);
  }
};

/// The classical method of order 4.
template <class Number>
struct Classic4Of {
  static constexpr int order = 4, error_order = 0;
  static constexpr bool adaptive = false, first_same_as_last = false, interpolates = true;
  odeint::runge_kutta4<VectorOf<Number>> stepper;
  template <class Rhs>
  void trial(Rhs& rhs, const TrialOf<Number>& s) {
    stepper.do_step(std::ref(rhs), s.y, s.f, s.t, s.y_new, s.h);
  }
};

/// Bogacki and Shampine (1989), order 3 with an embedded 2: the fourth stage is the derivative at the end.
template <class Number>
struct BogackiShampineOf {
  static constexpr int order = 3, error_order = 2;
  static constexpr bool adaptive = true, first_same_as_last = true, interpolates = true;
  odeint::explicit_error_generic_rk<4, 3, 3, 2, VectorOf<Number>> stepper{
      boost::fusion::make_vector(boost::array<double, 1>{{1.0 / 2}}, boost::array<double, 2>{{0.0, 3.0 / 4}},
                                 boost::array<double, 3>{{2.0 / 9, 1.0 / 3, 4.0 / 9}}),
      boost::array<double, 4>{{2.0 / 9, 1.0 / 3, 4.0 / 9, 0.0}},
      // weights of order 3 minus weights of order 2 (7/24, 1/4, 1/3, 1/8)
      boost::array<double, 4>{{-5.0 / 72, 1.0 / 12, 1.0 / 9, -1.0 / 8}}, boost::array<double, 4>{{0.0, 1.0 / 2, 3.0 / 4, 1.0}}};
  template <class Rhs>
  void trial(Rhs& rhs, const TrialOf<Number>& s) {
    stepper.do_step(std::ref(rhs), s.y, s.f, s.t, s.y_new, s.h, s.error);
    std::copy(rhs.last->begin(), rhs.last->end(), s.f_new.begin());
  }
};

/// Dormand and Prince (1980), order 5 with an embedded 4 and an interpolant of order 4.
template <class Number>
struct DormandPrinceOf {
  static constexpr int order = 5, error_order = 4;
  static constexpr bool adaptive = true, first_same_as_last = true, interpolates = true;
  odeint::runge_kutta_dopri5<VectorOf<Number>> stepper;
  template <class Rhs>
  void trial(Rhs& rhs, const TrialOf<Number>& s) {
    stepper.do_step(std::ref(rhs), s.y, s.f, s.t, s.y_new, s.f_new, s.h, s.error);
  }
};

/// Prince and Dormand (1981), order 8 with an embedded 7; its long steps outrun a cubic interpolant. The error of Fehlberg's pair of these
/// orders is found from stages at equal times alone: it vanishes where rates depend on time, and is small where they hardly depend on what
/// they change, as velocities do not on accelerations.
template <class Number>
struct DormandPrince8Of {
  static constexpr int order = 8, error_order = 7;
  static constexpr bool adaptive = true, first_same_as_last = false, interpolates = false;
  odeint::explicit_error_generic_rk<13, 8, 8, 7, VectorOf<Number>> stepper{prince_dormand::stages(), prince_dormand::weights,
                                                                           prince_dormand::difference(), prince_dormand::nodes};
  template <class Rhs>
  void trial(Rhs& rhs, const TrialOf<Number>& s) {
    stepper.do_step(std::ref(rhs), s.y, s.f, s.t, s.y_new, s.h, s.error);
  }
};

using Midpoint = MidpointOf<double>;
using Classic4 = Classic4Of<double>;
using BogackiShampine = BogackiShampineOf<double>;
using DormandPrince = DormandPrinceOf<double>;
using DormandPrince8 = DormandPrince8Of<double>;

}  // namespace arthron::runge_kutta
