#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "arthron/analysis/statics.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"
#include "arthron/suspension/wheel_load.hpp"

namespace arthron {

/// What the rig holds: heights of both wheel centres above the drawn position, and travel of the steering rack to the left. [m]
struct RigInput {
  double left = 0, right = 0, rack = 0;
};
inline constexpr int rig_inputs = 3;  // in the order above

/// A spring as one wheel feels it.
struct SpringSight {
  double length = 0;                      // [m]; of a sprung slide, its coordinate or the opposite: shorter as the drawn wheel rises
  std::array<double, rig_inputs> rate{};  // of the length, per unit of each input [1]
};

/// What the rig sees of one wheel, world axes (x forward, y left, z up).
struct WheelSight {
  int side = 1;                              // +1 left, -1 right
  Vec3 centre, axis;                         // wheel centre [m]; unit spin axis, outboard
  std::array<Spatial6, rig_inputs> twist{};  // of the upright at the wheel centre, per unit of each input
  double force = 0;                          // vertical force at the wheel centre that balances springs, stops and bushings [N], upward
  std::vector<SpringSight> springs;          // in the order of SuspensionRig::springs()
};

/// A suspension file on a rig: its mounts stand still, except for `rack`, which slides along y; each wheel centre is held at a height by a
/// post that touches it in a horizontal plane. A file with one output `hub` (wheel centre, spin axis) is a corner, drawn in the axes of the
/// vehicle with y = 0 in its middle, and stands there together with its mirror image; one with two such outputs is an axle.
/// A hub that turns in its bearing is held by its brake. Where joints determine the wheels, positions are those of the joints alone and
/// loads bend nothing. Where bushings or sprung joints hold them, every position is one of rest under springs, stops, bars, bushings, the
/// forces that hold the heights (vertical, at the wheel centres) and the loads given; weights are left out. So is what touches the road,
/// tyres and contacts: the posts hold the wheels, and the rig's road is out of reach.
class SuspensionRig {
 public:
  /// Throws ModelError for a file that cannot be put on the rig, or whose wheels neither joints nor bushings hold.
  SuspensionRig(const std::string& file, const Registry& registry, const std::vector<ParameterOverride>& overrides = {});

  /// Back to the drawn heights, without loads.
  void reset();
  /// Closes the loops at other inputs, and finds rest there, following the motion from the present position in as many steps as it takes.
  /// False, and nothing moved, where the loops open or a rest that is stable ends on the way.
  [[nodiscard]] bool move_to(const RigInput& input);
  /// The same at the present inputs with loads on the wheels.
  [[nodiscard]] bool load_with(const AxleLoad& load, double wheel_radius);
  /// Throws ModelError: the way back to a position that was found before does not lead there.
  [[noreturn]] void refuse_lost_position() const;
  /// Left and right wheel at the present position.
  [[nodiscard]] std::array<WheelSight, 2> observe();
  /// Twists of both uprights at the wheel centres per unit of a load that grows from the present one; zero where joints hold the wheels.
  [[nodiscard]] std::array<Spatial6, 2> response(const AxleLoad& growth, double wheel_radius);

  /// Whether loads move the wheels.
  [[nodiscard]] bool compliant() const { return compliant_; }
  /// Whether the rack turns the wheels.
  [[nodiscard]] bool steers() const { return steers_; }
  /// Names of the springs of a side (0 left, 1 right): `spring_damper` forces and sprung slides.
  [[nodiscard]] std::vector<std::string> springs(int side) const;
  /// Freedoms that the inputs leave open; they move no wheel (a tie rod may turn about itself).
  [[nodiscard]] int idle_freedoms() const { return idle_freedoms_; }
  /// Names of the forces that touch the road, and therefore do nothing here.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }
  [[nodiscard]] const Model& model() const { return *model_; }

 private:
  struct Spring {
    std::string name;
    int force = -1, joint = -1;  // one of them, by its index in the Model
    double sign = 1;             // of the length
  };
  struct Wheel {
    int post = 0, marker = 0;  // body, marker
    Vec3 axis;                 // as drawn
    std::vector<Spring> springs;
  };

  void find_parts();
  void add_loads();
  void find_springs();
  void find_signs_of_slides();
  void find_left_out();
  [[nodiscard]] bool joints_hold_wheels();
  void require_bushings_hold_wheels();
  void set(const RigInput& value, const RigInput& rate);
  bool settle();
  [[nodiscard]] bool close();
  [[nodiscard]] bool follow_rest(const RigInput& input, const AxleLoad& load, double wheel_radius);
  [[nodiscard]] bool next_rest(double t, double span, bool near);
  void set_loads(const AxleLoad& value, const AxleLoad& rate, double wheel_radius);
  void follow(const RigInput& rate, double interval);
  void solve(const RigInput& rate, const std::vector<double>& momenta);
  [[nodiscard]] double virtual_power(const std::vector<Spatial6>& wrenches, const std::vector<double>& efforts) const;
  void look_at_springs(int input, std::array<WheelSight, 2>& sight) const;

  std::shared_ptr<Model> model_;  // the Plan reads the motions of its grounds at every evaluation: so the rig moves them
  std::string file_;
  bool corner_ = true;
  std::array<Wheel, 2> wheels_;
  std::array<std::shared_ptr<RigLoad>, 2> loads_;
  int rack_ = 0;
  bool steers_ = false, compliant_ = false;
  int idle_freedoms_ = 0;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Workspace> work_;
  std::unique_ptr<Statics> statics_;
  std::vector<std::string> left_out_;
  RigInput input_;
  std::vector<double> q_, drawn_, at_rest_;
};

}  // namespace arthron
