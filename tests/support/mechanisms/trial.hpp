#pragma once
#include <optional>

#include "support/mechanisms/mobility.hpp"

namespace arthron::test {

/// What a check found wrong.
struct Failure {
  unsigned seed = 0;
  std::string check, detail;
  Json model;  // as `arthron run` takes it, with the settings of the run that is wrong
};

/// What came of checks of many mechanisms.
struct Report {
  std::vector<Failure> failures;
  std::map<std::string, int> done, skipped;  // by check, one for each mechanism

  void add(const Report& other);
};

/// A mechanism with the runs that all checks need.
class Trial {
 public:
  Trial(const Registry& types, unsigned seed, const std::string& formulation = "hdca");

  const Registry& types;
  Mechanism mechanism;
  Json model;           // the mechanism with velocities that its joints admit, so that no start depends on where loops are cut
  std::string failure;  // it does not even start or run: nothing else can be checked
  bool stops = false;   // it runs into a singular position, or a spring turns over: nothing can be said of it
  Json failed;          // the model that did not
  /// Of the runs. Where a slide passes a point of its curve, accelerations of what turns along it jump, and a step over it, in which some
  /// jumps show little, is off by up to 500 tolerances: mechanisms with curves run at one at which that is little too.
  double tolerance = 1e-10;
  Motion base;          // all channels
  double spread = 0;    // what is left of errors at 100 times the tolerance, as deviation() has it
  int loose_steps = 0;  // that the run at that tolerance takes
  std::optional<SingleJoints> joints;
  std::vector<std::vector<Displacement>> bodies;  // by rows of the base run
  std::vector<Coordinates> coordinates;           // by rows
  std::vector<Mobility> mobilities;               // of the first row and the last
  std::vector<std::vector<Eigen::MatrixXd>> twists;
  bool singular = false;  // near a singular position at one of these

  /// A run of a variant of the model: places of all bodies and coordinates of joints, at the base's tolerance, unless the settings say
  /// otherwise. Names are behind `prefix`.
  [[nodiscard]] How how(const Json& settings = Json::object(), const std::string& prefix = "") const;
  /// Of velocities of the lightest body that are found from what the heaviest one transmits: rounding times the ratio of the masses.
  [[nodiscard]] double rounding_of_light_bodies() const;
  /// What rows of a run are off by since they lie within steps: a polynomial of fourth order leads there, whose error no tolerance bounds.
  /// Runs that end there tell.
  [[nodiscard]] double interpolated(const Json& of, const Motion& motion, const How& how) const;
  /// Degrees of freedom in a row of the base run if a joint were not there.
  [[nodiscard]] int freedom_without(const std::string& joint, std::size_t row) const;

 private:
  bool take_start();
  bool stops_at(const How& how, double time) const;
  bool turns_over() const;
  bool take_base();
  void take_positions();
  std::string formulation_;
};

/// How a variant moves when the model moves.
struct Image {
  double length = 1, time = 1;       // factors of lengths and times
  Matrix Q = Matrix::Identity();     // turned or mirrored
  Vector shift = Vector::Zero();     // then shifted
  Vector velocity = Vector::Zero();  // and moving
  std::string prefix;                // of names
  bool coordinates = true;           // coordinates of joints are the same
};

/// Largest difference of two motions in any row, places over all travel, velocities over all speeds, each not less than 1 m and 1 m/s;
/// rotations and angular velocities with 1 m.
[[nodiscard]] double deviation(const Json& model, const Motion& base, const Motion& other, const Image& image = {});

/// By name; every check says what it is about.
struct Check {
  std::string name;
  void (*run)(const Trial& trial, Report& report);
};
[[nodiscard]] const std::vector<Check>& all_checks();

/// Checks one mechanism; `only` names some of the checks, all when empty.
[[nodiscard]] Report check_mechanism(const Registry& types, unsigned seed, const std::vector<std::string>& only = {},
                                     const std::string& formulation = "hdca");

}  // namespace arthron::test
