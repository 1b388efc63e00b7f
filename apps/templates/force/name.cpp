#include <array>
#include <arthron/component/plugin.hpp>

using namespace arthron;

/// To begin with: a spring that gets stiffer and a damper, between a point A of one body and a point B of another:
///   f = stiffness x + hardening x³ + damping dx/dt   [N], positive when pulling,   x = |p_AB| - free_length
struct NameForce {
  static constexpr std::string_view type = "vendor/name";                                     // its name in model files
  static constexpr std::array<OutputChannel, 2> channels{{{"force", "N"}, {"length", "m"}}};  // what measure() reports
  static constexpr bool frame_indifferent = true;  // it depends on no direction but those between its handles
  double stiffness, hardening, damping, free_length;

  /// Keys in model files, and the handles at which the force acts, in the order of asking.
  static NameForce parse(const JsonReader& in) {
    in.handle({"from", "", "body and point A"});
    in.handle({"to", "", "body and point B"});
    return {in.number({"stiffness", "N/m", "at the free length"}, Range::non_negative()),
            in.number_or({"hardening", "N/m^3", "of the cubic part"}, 0, Range::non_negative()),
            in.number_or({"damping", "N s/m", "of the rate of the length"}, 0, Range::non_negative()),
            in.number({"free_length", "m", "where the spring is relaxed"}, Range::positive())};
  }

  /// Wrench on the body of each handle, at the handle.
  void load(double /*t*/, const HandleState* h, Spatial6* wrench) const {
    const Vec3 span = h[1].position - h[0].position;
    const double length = norm(span);
    const Vec3 pull = length > 0 ? (tension(h) / length) * span : Vec3{};
    wrench[0] = {pull, {}};
    wrench[1] = {-pull, {}};
  }

  /// Potential energy [J].
  double energy(double /*t*/, const HandleState* h) const {
    const double x = norm(h[1].position - h[0].position) - free_length;
    return stiffness * x * x / 2 + hardening * x * x * x * x / 4;
  }
  /// True when the load is the gradient of that energy alone.
  bool conservative() const { return damping == 0; }

  void measure(double /*t*/, const HandleState* h, double* values) const {
    values[0] = tension(h);
    values[1] = norm(h[1].position - h[0].position);
  }

 private:
  double tension(const HandleState* h) const {
    const Vec3 span = h[1].position - h[0].position;
    const double length = norm(span), x = length - free_length;
    const double rate = length > 0 ? dot(span, h[1].velocity.linear - h[0].velocity.linear) / length : 0;
    return stiffness * x + hardening * x * x * x + damping * rate;
  }
};

ARTHRON_PLUGIN(registry) { registry.add_force<NameForce>(); }
