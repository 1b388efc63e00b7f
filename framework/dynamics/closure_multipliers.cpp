#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/multiplier_system.hpp"
#include "arthron/dynamics/uneven_loops.hpp"

namespace arthron {

using std::size_t;

void take_multipliers(const Plan& plan, const MultiplierSystem& system, std::span<const double> multipliers, Workspace& work) {
  const double* next = multipliers.data();
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const size_t rows = plan.closures[c].rows;
    ClosureWork::Cut& cut = work.closures->cuts[c];
    cut.sigma.setZero();
    for (size_t r = 0; r < rows; ++r) cut.sigma[static_cast<Eigen::Index>(r)] = *next++;
    if (const UnevenLoops* uneven = work.closures->uneven.get(); uneven && uneven->found) {
      cut.rank = uneven->rows[c].rank;
      continue;
    }
    cut.rank = system.rank(static_cast<int>(c));
    std::array<MultiplierSystem::Combination, 6> null;
    system.null_space(static_cast<int>(c), null);
    for (size_t k = cut.rank; k < rows; ++k) work.closures->null[c][k].head<6>() = Eigen::Map<const Vector6>(null[k].data());
  }
}

}  // namespace arthron
