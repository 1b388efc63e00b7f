#pragma once
#include <array>
#include <map>
#include <optional>

#include "arthron/integrate/integrator.hpp"

/// States on file. A checkpoint of a whole simulation holds all that continuing bit for bit needs; one of a subsystem holds coordinates and
/// velocities of its joints and internal states of its forces, under the names they have in the subsystem's own file, so that they fit
/// wherever this file is used.
namespace arthron {

struct JointRecord {
  std::string path;  // seen from the subsystem
  std::string type;
  std::vector<double> position{}, velocity{};  // user coordinates, and velocities per freedom
  std::vector<double> coordinates{};           // the joint's own, where they are others than the user's
  std::vector<double> momentum{};              // of a joint that is part of the state, in a checkpoint of the whole, if this has momenta
  int line = 0;                                // in the file it was read from
};

/// Internal states of a force that has any.
struct ForceRecord {
  std::string path;  // seen from the subsystem
  std::string type;
  std::vector<double> states{};
  int line = 0;  // in the file it was read from
};

/// A signal input that the program has set: value + rate (t - since).
struct InputRecord {
  std::string path;
  double value = 0, rate = 0, since = 0;
  int line = 0;  // in the file it was read from
};

/// What a run knows of its rows.
struct RunRecord {
  std::int64_t rows = 0;
  double last_row = 0;                      // its time [s]
  double energy_start = 0, energy_end = 0;  // as RunSummary has them
  double energy_drift = 0, constraint_error = 0, loop_opening = 0, loop_opening_rate = 0;
  std::map<std::string, std::array<double, 4>> orientations;  // quaternions of the last row
};

struct Checkpoint {
  /// Version 1 has no internal states of forces. Up to version 2 the turns of cut joints were not part of the integrator's record, so
  /// models with loops continue from their positions. Files of all versions are read.
  static constexpr int version = 3;

  std::string model{};      // its name
  std::string subsystem{};  // path of what was saved; "" of the whole
  double t = 0;             // [s]
  std::vector<JointRecord> joints{};
  std::vector<ForceRecord> forces{};
  std::string formulation = "hdca";  // not of a subsystem
  IntegratorSettings integrator{};   // not of a subsystem
  std::optional<StepRecord> step{};  // of the integrator; none of a subsystem
  std::vector<double> measured{};    // coordinates of all cut joints as last looked at, from which they are followed; none of a subsystem
  std::optional<std::vector<InputRecord>> inputs{};  // as they are set; none of a simulation that no program has ever steered
  std::optional<RunRecord> run{};
  std::string file{};    // it was read from
  int format = version;  // of that file

  /// Checkpoint of the subsystem at `path` in this one. Throws ModelError when nothing in here has such a path.
  [[nodiscard]] Checkpoint part(const std::string& path) const;
};

/// Human-readable JSON; every number reads back exactly.
[[nodiscard]] std::string to_text(const Checkpoint& checkpoint);
/// The file appears whole or not at all. Throws ModelError that names `option` when it cannot be written.
void write_checkpoint(const Checkpoint& checkpoint, const std::string& file, const std::string& option = "checkpoint");

/// Throws ModelError with every mistake of the file.
[[nodiscard]] Checkpoint read_checkpoint(const std::string& file);
[[nodiscard]] Checkpoint parse_checkpoint(const std::string& text, const std::string& file);

/// The records of the joints of a subsystem of `model` by their numbers there; null for all other joints. Throws ModelError that names the
/// first joint that does not fit.
[[nodiscard]] std::vector<const JointRecord*> fitting_records(const Checkpoint& checkpoint, const Model& model,
                                                              const std::string& subsystem);
/// The same of forces with internal states.
[[nodiscard]] std::vector<const ForceRecord*> fitting_forces(const Checkpoint& checkpoint, const Model& model,
                                                             const std::string& subsystem);
/// Whether `path` begins with the subsystem's path; "" is the model itself.
[[nodiscard]] bool is_inside(const std::string& path, const std::string& subsystem);
/// The path of what is inside, seen from the subsystem.
[[nodiscard]] std::string path_inside(const std::string& path, const std::string& subsystem);

}  // namespace arthron
