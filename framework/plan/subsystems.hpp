#pragma once
#include <vector>

#include "arthron/spatial/vector3.hpp"

/// What subsystems are made of and where they are attached, for whoever looks at them by their paths.
namespace arthron {

/// A side of a joint, or a handle of a force, that is attached through a port.
struct PlanAttachment {
  int joint = -1;      // in the Model's order
  bool child = false;  // which side of it
  int handle = -1;     // of a force, in Plan::handles
};

/// A mount or an output: a point of a body, and all that is attached to the body through the port, at any depth.
struct PlanPort {
  int body = -1;  // body number; -1: a signal
  Vec3 p_B;       // of a mount the origin of its subsystem's frame, which moves with what carries it; of an output its place [m]
  std::vector<PlanAttachment> attachments;
};

/// What the plan makes of a subsystem; what it is made of is asked of the Model's graph.
struct PlanSubsystem {
  std::vector<int> bodies;     // numbers of its bodies, nested ones included, ascending
  std::vector<int> loops;      // closures that are its file's own: loops within it, or from mount to mount, that no nested one has
  std::vector<int> closes;     // closures that are complete in it: all their joints lie within it, and within no nested one
  std::vector<int> passes_on;  // closures that it has a part of, and that are complete in one around it
};
struct SubsystemPlan {
  std::vector<PlanSubsystem> subsystems;  // in the Model's order
  std::vector<PlanPort> ports;            // in the Model's order
};

}  // namespace arthron
