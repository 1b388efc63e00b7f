#include "arthron/simulation/channels.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "arthron/core/diagnostic.hpp"

namespace arthron {
namespace {

constexpr int many_freedoms = 60;
constexpr int first_bodies = 10;

std::vector<std::size_t> all_components(const Quantity& quantity) {
  std::vector<std::size_t> components(quantity.components.size());
  std::iota(components.begin(), components.end(), std::size_t{0});
  return components;
}

/// Components of `quantity` that `request` asks for: all by the element's bare name, or those whose name it is the beginning of, up to a
/// dot.
std::vector<std::size_t> asked_for(const std::string& request, const Quantity& quantity) {
  const bool pattern = request.find('*') != std::string::npos;
  if (request == quantity.element) return quantity.by_default ? all_components(quantity) : std::vector<std::size_t>{};
  if (pattern && request.find(quantity.word) == std::string::npos) return {};
  if (!pattern && !(request.starts_with(quantity.element) && request[quantity.element.size()] == '.')) return {};
  std::vector<std::size_t> components;
  for (std::size_t i = 0; i < quantity.components.size(); ++i) {
    const std::string column = quantity.column(i);
    const bool meant = pattern
                           ? fnmatch(request.c_str(), column.c_str(), 0) == 0 || fnmatch(request.c_str(), quantity.path().c_str(), 0) == 0
                           : column == request || column.starts_with(request + '.');
    if (meant) components.push_back(i);
  }
  return components;
}

/// What the requests may mean; everything where one of them is a pattern, or where there are none.
WantedElements elements_of(const std::vector<ChannelRequest>& requests) {
  std::vector<std::string_view> paths;
  for (const ChannelRequest& request : requests) {
    if (request.path.find('*') != std::string::npos) return {};
    paths.push_back(request.path);
  }
  return paths.empty() ? WantedElements() : WantedElements(paths);
}

Diagnostic unknown(const ChannelRequest& request, const std::vector<Quantity>& quantities) {
  std::set<std::string> names;
  std::string offers;
  for (const Quantity& quantity : quantities) {
    names.emplace(quantity.element);
    names.insert(quantity.path());
    for (std::size_t i = 0; i < quantity.components.size(); ++i) names.insert(quantity.column(i));
    if (request.path.starts_with(std::string(quantity.element) + '.')) {
      offers += (offers.empty() ? "" : ", ") + (quantity.name.empty() ? quantity.column(0) : quantity.path());
    }
  }
  const std::string expected =
      offers.empty() ? "a channel, such as energy.total or the name of a body, joint, force or marker" : "one of " + offers;
  return {request.file, 0, request.pointer, '"' + request.path + '"', expected, nearest_name(request.path, {names.begin(), names.end()})};
}

}  // namespace

ChannelSet::ChannelSet(const Plan& plan, const std::vector<ChannelRequest>& requests) {
  const std::vector<Quantity> quantities = all_quantities(plan, elements_of(requests));
  std::vector<Diagnostic> mistakes;
  for (const ChannelRequest& request : requests) {
    bool found = false;
    for (const Quantity& quantity : quantities) {
      const std::vector<std::size_t> components = asked_for(request.path, quantity);
      if (!components.empty()) choose(quantity, components);
      found |= !components.empty();
    }
    if (!found) mistakes.push_back(unknown(request, all_quantities(plan)));
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  if (requests.empty()) choose_by_default(plan, quantities);
}

void ChannelSet::choose_by_default(const Plan& plan, const std::vector<Quantity>& quantities) {
  const bool many = plan.nu_all > many_freedoms;
  int bodies = 0;
  for (const Quantity& quantity : quantities) {
    const bool position = quantity.name == "position", velocity = quantity.name == "velocity";
    bool wanted = quantity.by_default;
    if (quantity.kind == Quantity::Kind::force || quantity.kind == Quantity::Kind::subsystem) wanted = false;
    if (quantity.kind == Quantity::Kind::joint) wanted &= !many;
    if (quantity.kind == Quantity::Kind::body) {
      bodies += position ? 1 : 0;
      wanted = many && bodies <= first_bodies && (position || velocity);
    }
    if (wanted) choose(quantity, all_components(quantity));
  }
}

void ChannelSet::choose(const Quantity& quantity, const std::vector<std::size_t>& components) {
  Selection selection{quantity, {}, {}};
  for (const std::size_t i : components) {
    const std::string name = quantity.column(i);
    if (!names_.insert(name).second) continue;
    selection.components.push_back(i);
    columns_.push_back({name, std::string(quantity.components[i].unit)});
  }
  if (selection.components.empty()) return;
  needs_accelerations_ |= quantity.accelerations;
  needs_cut_joints_ |= quantity.cut_joint;
  values_.resize(std::max(values_.size(), quantity.before + quantity.components.size() + quantity.behind));
  selections_.push_back(std::move(selection));
}

ChannelSet::Orientations ChannelSet::orientations() const {
  Orientations orientations;
  for (const Selection& selection : selections_)
    if (selection.quantity.quaternion) orientations[selection.quantity.path()] = selection.last_quaternion;
  return orientations;
}

void ChannelSet::follow(const Orientations& orientations) {
  for (Selection& selection : selections_)
    if (const auto last = orientations.find(selection.quantity.path()); selection.quantity.quaternion && last != orientations.end())
      selection.last_quaternion = last->second;
}

void ChannelSet::read(const Plan& plan, const Workspace& work, std::span<double> row) {
  std::size_t column = 0;
  for (Selection& selection : selections_) {
    selection.quantity.read(plan, work, selection.quantity.index, values_.data());
    if (selection.quantity.quaternion) {
      // q and -q are one orientation: stay on the side of the last row.
      const double side = std::inner_product(values_.begin(), values_.begin() + 4, selection.last_quaternion.begin(), 0.0);
      if (side < 0) std::transform(values_.begin(), values_.begin() + 4, values_.begin(), std::negate<>());
      std::copy_n(values_.begin(), 4, selection.last_quaternion.begin());
    }
    for (const std::size_t i : selection.components) row[column++] = values_[selection.quantity.before + i];
  }
}

}  // namespace arthron
