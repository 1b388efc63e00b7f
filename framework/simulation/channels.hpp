#pragma once
#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "arthron/dynamics/observe.hpp"

/// Named results: "<element>.<quantity>" and, one by one, "<element>.<quantity>.<component>".
///   bodies   position, orientation (quaternion w, x, y, z of continuous sign), velocity, angular_velocity, acceleration,
///   angular_acceleration joints   position, velocity, momentum, acceleration, effort per freedom; reaction (force, moment on the child)
///   cut joints also   multipliers (wrench of the closure on the child), opening and opening_rate (displacement, rotation)
///   markers  position, velocity          forces  what their type measures, and their internal states
///   energy   kinetic, potential, total
///   subsystems, and the whole model   energy, momentum (linear, angular about the mass centre), mass_centre (position, velocity)
///   mounts and outputs   reaction (force, moment on the body they stand for)      signal outputs of ports: the channel they name
/// An element alone stands for what one wants first: pose and velocity of a body, position and velocity of joints and markers, all of a
/// force and of energy. '*' matches any characters. World axes, SI units.
namespace arthron {

/// A channel as asked for, with the place that asks.
struct ChannelRequest {
  std::string path;
  std::string file, pointer;  // for messages
};

struct ChannelColumn {
  std::string name, unit;
};

/// What one quantity of one element offers.
struct Quantity {
  struct Component {
    std::string_view name, unit;  // name "" when it is the only one
  };
  enum class Kind { joint, body, marker, force, energy, sensor, subsystem };
  using Reader = void (*)(const Plan&, const Workspace&, int index, double* values);

  Kind kind;
  std::string_view element;  // path of the model's element
  std::string_view name;     // "" when the components are quantities of their own, as a force's are
  std::vector<Component> components;
  Reader read;
  int index;                   // of the element in its list
  bool by_default = true;      // part of what the element's bare name means
  bool accelerations = false;  // needs evaluate_accelerations
  bool quaternion = false;
  std::size_t before = 0, behind = 0;  // numbers that `read` writes around those of the components
  bool fed_back = false;               // may be: known as soon as positions and velocities are
  bool cut_joint = false;              // needs measure_cuts: a coordinate of a cut joint, or what is along one
  std::string_view word = "";          // patterns without this word do not mean it

  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string column(std::size_t component) const;
};

/// Elements whose quantities are asked for: large models have many more than anyone wants.
class WantedElements {
 public:
  /// All of them.
  WantedElements() = default;
  /// Those that a channel may belong to: its beginnings, up to a dot. They refer to the texts.
  explicit WantedElements(const std::vector<std::string_view>& channels);
  [[nodiscard]] bool contain(std::string_view element) const { return all_ || elements_.contains(element); }

 private:
  bool all_ = true;
  std::unordered_set<std::string_view> elements_;
};

/// Every quantity of what moves in the model, and of its sensors, as far as wanted. The names live as long as the model. Throws ModelError
/// as add_sensors.
[[nodiscard]] std::vector<Quantity> all_quantities(const Plan& plan, const WantedElements& wanted = {});

/// Appends those of bodies, joints, markers, forces and the energy.
void add_elements(const Plan& plan, const WantedElements& wanted, std::vector<Quantity>& quantities);

/// Appends those of the subsystems, of the model as a whole, and of mounts and outputs.
void add_subsystems(const Plan& plan, const WantedElements& wanted, std::vector<Quantity>& quantities);

/// Appends what the signal outputs of the model's ports name. Throws ModelError for those that name nothing.
void add_sensors(const Plan& plan, const WantedElements& wanted, std::vector<Quantity>& quantities);

/// Connects the Plan's measurements to the signal outputs they name. Throws ModelError for those that cannot be fed back.
void connect_sensors(Plan& plan);

/// Chosen columns of one simulation.
class ChannelSet {
 public:
  /// Throws ModelError with every request that names nothing. No request at all chooses by default: position and velocity of all joints
  /// (of the first ten bodies instead when there are more than sixty freedoms), of all markers, and the energies.
  ChannelSet(const Plan& plan, const std::vector<ChannelRequest>& requests);

  [[nodiscard]] const std::vector<ChannelColumn>& columns() const { return columns_; }
  [[nodiscard]] bool needs_accelerations() const { return needs_accelerations_; }
  [[nodiscard]] bool needs_cut_joints() const { return needs_cut_joints_; }
  /// Writes one number a column, from a workspace after Simulation::observe.
  void read(const Plan& plan, const Workspace& work, std::span<double> row);

  /// Quaternions by their channels, of the last row read: the next row stays on the same side.
  using Orientations = std::map<std::string, std::array<double, 4>>;
  [[nodiscard]] Orientations orientations() const;
  void follow(const Orientations& orientations);

 private:
  struct Selection {
    Quantity quantity;
    std::vector<std::size_t> components;
    std::array<double, 4> last_quaternion{};
  };
  void choose_by_default(const Plan& plan, const std::vector<Quantity>& quantities);
  void choose(const Quantity& quantity, const std::vector<std::size_t>& components);

  std::vector<Selection> selections_;
  std::vector<ChannelColumn> columns_;
  std::set<std::string> names_;  // of the columns
  std::vector<double> values_;
  bool needs_accelerations_ = false, needs_cut_joints_ = false;
};

/// What one path names, as Simulation::channel looks it up: read it after Simulation::observe as often as wanted.
class Channel {
 public:
  Channel(const Plan& plan, const Workspace& work, const std::string& path)
      : plan_(&plan), work_(&work), channels_(plan, {{path, "", "channel"}}), row_(channels_.columns().size()) {}

  [[nodiscard]] const std::vector<ChannelColumn>& columns() const { return channels_.columns(); }
  [[nodiscard]] bool needs_accelerations() const { return channels_.needs_accelerations(); }
  [[nodiscard]] bool needs_cut_joints() const { return channels_.needs_cut_joints(); }
  /// One number a column.
  [[nodiscard]] std::span<const double> values() {
    channels_.read(*plan_, *work_, row_);
    return row_;
  }
  [[nodiscard]] double value(std::size_t column = 0) { return values()[column]; }

 private:
  const Plan* plan_;
  const Workspace* work_;
  ChannelSet channels_;
  std::vector<double> row_;
};

}  // namespace arthron
