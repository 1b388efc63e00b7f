#pragma once

namespace arthron {

/// Outcome of a numerical step: `element` is the element at fault, or -1. Of a model these are its joints, and behind them its forces, in
/// the Model's order.
/// The hot path returns this and never throws; whoever knows the names turns it into words.
struct [[nodiscard]] Status {
  enum class Code {
    ok,
    singular_joint,
    not_finite,
    step_too_small,
    too_many_steps,
    interrupted,
    not_closed,
    contradictory_drives,
    not_balanced,
    not_determined,
    component_failed,  // author code threw
    freedom_lost,      // columns of a joint depend on one another
    came_open,         // a loop is open by more than the tolerance of the run
    energy_off         // the energy has changed by more than the tolerance of the run explains
  };
  Code code = Code::ok;
  int element = -1;
  [[nodiscard]] bool ok() const { return code == Code::ok; }
};

}  // namespace arthron
