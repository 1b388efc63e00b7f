#pragma once
#include <string>

#include "arthron/dynamics/observe.hpp"
#include "arthron/integrate/integrator.hpp"

namespace arthron {

/// Whether a motion is still one of the model: loops closed, and energy kept, as far as the tolerance of the run says.
///
/// **Loops.** Projection leaves an opening of rounding, or of `loops.tolerance`; where it does not succeed, the error of a step remains. So
/// no loop may be open by more than ten errors of a step, d = atol max(1, L) + rtol L, L the size of the model. Without projection all
/// errors remain, and under acceleration-based formulations errors of velocities add to them as time passes: N d max(1, t) in N steps.
///
/// **Energy**, where nothing in the model adds any. An error of a step within the tolerance changes it by at most
///   e = 2 T rtol + atol sum |p| + F (atol + rtol max |q|) max(1, L),      T kinetic energy, F sum of the loads,
/// since dE/du = p and dE/dq is a load. Exact motion conserves energy from wherever an error has put it, so that N steps explain N e. Up to
/// a tenth of T is let pass where that is less than 10 N e, and more than a half of T never passes, but for 100 e.
///
/// Fixed steps have no tolerance: a loop may be open by 1e-6 L, without projection 1e-2 L. The energy may be off by a tenth of the largest
/// T: velocities have no right digit when they are off by more than 5 %, half a unit of their first one. Of what is at rest T is rounding:
/// the N e of a tolerance of rounding add to that.
class Verdict {
 public:
  explicit Verdict(const Plan& plan);

  /// Judges from the next observation on.
  void begin() { begun_ = false; }
  /// After an evaluation of all that observe.hpp reads: came_open with a joint, energy_off, or ok.
  [[nodiscard]] Status judge(const Workspace& work, const IntegratorStatistics& statistics);
  /// What the last one says, and since when; "" for ok.
  [[nodiscard]] const std::string& words() const { return words_; }

 private:
  [[nodiscard]] Status judge_loops(const Workspace& work, double steps);
  [[nodiscard]] Status judge_energy(const Workspace& work, double steps);
  void measure(const Workspace& work);
  /// What a step within the tolerance may change the energy by; with fixed steps, what rounding may.
  [[nodiscard]] double energy_of_step(const Workspace& work, double kinetic) const;

  const Plan& plan_;
  const SimulationSettings& settings_;
  bool fixed_step_, conservative_, passive_;
  bool begun_ = false;
  std::int64_t steps_before_ = 0;
  double start_ = 0;                    // energy of the first observation [J]
  double kinetic_ = 0, potential_ = 0;  // largest sizes since [J]
  double of_step_ = 0;                  // largest energy_of_step since [J]
  double size_ = 0;                     // of the model now [m]
  double far_ = 0;                      // from the origin, and of coupled coordinates [m]
  double sound_until_ = 0;              // last time that was judged well [s]
  std::string words_;
};

}  // namespace arthron
