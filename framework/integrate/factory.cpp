#include <algorithm>

#include "arthron/integrate/cvode.hpp"
#include "arthron/integrate/gauss.hpp"
#include "arthron/integrate/integrator.hpp"
#include "arthron/integrate/runge_kutta.hpp"

namespace arthron {
namespace {

using Maker = std::unique_ptr<Integrator> (*)(const IntegratorSettings&, const IntegratorLimits&, Ode&);

template <class Method>
std::unique_ptr<Integrator> make_walker(const IntegratorSettings& settings, const IntegratorLimits& limits, Ode& ode) {
  return std::make_unique<runge_kutta::Walker<Method>>(settings, limits, ode);
}

struct Entry {
  IntegratorType type;
  Maker make;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = {
      {{"dopri5", "adaptive Dormand-Prince 5(4), the default", false}, make_walker<runge_kutta::DormandPrince>},
      {{"bs32", "adaptive Bogacki-Shampine 3(2), for loose tolerances", false}, make_walker<runge_kutta::BogackiShampine>},
      {{"dopri8", "adaptive Dormand-Prince 8(7), for tight tolerances", false}, make_walker<runge_kutta::DormandPrince8>},
      {{"rkf78", "the same as dopri8, by its former name", false}, make_walker<runge_kutta::DormandPrince8>},
      {{"rk4", "fixed step, classical Runge-Kutta of order 4", true}, make_walker<runge_kutta::Classic4>},
      {{"rk2", "fixed step, explicit midpoint rule of order 2", true}, make_walker<runge_kutta::Midpoint>},
      {{"implicit_midpoint", "fixed step, symplectic of order 2: energy stays bounded", true}, make_walker<runge_kutta::Gauss<1>>},
      {{"gauss4", "fixed step, symplectic of order 4 (Gauss, two stages): energy stays bounded", true}, make_walker<runge_kutta::Gauss<2>>},
#ifdef ARTHRON_HAS_SUNDIALS
      {{"adams", "variable-order Adams (CVODE), for smooth motion that is costly to evaluate", false}, make_adams},
      {{"bdf", "variable-order BDF (CVODE), for stiff models", false}, make_bdf},
#endif
  };
  return list;
}

}  // namespace

const std::vector<IntegratorType>& integrator_types() {
  static const std::vector<IntegratorType> types = [] {
    std::vector<IntegratorType> list;
    for (const Entry& entry : entries()) list.push_back(entry.type);
    return list;
  }();
  return types;
}

std::optional<Diagnostic> check_integrator_type(const std::string& name) {
  std::vector<std::string> names;
  std::string expected = "one of";
  for (const IntegratorType& type : integrator_types()) {
    if (type.name == name) return {};
    names.emplace_back(type.name);
    expected += (names.size() == 1 ? " " : ", ") + names.back();
  }
  if (name == "adams" || name == "bdf") expected += "; this build has no SUNDIALS, which gives adams and bdf";
  return Diagnostic{"", 0, "/simulate/integrator/type", '"' + name + '"', expected, nearest_name(name, names)};
}

std::unique_ptr<Integrator> make_integrator(const IntegratorSettings& settings, const IntegratorLimits& limits, Ode& ode) {
  if (const auto mistake = check_integrator_type(settings.type)) throw ModelError({*mistake});
  const auto named = [&settings](const Entry& entry) { return entry.type.name == settings.type; };
  return std::find_if(entries().begin(), entries().end(), named)->make(settings, limits, ode);
}

}  // namespace arthron
