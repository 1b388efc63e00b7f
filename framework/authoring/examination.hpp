#pragma once
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace arthron {

/// Something that must hold for every component of a kind, in words its author understands, and how far it may be off: relative to the
/// size of what is compared, or to 1 where that is smaller.
struct Identity {
  std::string_view name;
  double allowed = 0;
};
/// Of joints in models, and of bodies and subsystems.
inline constexpr Identity formulations_agree{"all formulations find the dense solution", 1e-9};

/// What became of an identity: the largest deviation of all places it was looked at, and where that was.
struct Finding {
  std::string identity;
  double figure = 0;  // NaN: not a number came out, or nothing could be measured; `where` says which
  double allowed = 0;
  std::string where;  // parameters, coordinates, velocities, placement
  int samples = 0;

  [[nodiscard]] bool failed() const { return !(figure <= allowed); }
};

/// All identities of one component type, in the order in which they build on one another.
struct Examination {
  Examination(std::string kind_of_component, std::string type_name) : kind(std::move(kind_of_component)), type(std::move(type_name)) {}

  std::string kind, type;  // "joint", "acme/screw"
  std::vector<Finding> findings;
  std::vector<std::string> left_out;  // identities that were not looked at, and why

  [[nodiscard]] bool passed() const;
  [[nodiscard]] std::vector<Finding> failures() const;

  /// Notes how far an identity is off at one place. `where` is a function that tells it, asked only when the place is the worst so far.
  template <class Where>
  void note(const Identity& identity, double deviation, const Where& where) {
    Finding& finding = of(identity);
    ++finding.samples;
    if (finding.samples > 1 && (finding.figure != finding.figure || deviation <= finding.figure)) return;
    finding.figure = deviation;
    finding.where = where();
  }
  /// Says that an identity could not be measured at one place; it fails unless it can be somewhere else.
  template <class Where>
  void pass_over(const Identity& identity, const Where& where) {
    Finding& finding = of(identity);
    if (finding.samples > 0 || !finding.where.empty()) return;
    finding.figure = std::numeric_limits<double>::quiet_NaN();
    finding.where = "finite differences settle nowhere, for example not " + where();
  }

 private:
  Finding& of(const Identity& identity);
};

/// joint acme/screw: "H is the rate of the pose" is off by 0.31 (allowed 1e-09) in column 1, with {"pitch": 0.3} at q = [0.2]
[[nodiscard]] std::string sentence(const Examination& examination, const Finding& finding);
/// One line an identity: its name, the largest deviation, the allowed one, ok or FAILED; then the sentences of what failed.
[[nodiscard]] std::string to_text(const Examination& examination);

}  // namespace arthron
