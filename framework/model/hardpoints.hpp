#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "arthron/core/diagnostic.hpp"
#include "arthron/spatial/vector3.hpp"

namespace arthron {

struct Model;

/// A point of a table.
struct Hardpoint {
  std::string name;
  Vec3 at;  // [m]
  int line = 0;
};

/// Points as they are kept in spreadsheets: a head "name,x [mm],y [mm],z [mm]", then a line for each. Metres where the head names no unit;
/// a column "unit" gives each line its own. Semicolons will do for commas; what follows # is a comment.
struct HardpointTable {
  std::string file;
  std::vector<Hardpoint> points;
};

/// Mistakes go to the diagnostics, with their lines.
[[nodiscard]] HardpointTable read_hardpoints(const std::string& text, const std::string& file, std::vector<Diagnostic>& diagnostics);
/// The same as a table: read again, every number is the same to the last bit. The unit is m, dm, cm, mm or um.
[[nodiscard]] std::string hardpoint_text(const std::vector<Hardpoint>& points, std::string_view unit);
/// True for these.
[[nodiscard]] bool is_decimal_length(std::string_view unit);

/// A parameter that is a vector: three numbers of the Model, one behind the other.
struct VectorParameter {
  std::string path;
  int first = 0;  // in Model::parameters
};
/// In the order of the Model.
[[nodiscard]] std::vector<VectorParameter> vector_parameters(const Model& model);
/// Those of a subsystem ("" for the model itself) that are lengths. Throws ModelError when there is no such subsystem.
[[nodiscard]] std::vector<Hardpoint> hardpoints_of(const Model& model, const std::string& subsystem);

}  // namespace arthron
