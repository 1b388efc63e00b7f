#include <algorithm>

#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

/// Names by which the file may call a freedom: the joint's, with the number of the freedom behind a colon where there are several.
std::vector<std::pair<std::string, Coupling::Term>> known_freedoms(const Loading& loading) {
  std::vector<std::pair<std::string, Coupling::Term>> known;
  for (std::size_t j = 0; j < loading.drawn_joints.size(); ++j) {
    const Joint& joint = loading.drawn_joints[j].element;
    const JointType& type = joint.definition->type();
    if (type.nq() != type.nu()) continue;
    const std::string& name = joint.path;
    for (int i = 0; i < type.nu(); ++i)
      known.emplace_back(type.nu() == 1 ? name : name + ":" + std::to_string(i + 1), Coupling::Term{{static_cast<int>(j)}, i, 0});
  }
  return known;
}

}  // namespace

void draw_couplings(const JsonReader& section, Loading& loading) {
  const auto known = known_freedoms(loading);
  std::vector<std::string> names;
  for (const auto& entry : known) names.push_back(entry.first);
  for (const Entry& entry : claim_names(section, "couplings", loading)) {
    const JsonReader terms =
        entry.reader.object({"terms", "", "factors of joint coordinates: their sum stays zero; slider:2 is the second freedom"});
    Coupling coupling{entry.name, 0, {}, source_of(entry.reader)};
    for (const std::string& name : terms.names()) {
      const double coefficient = terms.number({name, "ratio of units", "factor of this joint's coordinate"});
      if (terms.describing()) continue;
      const auto found = std::find_if(known.begin(), known.end(), [&](const auto& freedom) { return freedom.first == name; });
      if (found == known.end())
        terms.source().report(name, quote_text(name), "a joint with one freedom, or joint:number of a freedom (not of a rotation vector)",
                              nearest_name(name, names));
      else
        coupling.terms.push_back({found->second.joint, found->second.freedom, coefficient});
      if (coefficient == 0) terms.source().report(name, "0", "a factor other than zero");
    }
    if (!section.describing() && terms.names().size() < 2)
      entry.reader.source().report("terms", std::to_string(terms.names().size()) + " of them", "at least two joints to couple");
    loading.drawn_couplings.push_back(std::move(coupling));
  }
}

}  // namespace arthron
