#pragma once
#include <limits>

#include "arthron/component/force_batch.hpp"
#include "arthron/components/builtins.hpp"

/// Forces with internal states, as an author would write them.
namespace arthron::test {

/// A spring and a damper, one behind the other, along the line between points A and B.
///   f = k e,   de/dt = d|p_AB|/dt - f / c,   dissipated power f^2 / c
struct Maxwell {
  static constexpr std::string_view type = "maxwell";
  static constexpr std::array<OutputChannel, 2> states{{{"extension", "m"}, {"dissipated", "J"}}};
  static constexpr std::array<OutputChannel, 1> channels{{{"force", "N"}}};
  double stiffness, damping, extension;  // [N/m], [N s/m], at the start [m]

  static Maxwell parse(const JsonReader& in) {
    in.handle({"a"}), in.handle({"b"});
    return {in.number({"stiffness", "N/m"}, Range::positive()), in.number({"damping", "N s/m"}, Range::positive()),
            in.number_or({"extension", "m"}, 0)};
  }
  static Vec3 direction(const HandleState* h) { return normalized(h[1].position - h[0].position); }

  void initial_states(double* x) const { x[0] = extension, x[1] = 0; }
  void state_sizes(double* size) const { size[0] = 1e-3, size[1] = 1; }
  void state_rates(const Instant&, const HandleState* h, const double* x, double* xdot) const {
    const double pull = stiffness * x[0];
    xdot[0] = dot(direction(h), h[1].velocity.linear - h[0].velocity.linear) - pull / damping;
    xdot[1] = pull * pull / damping;
  }
  void load(const Instant&, const HandleState* h, const double* x, Spatial6* wrench) const {
    const Vec3 pull = stiffness * x[0] * direction(h);
    wrench[0] = {pull, {}}, wrench[1] = {-1.0 * pull, {}};
  }
  double energy(const Instant&, const HandleState*, const double* x) const { return stiffness * x[0] * x[0] / 2; }
  void measure(const Instant&, const HandleState*, const double* x, double* values) const { *values = stiffness * x[0]; }
};

/// A mass that swings along the line between points A and B, held by a spring to the length of the line. It takes and gives back energy.
///   f = k (|p_AB| - s),   m d2s/dt2 = f
struct Absorber {
  static constexpr std::string_view type = "absorber";
  static constexpr std::array<OutputChannel, 2> states{{{"place", "m"}, {"speed", "m/s"}}};
  double stiffness, mass;  // [N/m], [kg]

  static Absorber parse(const JsonReader& in) {
    in.handle({"a"}), in.handle({"b"});
    return {in.number({"stiffness", "N/m"}, Range::positive()), in.number({"mass", "kg"}, Range::positive())};
  }
  double pull(const HandleState* h, const double* x) const { return stiffness * (norm(h[1].position - h[0].position) - x[0]); }

  void initial_states(double* x) const { x[0] = 0.8, x[1] = 0.3; }
  void state_rates(const Instant&, const HandleState* h, const double* x, double* xdot) const {
    xdot[0] = x[1], xdot[1] = pull(h, x) / mass;
  }
  void load(const Instant&, const HandleState* h, const double* x, Spatial6* wrench) const {
    const Vec3 force = pull(h, x) * Maxwell::direction(h);
    wrench[0] = {force, {}}, wrench[1] = {-1.0 * force, {}};
  }
  double energy(const Instant&, const HandleState* h, const double* x) const {
    return pull(h, x) * pull(h, x) / (2 * stiffness) + mass * x[1] * x[1] / 2;
  }
  bool conservative() const { return true; }
};

/// Drag of any number of points in a stream that follows their mean velocity v late, per axis of the drawing.
///   f_i = -c (v_i - w / 2),   dw/dt = (v - w) / lag
struct Wake {
  static constexpr std::string_view type = "wake";
  static constexpr std::array<OutputChannel, 3> states{{{"x", "m/s"}, {"y", "m/s"}, {"z", "m/s"}}};
  std::size_t points;
  double drag, lag;  // [N s/m], [s]

  static Wake parse(const JsonReader& in) {
    return {in.handle_list({"points"}).size(), in.number({"drag", "N s/m"}, Range::positive()), in.number({"lag", "s"}, Range::positive())};
  }
  void state_rates(const Instant&, const HandleState* h, const double* x, double* xdot) const {
    Vec3 mean{};
    for (std::size_t i = 0; i < points; ++i) mean += (1.0 / static_cast<double>(points)) * h[i].velocity.linear;
    const Vec3 rate = (1 / lag) * (mean - Vec3{x[0], x[1], x[2]});
    xdot[0] = rate.x, xdot[1] = rate.y, xdot[2] = rate.z;
  }
  void load(const Instant&, const HandleState* h, const double* x, Spatial6* wrench) const {
    for (std::size_t i = 0; i < points; ++i) wrench[i] = {-drag * (h[i].velocity.linear - 0.5 * Vec3{x[0], x[1], x[2]}), {}};
  }
};

/// Fails when its time has come: in its load, or in the rate of its state.
struct Faulty {
  static constexpr std::string_view type = "faulty";
  static constexpr std::array<OutputChannel, 1> states{{{"fault", "1"}}};
  double until;  // [s]
  bool in_load, infinite;

  static Faulty parse(const JsonReader& in) {
    in.handle({"on"});
    const double until = in.number({"until", "s"});
    const bool in_load = in.choice({"where"}, {"load", "rate"}) == "load";
    return {until, in_load, in.choice({"kind"}, {"nan", "infinity"}) == "infinity"};
  }
  double fault(double t) const {
    if (t < until) return 0;
    return infinite ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  void state_rates(const Instant& now, const HandleState*, const double*, double* xdot) const { *xdot = in_load ? 0 : fault(now); }
  void load(const Instant& now, const HandleState*, const double*, Spatial6* wrench) const {
    *wrench = {{in_load ? fault(now) : 0, 0, 0}, {}};
  }
};

/// The built-in types, and those above that behave.
inline const Registry& state_types() {
  static const Registry registry = [] {
    Registry types = builtin_registry();
    types.add_force<Maxwell>(), types.add_force<Absorber>(), types.add_force<Wake>();
    return types;
  }();
  return registry;
}

}  // namespace arthron::test
