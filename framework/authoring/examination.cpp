#include "arthron/authoring/examination.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "arthron/simulation/shortest_text.hpp"

namespace arthron {

bool Examination::passed() const {
  return std::none_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.failed(); });
}

std::vector<Finding> Examination::failures() const {
  std::vector<Finding> failed;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(failed), [](const Finding& finding) { return finding.failed(); });
  return failed;
}

Finding& Examination::of(const Identity& identity) {
  for (Finding& finding : findings)
    if (finding.identity == identity.name) return finding;
  return findings.emplace_back(Finding{std::string(identity.name), 0, identity.allowed, "", 0});
}

std::string sentence(const Examination& examination, const Finding& finding) {
  const std::string subject = examination.kind + ' ' + examination.type + ": \"" + finding.identity + '"';
  if (std::isnan(finding.figure)) return subject + " fails: " + finding.where;
  return subject + " is off by " + rounded_text(finding.figure) + " (allowed " + rounded_text(finding.allowed) + ") " + finding.where;
}

std::string to_text(const Examination& examination) {
  std::ostringstream text;
  text << examination.kind << ' ' << examination.type << '\n';
  for (const Finding& finding : examination.findings)
    text << "  " << std::left << std::setw(64) << finding.identity << std::right << std::setw(12) << rounded_text(finding.figure)
         << std::setw(12) << rounded_text(finding.allowed) << "  " << (finding.failed() ? "FAILED" : "ok") << '\n';
  for (const std::string& reason : examination.left_out) text << "  " << reason << '\n';
  for (const Finding& finding : examination.failures()) text << "  " << sentence(examination, finding) << '\n';
  return text.str();
}

}  // namespace arthron
