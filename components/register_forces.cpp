#include "arthron/component/force_batch.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/components/forces/applied_force.hpp"
#include "arthron/components/forces/bump_stop.hpp"
#include "arthron/components/forces/bushing.hpp"
#include "arthron/components/forces/contact.hpp"
#include "arthron/components/forces/spring_damper.hpp"
#include "arthron/components/forces/torsion_spring.hpp"
#include "arthron/components/forces/tyre.hpp"

namespace arthron {

void register_forces(Registry& registry) {
  registry.add_force<AppliedForce>();
  registry.add_force<BumpStopForce>();
  registry.add_force<BushingForce>();
  registry.add_force<ContactForce>();
  registry.add_force<SpringDamperForce>();
  registry.add_force<TorsionSpringForce>();
  registry.add_force<TyreForce>();
}

}  // namespace arthron
