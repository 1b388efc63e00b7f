#pragma once
#include "support/mechanisms/trial.hpp"

/// What must hold for every mechanism.
namespace arthron::test {

/// A number in all its digits.
inline std::string text(double value) { return nlohmann::ordered_json(value).dump(); }

// Laws, from the rows of one run.
void check_freedom(const Trial& trial, Report& report);
void check_balance(const Trial& trial, Report& report);
void check_work(const Trial& trial, Report& report);
void check_energy(const Trial& trial, Report& report);
void check_momentum(const Trial& trial, Report& report);
void check_closure(const Trial& trial, Report& report);
void check_tolerance(const Trial& trial, Report& report);

// The same motion, computed or written in another way.
void check_cut(const Trial& trial, Report& report);
void check_redundant(const Trial& trial, Report& report);
void check_root(const Trial& trial, Report& report);
void check_order(const Trial& trial, Report& report);
void check_units(const Trial& trial, Report& report);
void check_place(const Trial& trial, Report& report);
void check_mirror(const Trial& trial, Report& report);
void check_common_velocity(const Trial& trial, Report& report);
void check_formulation(const Trial& trial, Report& report);
void check_elimination(const Trial& trial, Report& report);
void check_integrator(const Trial& trial, Report& report);
void check_output_step(const Trial& trial, Report& report);
void check_threads(const Trial& trial, Report& report);

/// The model with lengths, masses and times in other units: its numbers are these times as large.
struct Units {
  double length = 1, mass = 1, time = 1;
};
[[nodiscard]] Json in_units(const Registry& types, Json model, const Units& units);

}  // namespace arthron::test
