#include "arthron/component/plugin.hpp"
#include "arthron/components/joints/cylindrical.hpp"
#include "arthron/components/joints/revolute.hpp"
#include "arthron/components/joints/screw.hpp"
#include "arthron/components/joints/universal.hpp"

/// The same joints with their closed forms, and with their poses alone.
using namespace arthron;

namespace {

#define ARTHRON_AGAIN(Name, name)                                                        \
  struct Closed##Name : Name##Joint {                                                    \
    static constexpr std::string_view type = "closed/" name;                             \
    static Closed##Name parse(const JsonReader& in) { return {Name##Joint::parse(in)}; } \
  };                                                                                     \
  struct Pose##Name {                                                                    \
    static constexpr std::string_view type = "pose/" name;                               \
    static constexpr int nq = Name##Joint::nq, nu = Name##Joint::nu;                     \
    Name##Joint joint;                                                                   \
    static Pose##Name parse(const JsonReader& in) { return {Name##Joint::parse(in)}; }   \
    template <class T>                                                                   \
    Pose<T> pose(const T* q) const {                                                     \
      return joint.pose(q);                                                              \
    }                                                                                    \
  };
ARTHRON_AGAIN(Revolute, "revolute")
ARTHRON_AGAIN(Screw, "screw")
ARTHRON_AGAIN(Cylindrical, "cylindrical")
ARTHRON_AGAIN(Universal, "universal")

}  // namespace

ARTHRON_PLUGIN(registry) {
  registry.add_joint<ClosedRevolute>();
  registry.add_joint<PoseRevolute>();
  registry.add_joint<ClosedScrew>();
  registry.add_joint<PoseScrew>();
  registry.add_joint<ClosedCylindrical>();
  registry.add_joint<PoseCylindrical>();
  registry.add_joint<ClosedUniversal>();
  registry.add_joint<PoseUniversal>();
}
