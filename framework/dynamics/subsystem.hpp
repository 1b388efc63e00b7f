#pragma once
#include "arthron/dynamics/observe.hpp"

/// Quantities of a subsystem with all it is made of, by its number (0 is the whole model; find_subsystem gives that of a path), and what
/// goes through its ports. From a Workspace as for observe.hpp. World axes.
namespace arthron {

struct MassCentre {
  double mass = 0;          // [kg]
  Vec3 position, velocity;  // not finite where there is no mass
};
[[nodiscard]] MassCentre mass_centre(const Plan& plan, const Workspace& work, int subsystem = 0);

/// Momentum [N s], and angular momentum about the mass centre [N m s].
[[nodiscard]] Spatial6 momentum(const Plan& plan, const Workspace& work, int subsystem = 0);

/// Where a mount or an output (by its index in the Model) is: of a mount the origin of its subsystem's frame, moving with what carries it.
[[nodiscard]] Vec3 port_position(const Plan& plan, const Workspace& work, int port);

/// Wrench that all that is attached through a port exerts on the port's body, at port_position (after evaluate_accelerations): of a mount,
/// what the subsystem does to its carrier; of an output, what others do to the subsystem. Newton's law of a subsystem is
///   d momentum/dt = weight + outputs - mounts + what needs no port (tyres and contacts on the road, forces given, joints to grounds).
[[nodiscard]] Spatial6 port_reaction(const Plan& plan, const Workspace& work, int port);

}  // namespace arthron
