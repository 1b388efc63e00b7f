#pragma once
#include <cmath>
#include <vector>

#include "arthron/integrate/integrator.hpp"

/// Small problems with known solutions.
namespace arthron::test {

/// y0' = y0 cos t, y1' = -2 t y1^2 from (1, 1): y0 = exp(sin t), y1 = 1 / (1 + t^2). Smooth, nonlinear, time-dependent.
struct Smooth : Ode {
  int calls = 0;
  int size() const override { return 2; }
  Status rhs(double t, const double* y, double* dydt) override {
    ++calls;
    dydt[0] = y[0] * std::cos(t);
    dydt[1] = -2 * t * y[1] * y[1];
    return {};
  }
  static std::vector<double> at(double t) { return {std::exp(std::sin(t)), 1 / (1 + t * t)}; }
};

inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d = std::fmax(d, std::abs(a[i] - b[i]));
  return d;
}

inline IntegratorSettings with_tolerance(const std::string& type, double tolerance) { return {type, tolerance, tolerance, 1e-3}; }
inline IntegratorSettings with_step(const std::string& type, double step) { return {type, 1e-6, 1e-6, step}; }

inline Status walk(Integrator& integrator, double t_end) {
  Status status;
  while (status.ok() && integrator.time() < t_end) status = integrator.step(t_end);
  return status;
}

inline std::vector<std::string> adaptive_methods() {
  std::vector<std::string> names;
  for (const IntegratorType& type : integrator_types()) {
    if (!type.fixed_step) names.emplace_back(type.name);
  }
  return names;
}

}  // namespace arthron::test
