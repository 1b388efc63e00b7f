#pragma once
#include "arthron/core/slice.hpp"

namespace arthron {

/// What belongs to a subsystem besides bodies and joints, nested subsystems included: places in the Model's lists.
struct SubsystemMembers {
  Slice subsystems;  // the first is the subsystem itself; they are numbered depth first
  Slice couplings, forces, markers, ports, parameters;
};

}  // namespace arthron
