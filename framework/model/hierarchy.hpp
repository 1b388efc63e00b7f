#pragma once
#include <string>
#include <vector>

#include "arthron/model/model.hpp"
#include "arthron/topology/subsystem_members.hpp"

/// Subsystems of a Model: what lies within them, what crosses their ports, and each as a model of its own.
namespace arthron {

/// Couplings, forces, markers, ports and parameters of `subsystem`, nested ones included.
[[nodiscard]] const SubsystemMembers& members_of(const Model& model, int subsystem);
/// Its bodies and joints, nested ones included, and the subsystems right within it; ascending.
[[nodiscard]] std::vector<int> bodies_of(const Model& model, int subsystem);
[[nodiscard]] std::vector<int> joints_of(const Model& model, int subsystem);
[[nodiscard]] std::vector<int> children_of(const Model& model, int subsystem);
/// Whether `inner` is `subsystem` or one nested in it.
[[nodiscard]] inline bool lies_within(const Model& model, int inner, int subsystem) {
  return members_of(model, subsystem).subsystems.holds(inner);
}

/// "wheel" of "car.front.wheel".
[[nodiscard]] inline std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// Ports between a file that names `port` and the body it means, in the order in which they are crossed; none for -1.
[[nodiscard]] std::vector<int> crossed_ports(const Model& model, int port);

/// The mount of `subsystem` by which something within it that is named by `port` leaves it; -1 when it does not.
[[nodiscard]] int mount_crossed(const Model& model, int port, int subsystem);

/// Whether an end of a joint or force that lies within `subsystem` is moved by nothing within: grounds, and what it is mounted on.
[[nodiscard]] bool stands_still(const Model& model, int subsystem, BodyIndex body, int port);

/// Moving bodies of `subsystem` that no joints within it tie to a ground or a mount: the first of each group that hangs together.
[[nodiscard]] std::vector<int> floating_bodies(const Model& model, int subsystem);

/// A subsystem as a model of its own, where it is drawn in the whole: its mounts are grounds that stand still, and so are its floating
/// bodies. Paths are those of its file. Signals stay connected.
struct Alone {
  Model model;
  std::vector<int> body;    // of the whole, per body of `model`; of a mount's ground what carries it
  std::vector<int> joint;   // the same of joints
  std::vector<int> mounts;  // per mount of the subsystem, in the order of its ports: its ground in `model`
  std::vector<int> floats;  // bodies of `model` that float
};
[[nodiscard]] Alone alone(const Model& whole, int subsystem);

/// The same model moved, turned or mirrored as a whole.
[[nodiscard]] BodyVelocity placed(BodyVelocity velocity, const Placement& placement);
[[nodiscard]] Model placed(Model model, const Placement& placement);

}  // namespace arthron
