#pragma once
#include <string>
#include <vector>

#include "plotting/figure.hpp"
#include "plotting/result_table.hpp"

/// The curves of `arthron kc` as suspension engineers draw them.
namespace arthron::cli {

/// What a column is called on paper, in which unit, and which way it counts.
struct KcQuantity {
  std::string title, unit;
  double factor = 1;  // from the unit of the table
  std::string meaning;
};
/// Of a heading such as `left.toe [deg]` or `roll_centre.height [m]`.
[[nodiscard]] KcQuantity kc_quantity(const std::string& heading);

/// A motion or load, as a title.
[[nodiscard]] std::string kc_title(const std::string& table);
/// Kinds of loads on compliant suspensions, each as parallel_... and opposite_...
[[nodiscard]] const std::vector<std::string>& kc_loads();
/// Files of a folder, without their `.csv`, in the order of a sheet.
[[nodiscard]] const std::vector<std::string>& kc_table_names();

struct KcTable {
  std::string name;
  ResultTable table;
};

/// A page of charts.
struct KcSheet {
  std::string title, remark;
  Figure figure;
};
[[nodiscard]] std::vector<KcSheet> kc_sheets(const std::vector<KcTable>& tables);

}  // namespace arthron::cli
