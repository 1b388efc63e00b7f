#include "arthron/formulation/formulation.hpp"

namespace arthron {

using Make = std::unique_ptr<const Formulation>();

/// Adds what the function make_NAME() makes. It is declared in the same breath: no other file needs it.
#define ARTHRON_ADD(name) \
  Make make_##name;       \
  list.push_back(make_##name())

/// One line each, in the order in which they are listed wherever formulations are; the first is the default.
std::vector<std::unique_ptr<const Formulation>> builtin_formulations() {
  std::vector<std::unique_ptr<const Formulation>> list;
  ARTHRON_ADD(hdca);
  ARTHRON_ADD(dca);
  ARTHRON_ADD(slm);
  ARTHRON_ADD(sslm);
  ARTHRON_ADD(block_module);
  ARTHRON_ADD(augmented);
  return list;
}

}  // namespace arthron
