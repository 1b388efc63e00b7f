#include "arthron/components/bodies/box.hpp"
#include "arthron/components/bodies/cylinder.hpp"
#include "arthron/components/bodies/sphere.hpp"
#include "arthron/components/builtins.hpp"

namespace arthron {

void register_bodies(Registry& registry) {
  registry.add_body<BoxBody>();
  registry.add_body<CylinderBody>();
  registry.add_body<SphereBody>();
}

}  // namespace arthron
