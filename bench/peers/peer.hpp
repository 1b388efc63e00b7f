#pragma once
#include <memory>
#include <string>

#include "mechanism.hpp"

namespace arthron::peers {

/// An engine that computes what ours does: forward dynamics of a mechanism at given states.
class Peer {
 public:
  Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  virtual ~Peer() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  /// How far its accelerations of a tree may be from ours, in units of the largest.
  [[nodiscard]] virtual double accuracy(std::size_t) const { return 1e-9; }
  /// Its loops are springs rather than constraints: accelerations agree at rest only, and only nearly.
  [[nodiscard]] virtual bool soft_loops() const = 0;
  /// Keeps a state in the engine's own coordinates for evaluate; its number is how many were added before.
  virtual void add(const Motion& motion) = 0;
  /// One evaluation: goes to a state and finds its accelerations. This is what is timed.
  virtual void evaluate(std::size_t state) = 0;
  /// Accelerations of the links' frames at the last evaluation, world axes.
  [[nodiscard]] virtual std::vector<Acceleration> accelerations() = 0;
};

/// mj_forward; contacts, limits, passive forces, actuators and sensors are switched off, and with them in a tree all constraints.
/// A loop is closed by two balls on its hinge's axis, or when told so by one, which holds the axis only where something else does.
[[nodiscard]] std::unique_ptr<Peer> make_mujoco(const Mechanism& mechanism, bool one_ball = false);
/// realize(Stage::Acceleration).
[[nodiscard]] std::unique_ptr<Peer> make_simbody(const Mechanism& mechanism);

}  // namespace arthron::peers
