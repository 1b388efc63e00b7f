#include "arthron/simulation/kink_times.hpp"

#include <algorithm>

namespace arthron {

KinkTimes::KinkTimes(const Model& model, double until) {
  const auto add = [&](const std::vector<TimeFunction>& functions) {
    for (const TimeFunction& function : functions)
      if (!function.is_constant()) functions_.push_back(&function);
  };
  for (const Joint& joint : model.joints) add(joint.motion);
  for (const Body& body : model.bodies)
    if (body.motion) add(body.motion->translation), add(body.motion->rotation);
  look_until(until);
}

void KinkTimes::look_until(double t) {
  if (!(t > seen_)) return;
  for (const TimeFunction* function : functions_) {
    const std::vector<Kink> found = kinks(*function, seen_, t);
    kinks_.insert(kinks_.end(), found.begin(), found.end());
  }
  seen_ = t;
  std::sort(kinks_.begin(), kinks_.end(), [](const Kink& a, const Kink& b) { return a.time < b.time; });
  // What happens at the same time is one kink; so is what is nearer than steps can be.
  std::vector<Kink> merged;
  for (const Kink& kink : kinks_) {
    if (!merged.empty() && kink.time - merged.back().time <= 64 * std::numeric_limits<double>::epsilon() * kink.time)
      merged.back().before = std::min(merged.back().before, kink.before), merged.back().after = std::max(merged.back().after, kink.after);
    else
      merged.push_back(kink);
  }
  kinks_ = std::move(merged);
}

KinkTimes::Around KinkTimes::around(double t) const {
  constexpr double far = std::numeric_limits<double>::infinity();
  const auto ahead = std::upper_bound(kinks_.begin(), kinks_.end(), t, [](double at, const Kink& kink) { return at < kink.time; });
  return {ahead == kinks_.begin() ? Kink{-far, -far, -far} : *(ahead - 1), ahead == kinks_.end() ? Kink{far, far, far} : *ahead};
}

}  // namespace arthron
