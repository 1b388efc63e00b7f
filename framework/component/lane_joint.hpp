#pragma once
#include "arthron/component/joint.hpp"
#include "arthron/spatial/per_lane.hpp"

namespace arthron {

/// All joints of one type in variants of one plan: JointBatch on lanes.
class LaneJointBatch {
 public:
  virtual ~LaneJointBatch() = default;
  /// The definitions of one joint, at the same place in all variants.
  virtual void add(const PerLane<const JointDefinition*>& definitions, const JointSlot& slot) = 0;
  virtual void constants(Pose<Lanes>* X, Spatial<Lanes>* H) const = 0;
  virtual void position(const Lanes* q, Pose<Lanes>* X, Spatial<Lanes>* H) const = 0;
  virtual void rate(const Lanes* q, const Lanes* u, Spatial<Lanes>* Hdot) const = 0;
  virtual void coordinate_rate(const Lanes* q, const Lanes* u, Lanes* qdot) const = 0;
  virtual void normalise(Lanes* q, int count) const = 0;
};

}  // namespace arthron
