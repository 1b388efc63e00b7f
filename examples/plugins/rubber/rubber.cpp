#include <array>
#include <arthron/component/plugin.hpp>

using namespace arthron;

/// Rubber bushing between a point A of one body and a point B of another: hardening, and with a memory.
///   f = (stiffness + hardening |d|²) d + g  [N], pulls B back to A;    d = p_AB in the axes of A's body
///   g' = relaxing d' - g / time                                      a spring in series with a damper: stiffer the faster it is moved
/// g is an internal state of the force. Turns are free.
struct RubberForce {
  static constexpr std::string_view type = "acme/rubber";
  static constexpr std::array<OutputChannel, 1> channels{{{"deflection", "m"}}};
  static constexpr std::array<OutputChannel, 3> states{{{"memory_x", "N"}, {"memory_y", "N"}, {"memory_z", "N"}}};
  double stiffness, hardening, relaxing, time;

  static RubberForce parse(const JsonReader& in) {
    in.handle({"from", "", "body and point A"});
    in.handle({"to", "", "body and point B"});
    return {in.number({"stiffness", "N/m", "for slow motions"}, Range::positive()),
            in.number_or({"hardening", "N/m^3", "of the cubic part"}, 0, Range::non_negative()),
            in.number_or({"relaxing", "N/m", "stiffness that fast motions meet besides"}, 0, Range::non_negative()),
            in.number_or({"time", "s", "in which that fades"}, 0.1, Range::positive())};
  }
  void load(const Instant&, const HandleState* h, const double* x, Spatial6* wrench) const {
    const Vec3 d = span(h);
    const Vec3 f = h[0].rotation * ((stiffness + hardening * dot(d, d)) * d + Vec3{x[0], x[1], x[2]});
    // The pull on B acts on A's body too, at B: the moment of a force that moved off its point.
    wrench[1] = {-f, {}};
    wrench[0] = {f, cross(h[1].position - h[0].position, f)};
  }
  void state_rates(const Instant&, const HandleState* h, const double* x, double* xdot) const {
    const Vec3 relative = h[1].velocity.linear - h[0].velocity.linear - cross(h[0].velocity.angular, h[1].position - h[0].position);
    const Vec3 rate = transposed_times(h[0].rotation, relative);
    xdot[0] = relaxing * rate.x - x[0] / time, xdot[1] = relaxing * rate.y - x[1] / time, xdot[2] = relaxing * rate.z - x[2] / time;
  }
  void state_sizes(double* size) const { std::fill_n(size, 3, std::max(relaxing, 1.0) * 0.01); }
  double energy(const Instant&, const HandleState* h, const double* x) const {
    const double square = dot(span(h), span(h)), memory = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    return stiffness * square / 2 + hardening * square * square / 4 + (relaxing > 0 ? memory / (2 * relaxing) : 0);
  }
  void measure(const Instant&, const HandleState* h, const double*, double* values) const { values[0] = norm(span(h)); }

 private:
  static Vec3 span(const HandleState* h) { return transposed_times(h[0].rotation, h[1].position - h[0].position); }
};

ARTHRON_PLUGIN(registry) { registry.add_force<RubberForce>(); }
