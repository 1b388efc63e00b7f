#include "arthron/formulations/block_module/report.hpp"

#include <algorithm>
#include <sstream>

#include "arthron/formulations/block_module/block_module.hpp"

namespace arthron {

std::string describe_block_modules(const Plan& plan) {
  const BlockModuleWork modules(plan);
  const auto count = [](int n, const char* one, const char* many) { return std::to_string(n) + " " + (n == 1 ? one : many); };
  std::ostringstream out;
  int highest = 0, rows = 0, border = 0;
  for (const BlockModuleWork::Submodel& submodel : modules.submodels) highest = std::max(highest, submodel.level);
  for (const BlockModuleWork::Assembly& assembly : modules.assemblies) rows = std::max(rows, assembly.rows);
  for (const BlockModuleWork::Module& module : modules.modules) border = std::max(border, module.border.size());
  out << "block modules: " << count(static_cast<int>(plan.subsystems.size()), "submodel", "submodels") << " in "
      << count(highest, "level", "levels") << '\n';
  for (int level = 1; level <= highest; ++level) {
    int submodels = 0, borders = 0, most = 0;
    for (const BlockModuleWork::Submodel& submodel : modules.submodels)
      if (submodel.level == level) ++submodels, borders += submodel.border, most = std::max(most, submodel.border);
    out << "  level " << level << ": " << count(submodels, "submodel", "submodels") << ", "
        << count(borders, "border body", "border bodies");
    if (submodels > 1 && borders > 0) out << ", at most " << most << " of one";
    out << '\n';
  }
  out << "  " << count(static_cast<int>(modules.assemblies.size()), "assembly", "assemblies") << ", largest constraint block " << rows
      << " x " << rows << ", largest dependency matrix " << 6 * border << " x " << 6 * border << '\n';
  int assembling = 0;
  for (const BlockModuleWork::Task& task : modules.tasks) assembling += task.assemblies.empty() ? 0 : 1;
  if (assembling > 1) out << "  assembled in " << assembling << " tasks\n";
  return out.str();
}

}  // namespace arthron
