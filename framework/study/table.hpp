#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "arthron/study/study.hpp"

/// A study as comma-separated text: number of the variant, values of its parameters, status, results, message. Numbers read back exactly,
/// and nothing depends on when, where or by whom a row was computed: equal studies give equal bytes.
namespace arthron {

[[nodiscard]] std::string_view name_of(StudyRow::Status status);
/// variant,mass [kg],...,status,peak [m],...,message
[[nodiscard]] std::string study_header(const Study& study);
/// A row with its newline.
[[nodiscard]] std::string study_line(const Study& study, const StudyRow& row);
/// The row again; empty for a line that is no row of this study.
[[nodiscard]] std::optional<StudyRow> read_study_line(const Study& study, std::string_view line);

}  // namespace arthron
