#include <algorithm>

#include "arthron/component/plugin.hpp"
#include "arthron/components/joints/cylindrical.hpp"
#include "arthron/components/joints/revolute.hpp"
#include "arthron/components/joints/screw.hpp"
#include "arthron/components/joints/universal.hpp"

/// The built-in joints again: with their closed forms, with their poses alone, and with these and the word that H is constant.
using namespace arthron;

namespace {

template <std::size_t size>
struct Name {
  char text[size];
  constexpr Name(const char (&literal)[size]) { std::copy_n(literal, size, text); }  // NOLINT
};

template <class J, Name name>
struct Closed : J {
  static constexpr std::string_view type = name.text;
  static Closed parse(const JsonReader& in) { return {J::parse(in)}; }
};

template <class J, Name name, bool constant>
struct PoseAlone {
  static constexpr std::string_view type = name.text;
  static constexpr int nq = J::nq, nu = J::nu;
  static constexpr bool constant_subspace = constant;
  J joint;
  static PoseAlone parse(const JsonReader& in) { return {J::parse(in)}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return joint.pose(q);
  }
};

}  // namespace

ARTHRON_PLUGIN(registry) {
  registry.add_joint<Closed<RevoluteJoint, "closed/revolute">>();
  registry.add_joint<Closed<ScrewJoint, "closed/screw">>();
  registry.add_joint<Closed<CylindricalJoint, "closed/cylindrical">>();
  registry.add_joint<Closed<UniversalJoint, "closed/universal">>();
  registry.add_joint<PoseAlone<RevoluteJoint, "pose/revolute", false>>();
  registry.add_joint<PoseAlone<ScrewJoint, "pose/screw", false>>();
  registry.add_joint<PoseAlone<CylindricalJoint, "pose/cylindrical", false>>();
  registry.add_joint<PoseAlone<UniversalJoint, "pose/universal", false>>();
  registry.add_joint<PoseAlone<RevoluteJoint, "constant/revolute", true>>();
  registry.add_joint<PoseAlone<ScrewJoint, "constant/screw", true>>();
  registry.add_joint<PoseAlone<CylindricalJoint, "constant/cylindrical", true>>();
}
