#include <algorithm>
#include <map>

#include "arthron/plan/passes.hpp"

namespace arthron {

namespace {

/// The path of the innermost subsystem that has both: "car.front" for "car.front.left.hub" and "car.front.rack".
std::string common_path(const std::string& one, const std::string& other) {
  const std::size_t most = std::min(one.size(), other.size());
  std::size_t end = 0;
  for (std::size_t i = 0; i < most && one[i] == other[i]; ++i)
    if (one[i] == '.') end = i;
  return one.substr(0, end);
}

/// The path of the subsystem that a body is in, "" for the model.
std::string subsystem_of(const std::string& body) {
  const std::size_t end = body.rfind('.');
  return end == std::string::npos ? "" : body.substr(0, end);
}

/// From a body to another one, by their subsystems where these differ.
std::string from_to(const std::string& first, const std::string& last) {
  if (first == last) return first;
  const std::string one = subsystem_of(first), other = subsystem_of(last);
  return one == other ? first + " ... " + last : (one.empty() ? first : one) + " ... " + (other.empty() ? last : other);
}

}  // namespace

void name_parts(Plan& plan) {
  std::vector<int> model_body(plan.bodies.size(), 0);
  for (std::size_t m = 0; m < plan.body_of.size(); ++m)
    if (plan.body_of[m] >= 0) model_body[plan.body_of[m]] = static_cast<int>(m);
  const auto path_of = [&](int b) -> const std::string& { return plan.model->bodies[model_body[b]].path; };
  const int parts = shared_part(plan);
  std::vector<std::string> names(parts + 1);
  std::map<std::string, int> pieces;  // parts of a subsystem
  for (int p = 0; p < parts; ++p) {
    const Slice bodies = part(plan, p).bodies;
    if (bodies.size() == 0) continue;  // nothing moves
    std::string within = subsystem_of(path_of(bodies.first));
    for (int b = bodies.first; b < bodies.last; ++b) within = common_path(within + '.', path_of(b));
    names[p] = within;
    ++pieces[within];
  }
  for (int p = 0; p < parts; ++p) {
    const Slice bodies = part(plan, p).bodies;
    if (bodies.size() > 0 && (names[p].empty() || pieces[names[p]] > 1))
      names[p] = from_to(path_of(bodies.first), path_of(bodies.last - 1));
  }
  names[parts] = "shared";
  plan.part_names = std::make_shared<const std::vector<std::string>>(std::move(names));
}

}  // namespace arthron
