#pragma once
#include <algorithm>
#include <cmath>

/// Laws of one-sided contact and of dry friction that joints and forces share.
namespace arthron {

/// Hunt and Crossley's damping of a one-sided spring: the push `elastic` of a contact pressed in at the rate d', times (1 + damping d'),
/// but never a pull. Continuous at touching, and the damping never gives energy.
inline double damped_contact(double elastic, double damping, double rate) { return elastic * std::max(0.0, 1 + damping * rate); }

/// Share of the friction limit that acts against the velocity v: tanh(v / speed), nearly 1 from 3 `speed` on. Below it dry friction
/// is replaced by a viscous creep, so that the law is smooth.
inline double friction_share(double v, double speed) { return std::tanh(v / speed); }

}  // namespace arthron
